package dev.pail;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.walk.ChangeBudget;
import dev.pail.walk.DiffWalk;
import dev.pail.walk.ShardDiff;
import dev.pail.walk.Walk;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The differences between two versions (spec rules X1 to X7). They may have any formats, any layouts and different block
 * stores. Each call of a method reads the shards that it needs.
 *
 * <p>Immutable and safe for use by several threads, if the block stores are. All methods may throw what reading a
 * {@link Pail} throws.
 *
 * <pre>{@code
 * PailDiff diff = pail.diff(pail.put("title", value).delete("draft"));
 * List<KeyChange> changes = diff.keys().toList(); // in the order of keys
 * Set<Cid> toSend = diff.shards().added(); // the blocks that a replica with the old version lacks
 * }</pre>
 */
@CheckReturnValue
public final class PailDiff {
    private final Pail before;
    private final Pail after;
    private final KeyRange range;

    PailDiff(Pail before, Pail after, KeyRange range) {
        this.before = before;
        this.after = after;
        this.range = range;
    }

    /**
     * Returns the keys that were added, changed and removed, in the order of keys. Lazy: the stream reads a shard when it reaches it. It
     * reads neither a shard that both versions link to under the same prefix nor the shards below it.
     *
     * <p>In v0, two different shards may have the same keys and values. The stream remembers such pairs, to compare them once and not in
     * each of their places; its memory is proportional to their number. It cannot recognize a pair if the prefixes of the shards differ or
     * the shards overlap. After more than a million such places between two changes, it throws {@link MalformedBlockException} (spec rule
     * X3). After a failed read, the iterator throws {@link IllegalStateException}: it skips no changes.
     */
    public Stream<KeyChange> keys() {
        return walk(() -> new DiffWalk(before.tree(), after.tree(), range.interval(), null));
    }

    /**
     * As {@link #keys}, but bounded, for a caller that goes through all keys at once. A few hostile shards can make more keys than any
     * reader can go through. So the stream throws {@link MalformedBlockException} after a million keys, if there are also more than 1,024
     * for each entry of the shards of both versions; each shard counts once (spec rule X7).
     */
    public Stream<KeyChange> boundedKeys() {
        return walk(this::boundedWalk);
    }

    private DiffWalk boundedWalk() {
        ChangeBudget bound = new ChangeBudget(before.tree(), after.tree());
        return new DiffWalk(before.tree(), after.tree(), range.interval(), bound);
    }

    private Stream<KeyChange> walk(Supplier<DiffWalk> walk) {
        if (before.root().equals(after.root())) {
            return Stream.empty();
        }
        return Walk.stream(() -> {
            before.willCompare(after, range);
            return walk.get();
        });
    }

    /**
     * Whether both versions have the same keys with the same values in the range of the diff. Their roots may still differ. Reads up
     * to the first change.
     */
    public boolean isEmpty() {
        return keys().findFirst().isEmpty();
    }

    /**
     * Returns the shards that were added and removed in the whole versions: a range does not narrow this. Memory is proportional to their
     * number; in v1 and v2, so is the number of shards that are read.
     *
     * <p>In v0, a shard may be in several places. To know whether a removed shard is still somewhere else, this also reads all shards that
     * both versions share, each once, unless only the root shards differ.
     */
    public ShardChanges shards() {
        return new ShardDiff(before.tree(), after.tree()).changes();
    }

    /** Both versions. */
    @Override
    public String toString() {
        return "diff of " + before + " and " + after;
    }
}
