package dev.pail;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.walk.ChangeBudget;
import dev.pail.walk.DiffWalk;
import dev.pail.walk.ShardDiff;
import dev.pail.walk.Walk;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What is different between two versions (spec rules X1 to X7). They may have any formats, any layouts and different block
 * stores. Each method reads what it needs when it is called, and again when it is called again.
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
     * The keys that were added, changed and removed, in the order of keys. Lazy: a shard is read when the stream comes to it.
     * A shard that both versions link to under the same prefix is not read, nor is what is below it. In v0, memory goes with the
     * number of shards that are not the same but have the same keys and values: these are not compared in each of their places. Where
     * that cannot be seen, because the shards of the two versions have not the same prefixes or overlap, and there are more than a
     * million such places between two changes, the stream throws {@link MalformedShardException} (spec rule X3). After a failed read, the
     * iterator throws {@link IllegalStateException}: it skips no changes.
     */
    public Stream<KeyChange> keys() {
        return walk(() -> new DiffWalk(before.tree(), after.tree(), range.interval(), null));
    }

    /**
     * As {@link #keys}, for those who go through all of them and pass none on. Where there are more than a million, and more than 1,024 for
     * each entry of the shards of both versions, each shard counted once, the stream throws {@link MalformedShardException}: that is
     * what shards are like that make more keys than anybody can go through (spec rule X7).
     */
    public Stream<KeyChange> boundedKeys() {
        return walk(this::boundedWalk);
    }

    private DiffWalk boundedWalk() {
        ChangeBudget bound = new ChangeBudget(before.tree(), after.tree());
        return new DiffWalk(before.tree(), after.tree(), range.interval(), bound);
    }

    private Stream<KeyChange> walk(Supplier<DiffWalk> walk) {
        return before.root().equals(after.root()) ? Stream.empty() : Walk.stream(walk);
    }

    /**
     * Whether both versions have the same keys with the same values in the range of the diff. Their roots may still differ. Reads up
     * to the first change.
     */
    public boolean isEmpty() {
        return keys().findFirst().isEmpty();
    }

    /**
     * The shards that were added and removed, of the versions as a whole: a range does not narrow this. Memory goes with their number, and in v1 and v2, so does what is read.
     *
     * <p>In v0, a shard may stand in several places. To know that one which is gone from its place is nowhere else, what both
     * versions have in common must be read too, each shard once, unless only the root shards differ.
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
