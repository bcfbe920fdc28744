package dev.pail.cli;

import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;
import dev.pail.table.Orphans;
import dev.pail.table.Repair;
import dev.pail.table.TableConflict;
import dev.pail.table.TableMerge;
import dev.pail.table.Tables;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes back what an event has changed (spec rule M21). If it has changed tables, this is a merge of tables (R6 to R9): the event's
 * version is the base, and the version before it is theirs.
 */
final class TableRevert {
    private final ReplicatedPail now;
    private final Cid cid;
    private final @Nullable TableMerge tables;

    TableRevert(ReplicatedPail now, Cid cid) {
        this.now = now;
        this.cid = cid;
        Event event = now.clock().event(cid);
        boolean isOfTables = event.operation().changes().stream().anyMatch(change -> Tables.mayHave(change.key()));
        this.tables = isOfTables ? tables(now, cid, event) : null;
    }

    private static TableMerge tables(ReplicatedPail now, Cid cid, Event event) {
        MerkleClock clock = now.clock();
        Pail after = Pail.open(clock.blocks(), event.root());
        Pail before =
                event.parents().isEmpty() ? Pail.create(new MemoryBlockStore(), after.format()) : before(clock, event);
        Set<String> madeAgain = Sides.madeAgain(clock, after, now.head(), Head.of(cid));
        return TableMerge.of(after, Sides.scratch(now.pail()), before, madeAgain, Set.of());
    }

    private static Pail before(MerkleClock clock, Event event) {
        Pail before = ReplicatedPail.open(clock, Head.of(event.parents()), UnrelatedHistories.MERGE_FROM_EMPTY)
                .pail();
        if (event.parents().size() < 2) {
            return before;
        }
        // The replay of several events can leave rows under a number of no table. They would become rows of a table of
        // ours.
        Tables right = Tables.of(Sides.scratch(before));
        for (Orphans rows : right.orphans()) {
            right = rows.table().isPresent() ? right : right.deleteOrphans(rows.number());
        }
        return right.pail();
    }

    /** The tables, rows and keys that were changed since, in the order of keys; of an event that changed no tables, none. */
    List<TableConflict> conflicts() {
        return tables == null ? List.of() : tables.conflicts();
    }

    /**
     * The state that follows.
     *
     * @throws dev.pail.MergeConflictException if the policy refuses conflicts, and there are any
     */
    Sides.Merged by(MergePolicy policy) {
        if (tables == null) {
            ReplicatedPail reverted = now.revert(cid, policy);
            return new Sides.Merged(
                    reverted, new Repair(Tables.of(reverted.pail()), 0, 0, List.of(), List.of()), List.of());
        }
        Repair wanted = tables.by(policy);
        Pail right = wanted.tables().pail();
        Map<String, Optional<Cid>> changes = new TreeMap<>();
        now.pail().diff(right).keys().forEach(change -> changes.put(change.key(), change.after()));
        return new Sides.Merged(follow(changes, right), wanted, conflicts());
    }

    private ReplicatedPail follow(Map<String, Optional<Cid>> changes, Pail right) {
        Sides.keep(now.pail(), right, changes.values());
        if (changes.size() == 1) {
            Map.Entry<String, Optional<Cid>> only =
                    changes.entrySet().iterator().next();
            return only.getValue().map(to -> now.put(only.getKey(), to)).orElseGet(() -> now.delete(only.getKey()));
        }
        ReplicatedBatch batch = now.batch();
        changes.forEach((key, value) -> value.ifPresentOrElse(to -> batch.put(key, to), () -> batch.delete(key)));
        return batch.commit();
    }
}
