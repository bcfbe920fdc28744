package dev.pail.cli;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Conflict;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Two states of a replicated pail that are to become one, and where they parted. What merging makes is stored in the block store
 * of {@code ours}.
 */
final class Sides {
    private final ReplicatedPail ours;
    private final Head theirs;
    private final Head joined;

    /**
     * @param unrelated what becomes of histories that began apart from each other
     */
    Sides(ReplicatedPail ours, Head theirs, UnrelatedHistories unrelated) {
        this.ours = ours.with(unrelated);
        this.theirs = theirs;
        this.joined = ours.clock().merge(ours.head(), theirs);
    }

    /** Whether one side holds all that the other does, so that there is nothing to choose. */
    boolean isForward() {
        return joined.equals(ours.head()) || joined.equals(theirs);
    }

    /** Why the root of ours cannot be read; null if it can. */
    @Nullable
    BlockException lost() {
        try {
            ours.pail();
            return null;
        } catch (BlockException e) {
            return e;
        }
    }

    /** The merge that all replicas agree on: operations that were done side by side are replayed in the order of the clock. */
    ReplicatedPail merge() {
        return ours.merge(theirs);
    }

    /**
     * The three-way merge. Where the order of the clock has another result, events that follow both sides correct it; so all
     * replicas come to the result of this one.
     *
     * @throws MergeConflictException if the policy refuses conflicts, and there are any
     */
    ReplicatedPail merge(MergePolicy policy) {
        if (isForward()) {
            return merge();
        }
        // Only the entries of this matter: its shards are stored as the events make them.
        BlockStore scratch = new Overlay(ours.pail().blocks());
        Pail base = base();
        Pail their = theirPail();
        Pail wanted = Pail.merge(base, Pail.open(scratch, ours.root()), their, policy);
        ReplicatedPail merged = merge();
        Map<String, Optional<Cid>> corrections = new TreeMap<>();
        base.conflicts(ours.pail(), their)
                .forEach(conflict -> corrections.put(conflict.key(), wanted.get(conflict.key())));
        merged.pail().diff(wanted).keys().forEach(change -> corrections.put(change.key(), change.after()));
        ReplicatedBatch batch = merged.batch();
        corrections.forEach((key, value) -> value.ifPresentOrElse(cid -> batch.put(key, cid), () -> batch.delete(key)));
        return batch.commit();
    }

    /** The keys that both sides have changed since they parted, and not in the same way, in order. */
    List<Conflict> conflicts() {
        return isForward() ? List.of() : base().conflicts(ours.pail(), theirPail());
    }

    /** The version of all that both know, so that what only one knows is its change; an empty one, if their histories began apart. */
    private Pail base() {
        Head common = ours.clock().common(ours.head(), theirs);
        return common.isEmpty()
                ? Pail.create(new MemoryBlockStore(), ours.pail().format())
                : pail(common);
    }

    /** The version of the other side. */
    Pail theirPail() {
        return pail(theirs);
    }

    private Pail pail(Head head) {
        return ReplicatedPail.open(ours.clock(), head, UnrelatedHistories.MERGE_FROM_EMPTY)
                .pail();
    }
}
