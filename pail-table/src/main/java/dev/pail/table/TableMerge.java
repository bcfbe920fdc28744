package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Conflict;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.table.index.Declarations;
import dev.pail.table.merge.MergePlan;
import dev.pail.table.merge.MergedTables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A three-way merge of versions with tables (spec rules R6 to R9). Unlike a merge of keys, it recognizes the rows of a table that
 * one side dropped, merges the indexes of a table as a set, and derives index entries from rows.
 *
 * <p>If both sides have changed a row, a policy decides, or the version that a clock has replayed. Everything else is symmetric: replicas
 * get the same result, whichever side is ours.
 *
 * <p>The cost is proportional to the changes of both sides, plus one read for each table. Immutable and safe for use by several threads,
 * if the block stores are. All methods may throw what reading a {@link Pail} throws.
 *
 * <pre>{@code
 * TableMerge merge = TableMerge.of(base, ours, theirs);
 * merge.conflicts().forEach(conflict -> System.err.println(conflict.subject()));
 * Repair repair = merge.by(MergePolicy.theirs());
 * Pail merged = repair.tables().pail(); // with indexes that fit the rows
 * }</pre>
 */
@CheckReturnValue
public final class TableMerge implements MergeRules.Comparison {
    private final Pail base;
    private final Pail ours;
    private final Pail theirs;
    private final MergePlan plan;

    private TableMerge(Pail base, Pail ours, Pail theirs, Set<String> madeByOurs, Set<String> madeByTheirs) {
        this.base = base;
        this.ours = ours;
        this.theirs = theirs;
        this.plan = new MergePlan(
                Declarations.of(base),
                Declarations.of(ours),
                Declarations.of(theirs),
                List.of(madeByOurs, madeByTheirs),
                (before, our, their) -> Document.merge(before.map(Document::of), Document.of(our), Document.of(their))
                        .map(Document::block));
    }

    /**
     * Compares versions without their history. A table with the same number as one of the base counts as that table.
     *
     * <pre>{@code
     * Repair merged = TableMerge.of(base, ours, theirs).by(MergePolicy.ours());
     * Tables tables = merged.tables();
     * }</pre>
     *
     * <p>In a repository, use {@link Tables#mergeRules}: the other branch then becomes a part of the history.
     */
    public static TableMerge of(Pail base, Pail ours, Pail theirs) {
        return of(base, ours, theirs, Set.of(), Set.of());
    }

    /**
     * Compares versions with a known history.
     *
     * @param base the common version of both sides (spec rule M20); an empty pail, if there is none
     * @param madeByOurs names of tables that our side has dropped and created again since: {@link TableLineage} finds them
     * @param madeByTheirs the same for their side
     */
    public static TableMerge of(Pail base, Pail ours, Pail theirs, Set<String> madeByOurs, Set<String> madeByTheirs) {
        return new TableMerge(
                Objects.requireNonNull(base, "base"),
                Objects.requireNonNull(ours, "ours"),
                Objects.requireNonNull(theirs, "theirs"),
                Set.copyOf(madeByOurs),
                Set.copyOf(madeByTheirs));
    }

    /** Returns the conflicts in the order of keys: each table and each row once, and other keys. */
    @Override
    public List<TableConflict> conflicts() {
        return List.copyOf(plan.conflicts);
    }

    /**
     * Makes the merged version from ours.
     *
     * @param policy decides conflicts of rows and of other keys. A table that one side dropped and the other wrote to stays
     * @throws MergeConflictException if the policy refuses conflicts, and there are any. Nothing was stored
     */
    @Override
    public Repair by(MergePolicy policy) {
        if (policy.isFailing() && !plan.conflicts.isEmpty()) {
            throw new MergeConflictException(plan.conflicts, "changes");
        }
        Map<String, Conflict> found = new HashMap<>();
        plan.conflicts.forEach(conflict -> found.put(conflict.key(), conflict));
        MergePolicy ofOthers = MergePolicy.resolve(conflict ->
                policy.isFailing() || plan.isDecided(conflict.key()) || plan.byFields.containsKey(conflict.key())
                        ? conflict.ours()
                        : policy.value(found.getOrDefault(conflict.key(), conflict)));
        return onto(Pail.merge(base, ours, theirs, ofOthers));
    }

    /**
     * Repairs the tables of a merged version.
     *
     * @param merged the version that a merge of keys or a replay of events has made from both sides. If both have changed a row, this
     *     version's value stays
     */
    @Override
    public Repair onto(Pail merged) {
        MergedTables moves = new MergedTables(plan, Objects.requireNonNull(merged, "merged"));
        Pail right = moves.done();
        Repair repair = Tables.of(right).repair(ours);
        List<String> notes = new ArrayList<>(moves.notes());
        notes.addAll(repair.notes());
        return new Repair(repair.tables(), repair.added(), repair.removed(), notes, moves.orphans());
    }
}
