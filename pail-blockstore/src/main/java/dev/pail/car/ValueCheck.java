package dev.pail.car;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.dag.CidSet;
import dev.pail.dag.DagWalk;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A check of values and of the blocks that they link to, at any depth (spec rule G4). Each block counts once, at its first place. A
 * value that is an identity CID is no block, but may have links. Takes as much memory as an export. For one thread at a time.
 *
 * <pre>{@code
 * ValueCheck check = new ValueCheck(blocks, ValueCheck.Extent.LINKED, () -> {}, (key, place, cause) ->
 *         System.err.println(key + ": " + cause.getMessage()));
 * pail.entries().forEach(entry -> check.check(entry.value(), entry::key));
 * System.out.println(check.absentValues() + " values are not here");
 * }</pre>
 */
public final class ValueCheck {
    private final BlockStore blocks;
    private final boolean isWhole;
    private final Runnable progress;
    private final Problems problems;
    private final DagWalk walk = new DagWalk(this::read, this::isFollowed, this::sound, this::absent);

    /** Blocks that can have no links: a value among them is read, others are only looked for. Empty if all are read. */
    private final CidSet leaves = new CidSet();

    private Supplier<String> key = () -> "";

    /** Whether the next link is that of a value itself, and whether the present one is. */
    private boolean startsWithValue;

    private boolean isValue;

    /** Whether the block of the present link was counted before. */
    private boolean isCounted;

    private @Nullable Cid broken;
    private long values;
    private long absentValues;
    private long below;
    private long absentBelow;
    private long erased;
    private long bytes;

    /** The blocks below values that the check reads. */
    public enum Extent {
        /** All. A missing one is a problem. */
        ALL,
        /** Blocks that can have links. For all other blocks, the check only counts those that are missing. */
        LINKED
    }

    /** The place of a block with a problem. */
    public enum Place {
        /** The block is the value of a key. */
        VALUE,
        /** The block is below the value of a key. */
        BELOW
    }

    /** Receives the problems. */
    @FunctionalInterface
    public interface Problems {
        /**
         * Receives a missing or corrupt block.
         *
         * @param key the key of the value
         * @param place where the block is
         */
        void add(String key, Place place, BlockException cause);
    }

    /**
     * Creates a check that has read no blocks yet.
     *
     * @param extent the blocks to read
     * @param progress is called before each block is read
     */
    public ValueCheck(BlockStore blocks, Extent extent, Runnable progress, Problems problems) {
        this.blocks = Objects.requireNonNull(blocks, "blocks");
        this.isWhole = Objects.requireNonNull(extent, "extent") == Extent.ALL;
        this.progress = Objects.requireNonNull(progress, "progress");
        this.problems = Objects.requireNonNull(problems, "problems");
    }

    /**
     * Checks a value and the blocks below it, except those that it has already checked.
     *
     * @param keyOfValue returns its key; called while this runs and only for a problem
     */
    public void check(Cid value, Supplier<String> keyOfValue) {
        key = Objects.requireNonNull(keyOfValue, "keyOfValue");
        startsWithValue = value.hashFunction() != Cid.IDENTITY;
        walk.walk(List.of(new Link(value, Link.Role.VALUE)));
    }

    private boolean isFollowed(Link link) {
        isValue = startsWithValue;
        startsWithValue = false;
        isCounted = false;
        if (isWhole || Links.has(link.cid().codec())) {
            return true;
        }
        isCounted = !leaves.add(link.cid());
        if (!isValue && !isCounted) {
            look(link);
        }
        return isValue;
    }

    private void look(Link link) {
        try {
            if (blocks.has(link.cid())) {
                below++;
            } else if (blocks.isErased(link.cid())) {
                erased++;
            } else {
                absentBelow++;
            }
        } catch (BlockException e) {
            problems.add(key.get(), Place.BELOW, e);
        }
    }

    private Optional<Block> read(Cid cid) {
        progress.run();
        try {
            Optional<Block> found = blocks.getChecked(cid);
            // A store that has lost blocks says here if this may be one of them.
            return found.isPresent() || !blocks.has(cid) ? found : blocks.getChecked(cid);
        } catch (BlockException e) {
            broken = cid;
            problems.add(key.get(), isValue ? Place.VALUE : Place.BELOW, e);
            return Optional.empty();
        }
    }

    private void sound(Block block) {
        bytes += block.size();
        if (!isCounted) {
            values += isValue ? 1 : 0;
            below += isValue ? 0 : 1;
        }
    }

    private void absent(Link link) {
        if (isCounted || (broken != null && link.cid().equals(broken))) {
            return;
        }
        if (blocks.isErased(link.cid())) {
            erased++;
            return;
        }
        absentValues += isValue ? 1 : 0;
        absentBelow += isValue ? 0 : 1;
        if (isWhole) {
            problems.add(key.get(), isValue ? Place.VALUE : Place.BELOW, new MissingBlockException(link.cid()));
        }
    }

    /** The number of values that are sound blocks. */
    public long values() {
        return values;
    }

    /** The number of values that are not in the block store, or that cannot be verified. */
    public long absentValues() {
        return absentValues;
    }

    /** The number of blocks below values that are there, and sound as far as they were read. */
    public long below() {
        return below;
    }

    /** The number of blocks below values that are not in the block store, or that cannot be verified. */
    public long absentBelow() {
        return absentBelow;
    }

    /** The number of values, and of blocks below values, that were erased for good. They are not counted as absent. */
    public long erased() {
        return erased;
    }

    /** The size of all blocks that were read, in bytes. */
    public long bytes() {
        return bytes;
    }
}
