package dev.pail.table;

import java.util.List;
import java.util.Objects;

/**
 * What {@link Tables#repair}, {@link Tables#reindex} or {@link Tables#drop} came to (spec rule R1).
 *
 * @param tables the tables with the indexes that they must have; of the same version, if nothing had to change
 * @param added how many entries of indexes were put
 * @param removed how many were taken away
 * @param notes what was not done, or cost an index, each in a sentence
 */
public record Repair(Tables tables, long added, long removed, List<String> notes) {
    public Repair {
        Objects.requireNonNull(tables);
        notes = List.copyOf(notes);
    }
}
