package dev.pail.table.index;

import dev.pail.Entry;
import dev.pail.KeyChange;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.table.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Rows with the same values in a unique index: a merge of two sides can bring them together (Rule R12). */
public final class Duplicates {
    private Duplicates() {}

    /**
     * Rows with the same values.
     *
     * @param values in JSON
     * @param rows the ids, at least two
     * @param entries the entries of these rows in the index
     */
    public record Found(String table, Index index, String values, List<String> rows, List<Entry> entries) {
        /** The rows and what they share, in words. */
        public String text() {
            return "the rows "
                    + String.join(" and ", rows.stream().map(TableText::quoted).toList()) + " of the table "
                    + TableText.quoted(table) + " have " + values + " in " + TableText.indexOn(index)
                    + ", which is unique";
        }
    }

    /** Whether a version has a unique index. */
    public static boolean canBeIn(Declarations declared) {
        return declared.tables.values().stream()
                .flatMap(info -> info.indexes.stream())
                .anyMatch(index -> index.name.index().isUnique());
    }

    /** Finds those of a merged version, with right entries, that neither side has. */
    public static List<Found> of(Pail ours, Pail theirs, Pail merged) {
        List<IndexKeys> unique = new ArrayList<>();
        SortedMap<String, TableInfo> tables = Declarations.of(merged).tables;
        tables.values()
                .forEach(info -> info.indexes.stream()
                        .filter(index -> index.name.index().isUnique())
                        .forEach(unique::add));
        if (unique.isEmpty()) {
            return List.of();
        }
        SortedMap<String, IndexKeys> values = new TreeMap<>();
        try (Stream<KeyChange> keys = ours.diff(merged).boundedKeys()) {
            keys.filter(change -> change.after().isPresent())
                    .forEachOrdered(change -> unique.stream()
                            .filter(index -> change.key().startsWith(index.entries))
                            .forEach(index ->
                                    index.uniqueStart(change.key()).ifPresent(start -> values.put(start, index))));
        }
        List<Found> all = new ArrayList<>();
        values.forEach((start, index) -> {
            List<Entry> entries = entries(merged, start);
            if (isNew(entries, ours, theirs)) {
                all.add(found(index, entries));
            }
        });
        return all;
    }

    /** Finds all in one index. */
    public static List<Found> in(Pail pail, IndexKeys index) {
        List<Found> all = new ArrayList<>();
        List<Entry> same = new ArrayList<>();
        String[] last = {""};
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(index.entries))) {
            entries.forEachOrdered(entry -> {
                String start = index.uniqueStart(entry.key()).orElse("");
                if (!start.equals(last[0])) {
                    add(all, index, same);
                    same.clear();
                    last[0] = start;
                }
                if (!start.isEmpty()) {
                    same.add(entry);
                }
            });
        }
        add(all, index, same);
        return all;
    }

    private static void add(List<Found> all, IndexKeys index, List<Entry> same) {
        if (same.size() > 1) {
            all.add(found(index, same));
        }
    }

    private static List<Entry> entries(Pail pail, String start) {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(start))) {
            return entries.filter(entry -> IndexKeys.rowOf(entry.key()).isPresent())
                    .toList();
        }
    }

    /** Whether two entries are neither both in ours nor both in theirs. */
    private static boolean isNew(List<Entry> entries, Pail ours, Pail theirs) {
        for (Entry one : entries) {
            for (Entry other : entries) {
                boolean areInOurs = has(ours, one) && has(ours, other);
                if (!one.equals(other) && !areInOurs && !(has(theirs, one) && has(theirs, other))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean has(Pail side, Entry entry) {
        return side.get(entry.key()).isPresent();
    }

    private static Found found(IndexKeys index, List<Entry> entries) {
        List<String> rows = entries.stream()
                .map(entry -> KeyText.text(
                        EscapedText.bytes(IndexKeys.rowOf(entry.key()).orElse(""), 0)))
                .map(String::valueOf)
                .toList();
        return new Found(
                index.table,
                index.name.index(),
                index.valuesText(index.valueOf(entries.get(0).key())),
                rows,
                List.copyOf(entries));
    }
}
