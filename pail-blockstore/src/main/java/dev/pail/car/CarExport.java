package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MalformedShardException;
import dev.pail.MissingBlockException;
import dev.pail.StoreIOException;
import dev.pail.dag.Link;
import dev.pail.ipld.Cid;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What to put into a CAR: everything that some roots reach in a block store, or less. Roots are those of pails, events of
 * a merkle clock with all before them and the pails that they name, or any other blocks. Values, and blocks in dag-cbor
 * that values link to, are taken along where the block store has them.
 *
 * <p>The blocks are in the order of a walk that goes depth first, takes links as they are written in their block, and
 * comes to each block once (CAR11): equal contents make equal files. Memory goes with the links of the shards on one path, and is some
 * 22 bytes for each block beside.
 *
 * <p>Immutable.
 */
public final class CarExport {
    private final BlockStore blocks;
    private final List<Cid> roots;
    private final List<Cid> since;
    private final Predicate<Link> isFollowed;

    private CarExport(BlockStore blocks, List<Cid> roots, List<Cid> since, Predicate<Link> isFollowed) {
        this.blocks = blocks;
        this.roots = List.copyOf(roots);
        this.since = List.copyOf(since);
        this.isFollowed = isFollowed;
    }

    /**
     * What was written.
     *
     * @param blocks the number of blocks
     * @param size the number of bytes
     */
    public record Written(long blocks, long size) {}

    /** All that these roots reach. */
    public static CarExport of(BlockStore blocks, List<Cid> roots) {
        return new CarExport(Objects.requireNonNull(blocks), roots, List.of(), link -> true);
    }

    /**
     * Without what an earlier root reaches, for somebody who has all of that. Only where both have a block in places that do
     * not correspond, it may be there all the same.
     */
    public CarExport since(Cid root) {
        List<Cid> all = new ArrayList<>(since);
        all.add(root);
        return new CarExport(blocks, roots, all, isFollowed);
    }

    /** Without the blocks of values. */
    public CarExport withoutValues() {
        return new CarExport(blocks, roots, since, isFollowed.and(Link::isNeeded));
    }

    /** Without the blocks for which this holds, and what only they link to. */
    public CarExport without(Predicate<Cid> left) {
        Objects.requireNonNull(left);
        return new CarExport(blocks, roots, since, isFollowed.and(link -> !left.test(link.cid())));
    }

    /**
     * Writes the CAR. The stream is flushed, and stays open. Where this fails, the stream has a part of a CAR.
     *
     * @param target the file or address, for messages; or nothing
     * @throws MissingBlockException if a root, a shard or an event is not in the block store
     * @throws CorruptBlockException if bytes do not match their CID
     * @throws MalformedShardException if a link to a shard or an event leads to something else
     * @throws StoreIOException if reading or writing fails
     */
    public Written writeTo(OutputStream out, String target) {
        Objects.requireNonNull(out);
        Objects.requireNonNull(target);
        Predicate<Link> followed = isFollowed;
        if (!since.isEmpty()) {
            Seen earlier = Earlier.of(blocks, since, roots);
            followed = followed.and(link -> !earlier.contains(link));
        }
        // Closing the writer would close the stream, which is not ours.
        @SuppressWarnings("resource")
        CarWriter writer = CarWriter.of(out, target, roots);
        new DagWalk(blocks, followed, writer::write).run(roots);
        writer.flush();
        return new Written(writer.blocks(), writer.size());
    }
}
