package dev.pail.repository;

import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.dag.CidSet;
import dev.pail.dag.DagPbLinks;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The blocks that heads need: their events and all that these follow, the shards of all their roots, and the values, whether they
 * are in the block store or not. In values that are, links are followed too, where they are in dag-cbor or dag-pb; any other is
 * taken for a leaf, and raw ones are not even read.
 *
 * <p>Each block is read once. Recurses nowhere but into identity CIDs, which are short; holds the links that are still to be followed,
 * and some 22 bytes for each block. For one thread at a time.
 */
final class Reachable {
    private final Function<Cid, Optional<Block>> blocks;
    private final Runnable step;

    /** Whether events and shards that are not there are passed by. */
    private final boolean isPartial;

    /** What must be there, and was read. */
    private final CidSet needed = new CidSet();

    /** Values that were read, or are not there. */
    private final CidSet values = new CidSet();

    /** All of it, and raw values, by the raw CID of their multihash. */
    private final CidSet reached = new CidSet();

    private final Deque<Link> due = new ArrayDeque<>();

    /**
     * @param blocks gives a block, if it is there
     * @param step is run for each block that is read
     */
    Reachable(Function<Cid, Optional<Block>> blocks, Runnable step) {
        this(blocks, step, false);
    }

    private Reachable(Function<Cid, Optional<Block>> blocks, Runnable step, boolean isPartial) {
        this.blocks = blocks;
        this.step = step;
        this.isPartial = isPartial;
    }

    /** The blocks that heads lead to as far as they are there: none must be. */
    static Reachable partial(Function<Cid, Optional<Block>> blocks, Runnable step) {
        return new Reachable(blocks, step, true);
    }

    /**
     * Goes from events through all that was not reached before.
     *
     * @throws MissingBlockException if an event or a shard is not there. This is of no use then
     * @throws CorruptBlockException if the bytes of a block that is read do not match its CID
     */
    void addEvents(Collection<Cid> events) {
        events.forEach(event -> follow(new Link(event, Link.Role.EVENT)));
        run();
    }

    /** Goes from the root of a pail, as {@link #addEvents} does. */
    void addRoot(Cid root) {
        follow(new Link(root, Link.Role.SHARD));
        run();
    }

    /** Goes from blocks of any kind through all that they link to, as far as it is there. */
    void addValues(Collection<Cid> values) {
        values.forEach(value -> follow(new Link(value, Link.Role.VALUE)));
        run();
    }

    private void run() {
        for (Link link = due.pollLast(); link != null; link = due.pollLast()) {
            Cid cid = link.cid();
            step.run();
            if (link.isNeeded()) {
                Optional<Block> block = blocks.apply(cid);
                if (block.isEmpty() && !isPartial) {
                    throw new MissingBlockException(cid);
                }
                if (block.isPresent()) {
                    Links.of(block.get(), link.role()).forEach(this::follow);
                }
            } else {
                value(cid).ifPresent(this::followValue);
            }
        }
    }

    private Optional<Block> value(Cid cid) {
        try {
            return blocks.apply(cid);
        } catch (UnsupportedHashException e) {
            return Optional.empty();
        }
    }

    private void followValue(Block block) {
        if (block.cid().codec() == Cid.DAG_PB) {
            List<Cid> links = DagPbLinks.of(block);
            links.forEach(cid -> follow(new Link(cid, Link.Role.VALUE)));
        } else {
            Links.of(block, Link.Role.VALUE).forEach(this::follow);
        }
    }

    private void follow(Link link) {
        Cid cid = link.cid();
        boolean hasLinks = cid.codec() == Cid.DAG_CBOR || cid.codec() == Cid.DAG_PB;
        if (cid.hashFunction() == Cid.IDENTITY) {
            if (hasLinks && !link.isNeeded()) {
                // It is so short that this does not go deep.
                followValue(Block.of(cid.codec(), cid.digest()));
            }
            return;
        }
        if (link.isNeeded()) {
            if (needed.add(cid)) {
                reached.add(cid.raw());
                due.addLast(link);
            }
            return;
        }
        reached.add(cid.raw());
        if (hasLinks && !needed.contains(cid) && values.add(cid)) {
            due.addLast(link);
        }
    }

    /** Whether a block is needed, under whichever of its CIDs. */
    boolean contains(Cid cid) {
        return reached.contains(cid.raw());
    }
}
