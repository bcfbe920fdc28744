package dev.pail.cli;

import dev.pail.BlockException;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.Operation;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;
import dev.pail.table.Repair;
import dev.pail.table.TableConflict;
import dev.pail.table.TableLineage;
import dev.pail.table.TableMerge;
import dev.pail.table.Tables;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private final @Nullable TableMerge tables;

    /** @param conflicts what both sides have changed since they parted, and not in the same way, in the order of keys */
    record Merged(ReplicatedPail state, Repair repair, List<TableConflict> conflicts) {}

    /**
     * @param unrelated what becomes of histories that began apart from each other
     */
    Sides(ReplicatedPail ours, Head theirs, UnrelatedHistories unrelated) {
        this.ours = ours.with(unrelated);
        this.theirs = theirs;
        this.joined = ours.clock().merge(ours.head(), theirs);
        this.tables = isForward() || lost() != null ? null : tables();
    }

    /** Whether one side holds all that the other does, so that there is nothing to choose. */
    private boolean isForward() {
        return joined.equals(ours.head()) || joined.equals(theirs);
    }

    /** Why the root of ours cannot be read; null if it can. */
    @Nullable
    BlockException lost() {
        try {
            Pail unused = ours.pail();
            return null;
        } catch (BlockException e) {
            return e;
        }
    }

    /** The keys that both sides have changed since they parted, and not in the same way, in order. */
    List<TableConflict> conflicts() {
        return tables == null ? List.of() : tables.conflicts();
    }

    /**
     * Merges. Without a policy, all replicas agree on the outcome: operations that were done side by side are replayed in the order of
     * the clock, and an event that follows makes tables right. With one, this is the three-way merge. Where the order of the clock has
     * another result, events that follow both sides correct it; so all replicas come to the result of this one.
     *
     * @throws MergeConflictException if the policy refuses conflicts, and there are any
     */
    Merged merge(@Nullable MergePolicy policy) {
        ReplicatedPail merged = ours.merge(theirs);
        if (tables == null) {
            if (policy != null && !isForward()) {
                // A policy compares versions: say which block of ours is lost.
                Pail unused = ours.pail();
            }
            Pail before = ours.head().isEmpty() ? merged.pail() : lost() == null ? ours.pail() : pail(theirs);
            return corrected(merged, Tables.of(merged.pail()).repair(before), Map.of());
        }
        if (policy == null) {
            return corrected(merged, tables.onto(scratch(merged.pail())), Map.of());
        }
        Repair wanted = tables.by(policy);
        Map<String, Optional<Cid>> chosen = new TreeMap<>();
        for (TableConflict found : tables.conflicts()) {
            String key = found.conflict().key();
            chosen.put(key, wanted.tables().pail().get(key));
        }
        return corrected(merged, wanted, chosen);
    }

    /** The state that follows by events of its own: the same, if nothing has to change. */
    private Merged corrected(ReplicatedPail merged, Repair wanted, Map<String, Optional<Cid>> chosen) {
        Map<String, Optional<Cid>> corrections = new TreeMap<>(chosen);
        Pail right = wanted.tables().pail();
        merged.pail().diff(right).keys().forEach(change -> corrections.put(change.key(), change.after()));
        ReplicatedBatch batch = merged.batch();
        corrections.forEach((key, value) -> value.ifPresentOrElse(cid -> batch.put(key, cid), () -> batch.delete(key)));
        keep(merged.pail(), right, corrections.values());
        return new Merged(batch.commit(), wanted, conflicts());
    }

    /** Stores the values that a merge made. */
    static void keep(Pail merged, Pail right, Collection<Optional<Cid>> values) {
        if (right.blocks() instanceof Overlay scratch) {
            values.forEach(value -> value.flatMap(scratch::added).ifPresent(merged.blocks()::put));
        }
    }

    /** A version of which only the entries matter: its shards are stored as the events make them. */
    static Pail scratch(Pail pail) {
        return Pail.open(new Overlay(pail.blocks()), pail.root());
    }

    private TableMerge tables() {
        Pail base = base();
        return TableMerge.of(
                base,
                scratch(ours.pail()),
                pail(theirs),
                madeAgain(ours.clock(), base, ours.head(), theirs),
                madeAgain(ours.clock(), base, theirs, ours.head()));
    }

    /** The version of all that both know, so that what only one knows is its change; an empty one, if their histories began apart. */
    private Pail base() {
        Head common = ours.clock().common(ours.head(), theirs);
        return common.isEmpty()
                ? Pail.create(new MemoryBlockStore(), ours.pail().format())
                : pail(common);
    }

    /** The tables of a base that one side has dropped and made again since. */
    static Set<String> madeAgain(MerkleClock clock, Pail base, Head side, Head other) {
        TableLineage lineage = new TableLineage(base);
        if (lineage.isEmpty()) {
            return Set.of();
        }
        for (Cid cid : clock.since(side, other)) {
            Event event = clock.event(cid);
            lineage.event(
                    cid,
                    event.parents(),
                    event.operation().changes().stream().map(Sides::change).toList(),
                    () -> Pail.open(clock.blocks(), event.root()));
        }
        return lineage.madeAgain(side.events());
    }

    private static Map.Entry<String, Optional<Cid>> change(Operation.Change change) {
        return Map.entry(
                change.key(), change instanceof Operation.Put put ? Optional.of(put.value()) : Optional.empty());
    }

    private Pail pail(Head head) {
        return ReplicatedPail.open(ours.clock(), head, UnrelatedHistories.MERGE_FROM_EMPTY)
                .pail();
    }
}
