package dev.pail.table;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is not right in the tables of a version, found without changing anything.
 *
 * <pre>{@code
 * TableCheck check = Tables.of(pail).check();
 * boolean isSound = check.wrongEntries().values().stream().allMatch(count -> count == 0);
 * if (!isSound) {
 *     Pail mended = Tables.of(pail).reindex().tables().pail();
 * }
 * }</pre>
 *
 * @param wrongEntries by name of a table, in order, how many entries of its indexes are missing, too many or those of other documents; none, if
 *     they are as the rows ask for
 * @param orphans the rows that belong to no table
 * @param notes what was not looked at, each in a sentence
 */
public record TableCheck(Map<String, Long> wrongEntries, List<Orphans> orphans, List<String> notes) {
    public TableCheck {
        wrongEntries = Collections.unmodifiableMap(new TreeMap<>(wrongEntries));
        orphans = List.copyOf(orphans);
        notes = List.copyOf(notes);
    }
}
