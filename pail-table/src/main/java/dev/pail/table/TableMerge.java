package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Conflict;
import dev.pail.Entry;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.table.index.Declarations;
import dev.pail.table.index.Duplicates;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.merge.MergePlan;
import dev.pail.table.merge.MergedTables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A three-way merge of versions with tables (spec rules R6 to R9). Unlike a merge of keys, it recognizes the rows of a table that
 * one side dropped, merges the indexes of a table as a set, and derives index entries from rows.
 *
 * <p>If both sides have changed a row, a policy decides, or the version that a clock has replayed. Everything else is symmetric: replicas
 * get the same result, whichever side is ours.
 *
 * <p>The cost is proportional to the changes of both sides, plus one read for each table. If the merged schema of a table is that of
 * neither side, all its rows are read. Immutable and safe for use by several threads,
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
    private final List<TableConflict> conflicts;

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
        this.conflicts = new ArrayList<>(plan.conflicts);
        if (canRowsDisagree()) {
            // Which rows the merged version has is known when it is made.
            Pail trial = merged(MergePolicy.ours());
            Duplicates.of(ours, theirs, trial).forEach(found -> conflicts.add(conflict(found)));
            misfits(trial).forEach(found -> conflicts.add(conflict(found)));
            conflicts.sort(Comparator.comparing(TableConflict::key));
        }
    }

    /** Rows that the merge keeps (spec rule R12). */
    private static TableConflict conflict(Duplicates.Found found) {
        List<Entry> entries = found.entries();
        Conflict conflict = Conflict.of(
                entries.get(0).key(),
                Optional.empty(),
                Optional.of(IndexKeys.document(entries.get(0).value())),
                Optional.of(IndexKeys.document(entries.get(1).value())));
        return new TableConflict(
                conflict,
                Optional.of(found.table()),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new TableConflict.Duplicate(found.index(), found.values(), found.rows())),
                Optional.empty());
    }

    /** A row that the merge keeps (spec rule R14). */
    private TableConflict conflict(SchemaRows.Misfit found) {
        String key = found.entry().key();
        return conflict(found, Conflict.of(key, base.get(key), ours.get(key), theirs.get(key)));
    }

    private static TableConflict conflict(SchemaRows.Misfit found, Conflict values) {
        return new TableConflict(
                values,
                Optional.of(found.table()),
                Optional.of(found.row()),
                Optional.empty(),
                Optional.empty(),
                Optional.of(found.why()));
    }

    /**
     * Finds the rows of a version that a merge kept although they break a rule of their table: rows with the same values in a unique index,
     * whose conflicts have the documents of two of the rows as both sides, and rows that do not fit the schema, whose conflicts have their document as
     * both. Each stays until someone changes the rows. Reads all entries of unique indexes, and all rows of tables with a schema.
     *
     * @param most at most as many of each index and of each schema; others are left out
     */
    public static List<TableConflict> kept(Pail version, int most) {
        Objects.requireNonNull(version, "version");
        List<TableConflict> kept = new ArrayList<>();
        Declarations declared = Declarations.of(version);
        declared.tables.values().stream()
                .filter(info -> !declared.isShared(info.number))
                .forEach(info -> {
                    info.indexes.stream()
                            .filter(index -> index.name.index().isUnique())
                            .flatMap(index ->
                                    Duplicates.in(version, index).stream().limit(most))
                            .forEach(found -> kept.add(conflict(found)));
                    SchemaRows.misfits(version, info, most).forEach(found -> {
                        Optional<Cid> value = Optional.of(found.entry().value());
                        kept.add(conflict(found, Conflict.of(found.entry().key(), Optional.empty(), value, value)));
                    });
                });
        return kept;
    }

    /** Rows that fit the schema of their side, and not that of both. */
    private List<SchemaRows.Misfit> misfits(Pail merged) {
        return SchemaRows.misfits(plan.sides.get(0), plan.sides.get(1), merged);
    }

    /** Whether rows that each side may have alone may not be there together. */
    private boolean canRowsDisagree() {
        return plan.sides.stream().anyMatch(side -> Duplicates.canBeIn(side) || SchemaRows.canBeIn(side));
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
        return List.copyOf(conflicts);
    }

    /**
     * Makes the merged version from ours.
     *
     * @param policy decides conflicts of rows and of other keys. A table that one side dropped and the other wrote to stays, and so do rows with
     *     the same values in a unique index, and rows that do not fit their schema
     * @throws MergeConflictException if the policy refuses conflicts, and there are any. Nothing was stored but unused blocks of a trial, if a
     *     table has a unique index or a schema
     */
    @Override
    public Repair by(MergePolicy policy) {
        if (policy.isFailing() && !conflicts.isEmpty()) {
            throw new MergeConflictException(conflicts, "changes");
        }
        return onto(keys(policy));
    }

    private Pail merged(MergePolicy policy) {
        return repaired(new MergedTables(plan, keys(policy)).done()).tables().pail();
    }

    private Pail keys(MergePolicy policy) {
        Map<String, Conflict> found = new HashMap<>();
        plan.conflicts.forEach(conflict -> found.put(conflict.key(), conflict));
        MergePolicy ofOthers = MergePolicy.resolve(conflict ->
                policy.isFailing() || plan.isDecided(conflict.key()) || plan.byFields.containsKey(conflict.key())
                        ? conflict.ours()
                        : policy.value(found.getOrDefault(conflict.key(), conflict)));
        return Pail.merge(base, ours, theirs, ofOthers);
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
        Repair repair = repaired(right);
        List<String> notes = new ArrayList<>(moves.notes());
        notes.addAll(repair.notes());
        if (canRowsDisagree()) {
            Pail both = repair.tables().pail();
            Duplicates.of(ours, theirs, both).forEach(found -> notes.add(found.text()));
            notes.addAll(SchemaRows.notes(misfits(both)));
        }
        return new Repair(repair.tables(), repair.added(), repair.removed(), notes, moves.orphans());
    }

    private Repair repaired(Pail right) {
        return Tables.of(right).repair(ours);
    }
}
