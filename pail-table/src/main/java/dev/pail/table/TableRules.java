package dev.pail.table;

import dev.pail.Conflict;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.table.index.Declarations;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.KeyText;
import dev.pail.table.index.TableInfo;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Stream;

/**
 * The rules of tables (spec rules R6 to R9), as {@link Tables#mergeRules} returns them. A {@link java.util.ServiceLoader} finds them for
 * {@link MergeRules#installed()}, so a program that has this module merges tables right.
 *
 * <pre>{@code
 * MergeRules rules = new TableRules(); // the same as Tables.mergeRules()
 * }</pre>
 */
public final class TableRules implements MergeRules {
    static final TableRules RULES = new TableRules();

    /** For {@link java.util.ServiceLoader}. */
    public TableRules() {}

    @Override
    public boolean concern(Pail pail) {
        return Tables.mayBeIn(Objects.requireNonNull(pail, "pail"));
    }

    @Override
    public boolean concern(String key) {
        return Tables.mayHave(Objects.requireNonNull(key, "key"));
    }

    @Override
    public TableMerge compare(Pail base, Side ours, Side theirs) {
        return TableMerge.of(
                Objects.requireNonNull(base, "base"),
                ours.pail(),
                theirs.pail(),
                madeAgain(base, ours),
                madeAgain(base, theirs));
    }

    /** The tables of the base that one side has dropped and made again since. */
    private static Set<String> madeAgain(Pail base, Side side) {
        TableLineage lineage = new TableLineage(base);
        if (lineage.isEmpty()) {
            return Set.of();
        }
        Set<Cid> newest = new HashSet<>();
        try (Stream<Step> steps = side.steps()) {
            steps.forEachOrdered(step -> {
                lineage.event(step.event(), step.parents(), step.changes(), step.version());
                step.parents().forEach(newest::remove);
                newest.add(step.event());
            });
        }
        return lineage.madeAgain(newest);
    }

    @Override
    public Repair repair(Pail merged, Pail before) {
        return Tables.of(merged).repair(Objects.requireNonNull(before, "before"));
    }

    @Override
    public Pail withoutStrays(Pail replayed) {
        Tables right = Tables.of(replayed);
        for (Orphans rows : right.orphans()) {
            // A table of the other version may take their number, and the rows would become its own.
            right = rows.table().isPresent() ? right : right.deleteOrphans(rows.number());
        }
        return right.pail();
    }

    @Override
    public List<TableConflict> describe(Pail pail, List<? extends Conflict> conflicts) {
        Declarations declared = Declarations.of(Objects.requireNonNull(pail, "pail"));
        return conflicts.stream()
                .filter(conflict -> declared.tables.isEmpty() || IndexKeys.tableOf(conflict.key()) == null)
                .map(conflict -> described(declared, conflict))
                .toList();
    }

    /**
     * Names the tables and rows of keys, as {@link #describe} does those of conflicts. Leaves out entries of indexes.
     *
     * @param pail the version that has the names
     */
    public List<TableConflict> named(Pail pail, Collection<String> keys) {
        return describe(
                pail,
                keys.stream()
                        .map(key -> Conflict.of(key, Optional.empty(), Optional.empty(), Optional.empty()))
                        .toList());
    }

    private static TableConflict described(Declarations declared, Conflict conflict) {
        String key = conflict.key();
        SortedSet<String> names = declared.named(KeyText.number(key));
        TableInfo table = names.isEmpty()
                ? declared.tables.get(String.valueOf(TableInfo.name(key)))
                : declared.tables.get(names.first());
        Optional<TableInfo> found = Optional.ofNullable(table);
        return new TableConflict(
                conflict,
                found.map(info -> info.name),
                found.map(info -> key.startsWith(KeyText.ROWS) ? info.rowId(key) : null),
                Optional.empty());
    }
}
