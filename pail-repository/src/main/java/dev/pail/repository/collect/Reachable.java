package dev.pail.repository.collect;

import dev.pail.BlockException;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.dag.CidSet;
import dev.pail.dag.DagWalk;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that heads need: their events and all that these follow, the shards of all their roots, the values, whether they are in
 * the block store or not, and what values link to (Rule G3). Blocks that can have no links are not even read.
 *
 * <p>Reads each block once, and takes as much memory as a {@link DagWalk}, with some 22 bytes more for each block. For one thread at
 * a time.
 */
public final class Reachable {
    private final Function<Cid, Optional<Block>> blocks;
    private final Runnable step;
    private final DagWalk walk;

    /** What another one has read is not read here. */
    private final @Nullable Reachable other;

    /** The blocks that were passed by. */
    private final CidSet lost = new CidSet();

    /** The events and shards among what was reached, by the raw CIDs of their multihashes. */
    private final CidSet structure;

    /** The values in codecs whose links are unknown. One set for this and all that are made of it. */
    private final CidSet unfollowed;

    /** All that was reached, by the raw CID of its multihash. */
    private final CidSet reached = new CidSet();

    /**
     * @param blocks gives a block, if it is there
     * @param step is run for each block that is read
     */
    public Reachable(Function<Cid, Optional<Block>> blocks, Runnable step) {
        this(blocks, step, new CidSet());
    }

    /** @param structure gets the raw CID of each event and shard that is reached */
    public Reachable(Function<Cid, Optional<Block>> blocks, Runnable step, CidSet structure) {
        this(blocks, step, structure, new CidSet(), null, null);
    }

    private Reachable(
            Function<Cid, Optional<Block>> blocks,
            Runnable step,
            CidSet structure,
            CidSet unfollowed,
            @Nullable Reachable other,
            @Nullable Consumer<BlockException> passedBy) {
        this.blocks = blocks;
        this.step = step;
        this.structure = structure;
        this.unfollowed = unfollowed;
        this.other = other;
        walk = new DagWalk(
                cid -> {
                    step.run();
                    return blocks.apply(cid);
                },
                this::isFollowed,
                block -> {},
                DagWalk::requireNeeded,
                passedBy == null ? null : damage -> passBy(damage, passedBy));
    }

    /**
     * The blocks below the heads, as far as they can be read, without those that this has already read.
     *
     * @param passedBy receives each missing event and shard, and each corrupt or malformed block, once. They count as reached
     */
    public Reachable partial(Consumer<BlockException> passedBy) {
        return new Reachable(blocks, step, structure, unfollowed, this, passedBy);
    }

    private void passBy(BlockException damage, Consumer<BlockException> passedBy) {
        if (lost.add(damage.cid())) {
            passedBy.accept(damage);
        }
    }

    private boolean isFollowed(Link link) {
        reached.add(link.cid().raw());
        if (link.isNeeded()) {
            structure.add(link.cid().raw());
        } else if (!Links.isKnown(link.cid().codec())) {
            unfollowed.add(link.cid());
        }
        return (link.isNeeded() || Links.has(link.cid().codec())) && (other == null || !other.hasRead(link));
    }

    private boolean hasRead(Link link) {
        return walk.hasSeen(link) || (other != null && other.hasRead(link));
    }

    /**
     * Goes from events through all that was not reached before.
     *
     * @throws MissingBlockException if an event or a shard is not there. This is of no use then
     * @throws CorruptBlockException if the bytes of a block that is read do not match its CID
     */
    public void addEvents(Collection<Cid> events) {
        walk.walk(events.stream().map(event -> new Link(event, Link.Role.EVENT)).toList());
    }

    /** Goes from the root of a pail, as {@link #addEvents} does. */
    void addRoot(Cid root) {
        walk.walk(List.of(new Link(root, Link.Role.SHARD)));
    }

    /** Goes from blocks of any kind through all that they link to, as far as it is there. */
    void addValues(Collection<Cid> values) {
        walk.walk(values.stream().map(value -> new Link(value, Link.Role.VALUE)).toList());
    }

    /** The number of values in codecs whose links are unknown, which this and all that were made of it reached. */
    public long unfollowed() {
        return unfollowed.size();
    }

    /** Whether a block is needed, under whichever of its CIDs. Rule G6. */
    public boolean contains(Cid cid) {
        return reached.contains(cid.raw());
    }
}
