package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.clock.Event;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * The roots of a CAR, by their kind. Rule CAR12.
 *
 * <pre>{@code
 * try (CarBlockStore car = CarBlockStore.open(file)) {
 *     CarRoots roots = CarRoots.of(car, car.roots());
 *     List<Pail> versions = roots.pails().stream().map(root -> Pail.open(car, root)).toList();
 * }
 * }</pre>
 *
 * @param events the events of a merkle clock over a pail
 * @param pails the root shards of pails
 * @param values all other roots
 */
public record CarRoots(List<Cid> events, List<Cid> pails, List<Cid> values) {
    /** The kind of a root. */
    public enum Kind {
        EVENT,
        PAIL,
        VALUE
    }

    public CarRoots {
        events = List.copyOf(events);
        pails = List.copyOf(pails);
        values = List.copyOf(values);
    }

    /** Sorts roots by their kind. Throws as {@link #kind} does. */
    public static CarRoots of(BlockStore blocks, Collection<Cid> roots) {
        Objects.requireNonNull(blocks, "blocks");
        List<Cid> events = new ArrayList<>();
        List<Cid> pails = new ArrayList<>();
        List<Cid> values = new ArrayList<>();
        for (Cid root : roots) {
            switch (kind(blocks, root)) {
                case EVENT -> events.add(root);
                case PAIL -> pails.add(root);
                case VALUE -> values.add(root);
            }
        }
        return new CarRoots(events, pails, values);
    }

    /**
     * Returns the kind of a root. Reads only a block in dag-cbor: all other blocks are values.
     *
     * @throws MissingBlockException if it is not in the block store
     * @throws CorruptBlockException if its bytes do not match its CID
     * @throws MalformedBlockException if it has the shape of an event, and is none
     * @throws MalformedBlockException if it has the shape of a shard, and is no root shard
     */
    public static Kind kind(BlockStore blocks, Cid root) {
        if (!root.isShardLink()) {
            return Kind.VALUE;
        }
        Block block = blocks.require(root);
        Link.Role shape = shape(block);
        if (shape == Link.Role.EVENT) {
            Event.fromBlock(block);
            return Kind.EVENT;
        }
        if (shape == Link.Role.SHARD) {
            Pail unused = Pail.open(blocks, root);
            return Kind.PAIL;
        }
        return Kind.VALUE;
    }

    private static Link.Role shape(Block block) {
        try {
            return Links.shape(block);
        } catch (MalformedDataException e) {
            // What breaks the rules of dag-cbor is no event and no shard.
            return Link.Role.ROOT;
        }
    }
}
