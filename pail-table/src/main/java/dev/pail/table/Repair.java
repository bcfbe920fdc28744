package dev.pail.table;

import dev.pail.MergeRules;
import dev.pail.Pail;
import java.util.List;
import java.util.Objects;

/**
 * The result of {@link Tables#repair}, {@link Tables#reindex}, {@link Tables#drop} or {@link TableMerge} (spec rule R1).
 *
 * <pre>{@code
 * Repair repair = Tables.of(pail).reindex();
 * System.out.println(repair.added() + " entries added, " + repair.removed() + " removed");
 * repair.notes().forEach(System.out::println);
 * Pail next = repair.tables().pail();
 * }</pre>
 *
 * @param tables the tables with correct indexes; of the same version, if nothing had to change
 * @param added the number of index entries that were put
 * @param removed the number of index entries that were removed
 * @param notes a sentence for each thing that was not done, for each lost index, and for each dropped table
 * @param orphans the rows that this merge has kept under numbers that no table has
 */
public record Repair(Tables tables, long added, long removed, List<String> notes, List<Orphans> orphans)
        implements MergeRules.Outcome {
    public Repair {
        Objects.requireNonNull(tables, "tables");
        notes = List.copyOf(notes);
        orphans = List.copyOf(orphans);
    }

    Repair(Tables tables, long added, long removed, List<String> notes) {
        this(tables, added, removed, notes, List.of());
    }

    /** The version of {@link #tables}. */
    @Override
    public Pail pail() {
        return tables.pail();
    }
}
