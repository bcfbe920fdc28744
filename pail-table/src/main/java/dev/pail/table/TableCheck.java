package dev.pail.table;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The errors in the tables of a version, from a check that changes nothing.
 *
 * <pre>{@code
 * TableCheck check = Tables.of(pail).check();
 * boolean isSound = check.wrongEntries().values().stream().allMatch(count -> count == 0);
 * if (!isSound) {
 *     Pail mended = Tables.of(pail).reindex().tables().pail();
 * }
 * }</pre>
 *
 * @param wrongEntries for each table with errors, by name and in order, the number of index entries that are missing, superfluous, or
 *     of other documents
 * @param orphans the rows that belong to no table
 * @param notes a sentence for each thing that was not checked, and for rows with the same values in a unique index
 */
public record TableCheck(Map<String, Long> wrongEntries, List<Orphans> orphans, List<String> notes) {
    public TableCheck {
        wrongEntries = Collections.unmodifiableMap(new TreeMap<>(wrongEntries));
        orphans = List.copyOf(orphans);
        notes = List.copyOf(notes);
    }
}
