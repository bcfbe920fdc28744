package dev.pail.table.index;

import dev.pail.CorruptBlockException;
import dev.pail.Entry;
import dev.pail.KeyNotAllowedException;
import dev.pail.KeyRange;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.table.FieldPath;
import dev.pail.table.Orphans;
import dev.pail.table.TableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares index entries with rows (spec rules T5 and T6), one row after the other, and counts. For one use. */
public final class IndexCheck {
    private final Pail pail;
    private final Documents documents;
    private final Declarations declared;

    /** By table, how many entries there are at keys that a row asks for. */
    private final Map<String, Long> asked = new HashMap<>();

    private final SortedMap<String, Long> wrong = new TreeMap<>();
    private final SortedSet<String> notes = new TreeSet<>();

    public IndexCheck(Pail pail, Documents documents) {
        this.pail = pail;
        this.documents = documents;
        this.declared = Declarations.of(pail);
    }

    /** Returns for each table with errors the number of wrong entries. */
    public SortedMap<String, Long> check() {
        declared.tables.values().forEach(info -> {
            if (declared.isShared(info.number)) {
                notes.add(TableText.sharing(declared.named(info.number)));
            } else if (!info.indexes.isEmpty()) {
                info.forEachRow(pail, entry -> row(info, entry));
                info.indexes.stream()
                        .filter(index -> index.name.index().isUnique())
                        .flatMap(index -> Duplicates.in(pail, index).stream())
                        .forEach(found -> notes.add(found.text() + " (R12)"));
            }
        });
        Map<String, Long> there = new HashMap<>();
        count(IndexKeys.ALL_ENTRIES, there);
        count(IndexKeys.ALL_REVERSE, there);
        there.forEach((name, count) -> {
            TableInfo info = declared.table(name);
            boolean isLookedAt =
                    !declared.unreadable.containsKey(name) && (info == null || !declared.isShared(info.number));
            if (isLookedAt) {
                add(wrong, name, count - asked.getOrDefault(name, 0L));
            }
        });
        wrong.values().removeIf(count -> count == 0);
        return wrong;
    }

    /** The rows that belong to no table. */
    public List<Orphans> orphans() {
        List<Orphans> orphans = new ArrayList<>(OrphanRows.of(pail));
        // Without a table, other keys may start so.
        orphans.removeIf(found -> declared.tables.isEmpty() && found.table().isEmpty());
        return orphans;
    }

    /** A sentence for each thing that was not checked, and for rows with the same values in a unique index. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    private static void add(Map<String, Long> to, String name, long count) {
        to.merge(name, count, Long::sum);
    }

    private void count(String prefix, Map<String, Long> there) {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(prefix))) {
            entries.forEachOrdered(entry -> {
                String table = IndexKeys.tableOf(entry.key());
                if (table != null) {
                    add(there, table, 1);
                }
            });
        }
    }

    private void row(TableInfo info, Entry entry) {
        String row = entry.key().substring(info.rows.length());
        String id = String.valueOf(info.rowId(entry.key()));
        Function<FieldPath, @Nullable Object> document = document(entry, id);
        for (IndexKeys index : info.indexes) {
            if (document == null) {
                pail.get(index.reverse + row).ifPresent(value -> unknown(info, index, row, entry.value(), value));
                continue;
            }
            try {
                index.indexed(id, entry.value(), document)
                        .ifPresent(indexed -> index.entriesOf(indexed, row).forEach(wanted -> {
                            pail.format().checkKey(wanted.key());
                            compare(info, wanted);
                        }));
            } catch (TableException | KeyNotAllowedException e) {
                // An index that a row does not fit in.
                add(wrong, info.name, 1);
            }
        }
    }

    private @Nullable Function<FieldPath, @Nullable Object> document(Entry entry, String id) {
        try {
            return documents.fields(entry.key(), id, entry.value());
        } catch (MissingBlockException | CorruptBlockException | TableException e) {
            return null;
        }
    }

    private void compare(TableInfo info, Entry wanted) {
        Optional<Cid> value = pail.get(wanted.key());
        if (value.isPresent()) {
            add(asked, info.name, 1);
        }
        if (!value.equals(Optional.of(wanted.value()))) {
            add(wrong, info.name, 1);
        }
    }

    /** The entries of a row whose document is not here are taken for right, if they agree with each other. */
    private void unknown(TableInfo info, IndexKeys index, String row, Cid document, Cid reverse) {
        add(asked, info.name, 1);
        for (byte[] value : IndexKeys.values(reverse)) {
            Optional<Cid> entry = pail.get(index.entry(value, row));
            boolean isRight = entry.map(IndexKeys::document).equals(Optional.of(document));
            add(asked, info.name, entry.isPresent() ? 1 : 0);
            add(wrong, info.name, isRight ? 0 : 1);
        }
    }
}
