package dev.pail.table;

import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.table.index.EscapedText;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.TableInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The values that rows have in unique indexes, those of a batch and those of a new index (Rule T12). Rows are named by their ids as escaped text. */
final class UniqueValues {
    /** The row that the batch has given a value: by what the keys of its entries start with. */
    private final Map<String, String> rows = new HashMap<>();

    /**
     * Refuses a row with a value that another row has, before the batch or by it.
     *
     * @param now what each index has of the row
     * @param isUntouched whether the batch has neither changed nor removed a row
     */
    void check(
            Pail base,
            TableInfo info,
            String row,
            List<Optional<IndexKeys.Indexed>> now,
            Predicate<String> isUntouched) {
        for (int i = 0; i < now.size(); i++) {
            IndexKeys index = info.indexes.get(i);
            now.get(i).stream()
                    .flatMap(indexed -> indexed.values().stream())
                    .filter(index::isUnique)
                    .forEach(value -> check(base, info, index, row, value, isUntouched));
        }
    }

    private void check(
            Pail base, TableInfo info, IndexKeys index, String row, byte[] value, Predicate<String> isUntouched) {
        String other = rows.get(index.entriesWith(value));
        other = other == null ? index.otherRow(base, info.rows, value, row, isUntouched) : other;
        if (other != null && !other.equals(row)) {
            throw index.notUnique(value, info.rowId(info.rows + row), info.rowId(info.rows + other));
        }
    }

    /** All entries of a new index, in the order of keys, in which a batch is faster. */
    static List<Entry> entries(IndexKeys index, Stream<Row> all) {
        List<Entry> entries = new ArrayList<>();
        // The first row with a value.
        Map<String, String> first = new HashMap<>();
        try (Stream<Row> rows = all) {
            rows.forEachOrdered(row -> index.indexed(row.id(), row.cid(), row.document()::at)
                    .ifPresent(indexed -> {
                        for (byte[] value : indexed.values()) {
                            String start = index.isUnique(value) ? index.entriesWith(value) : null;
                            String other = start == null ? null : first.putIfAbsent(start, row.id());
                            if (other != null) {
                                throw index.notUnique(value, row.id(), other);
                            }
                        }
                        entries.addAll(index.entriesOf(indexed, EscapedText.of(row.id())));
                    }));
        }
        entries.sort(Comparator.comparing(Entry::key));
        return entries;
    }

    /** Notes that a row has values. */
    void add(TableInfo info, String row, List<Optional<Cid>> values) {
        forEach(info, values, start -> rows.put(start, row));
    }

    /** Notes that a row has the values no longer. */
    void remove(TableInfo info, String row, List<Optional<Cid>> values) {
        forEach(info, values, start -> rows.remove(start, row));
    }

    void clear() {
        rows.clear();
    }

    private static void forEach(TableInfo info, List<Optional<Cid>> values, Consumer<String> action) {
        for (int i = 0; i < values.size(); i++) {
            IndexKeys index = info.indexes.get(i);
            if (index.name.index().isUnique()) {
                values.get(i).stream()
                        .flatMap(reverse -> IndexKeys.values(reverse).stream())
                        .filter(index::isUnique)
                        .forEach(value -> action.accept(index.entriesWith(value)));
            }
        }
    }
}
