package dev.pail.table.index;

import dev.pail.Batch;
import dev.pail.CorruptBlockException;
import dev.pail.Entry;
import dev.pail.KeyChange;
import dev.pail.KeyNotAllowedException;
import dev.pail.KeyRange;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.FieldPath;
import dev.pail.table.TableException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the entries of indexes those that the rows ask for, and no others (Rule R1). What comes out depends on the
 * version alone: which rows are looked at is only a matter of cost. For one use.
 */
public final class IndexRepair {
    private final Pail pail;

    /** A version whose tables are right; null, if none is known. */
    private final @Nullable Pail before;

    private final Documents documents;
    private final Declarations declared;

    /** Of each table the rows to look at, each with keys of entries that may be there for it. */
    private final Map<String, Map<String, Set<String>>> rows = new TreeMap<>();

    private final Set<String> whole = new TreeSet<>();
    private final SortedMap<String, Optional<Cid>> changes = new TreeMap<>();
    private final List<Block> blocks = new ArrayList<>();
    private final SortedSet<String> notes = new TreeSet<>();
    private long added;
    private long removed;

    public IndexRepair(Pail pail, @Nullable Pail before, Documents documents) {
        this.pail = pail;
        this.documents = documents;
        this.before = before;
        this.declared = Declarations.of(pail);
    }

    /** Looks at what is not as in the version before. Rule R5. */
    public RepairedIndexes ofChanges(Pail old) {
        try (Stream<KeyChange> keys = old.diff(pail).boundedKeys()) {
            keys.forEachOrdered(change -> changed(old, change));
        }
        whole.forEach(this::lookAtAll);
        return done();
    }

    private void changed(Pail old, KeyChange change) {
        String key = change.key();
        if (key.startsWith(KeyText.TABLES)) {
            change.before().ifPresent(cid -> declaration(old, key, cid));
            change.after().ifPresent(cid -> declaration(pail, key, cid));
        } else if (key.startsWith(KeyText.ROWS)) {
            position(key);
        } else {
            entry(key);
        }
    }

    /** A table that is declared in another way is looked at as a whole, and so are those that had its rows. */
    private void declaration(Pail version, String key, Cid cid) {
        try {
            TableInfo info = TableInfo.read(version, key, cid);
            if (info != null) {
                whole.add(info.name);
                whole.addAll(declared.named(info.number));
            }
        } catch (TableException e) {
            // What is there of it is said when the version was read.
        }
    }

    private void position(String key) {
        int number = KeyText.number(key);
        if (number >= 0) {
            String row = key.substring(KeyText.rows(number).length());
            declared.named(number).forEach(name -> look(name, row));
        }
    }

    private Set<String> look(String table, String row) {
        return rows.computeIfAbsent(table, name -> new TreeMap<>()).computeIfAbsent(row, id -> new HashSet<>());
    }

    /** Looks at the row of an entry of an index. Keys of other kinds may start as those of entries do. */
    private void entry(String key) {
        IndexKeys.Of entry = IndexKeys.Of.key(key);
        if (entry != null) {
            look(entry.table(), entry.row()).add(key);
        }
    }

    /** Looks at one table. */
    public RepairedIndexes ofTable(String name) {
        lookAtAll(name);
        return done();
    }

    private void lookAtAll(String name) {
        lookAtRows(name);
        IndexKeys.prefixes(pail, name).forEach(this::entries);
    }

    /** Looks at all that is there. */
    public RepairedIndexes ofAll() {
        declared.tables.keySet().forEach(this::lookAtRows);
        entries(IndexKeys.ALL_ENTRIES);
        entries(IndexKeys.ALL_REVERSE);
        return done();
    }

    private void entries(String prefix) {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(prefix))) {
            entries.forEachOrdered(entry -> entry(entry.key()));
        }
    }

    private void lookAtRows(String name) {
        rows.computeIfAbsent(name, table -> new TreeMap<>());
        TableInfo info = declared.table(name);
        if (info != null) {
            info.forEachRow(pail, entry -> look(name, entry.key().substring(info.rows.length())));
        }
    }

    private RepairedIndexes done() {
        rows.forEach((name, found) -> {
            TableInfo info = declared.table(name);
            // Perhaps it is no table: a note is due only if it has entries.
            // Rule R4: what cannot be read is left as it is.
            String unread = declared.unreadable.get(name);
            if (unread != null) {
                notes.add(unread);
            } else if (info == null) {
                // Rule R2.
                found.values().forEach(keys -> keys.forEach(this::remove));
            } else {
                if (declared.isShared(info.number)) {
                    notes.add(TableText.sharing(declared.named(info.number)));
                } else {
                    check(info, found);
                }
            }
        });
        return new RepairedIndexes(changed(), added, removed, List.copyOf(notes));
    }

    private Pail changed() {
        if (changes.isEmpty()) {
            return pail;
        }
        pail.blocks().putAll(blocks);
        Batch batch = pail.batch();
        changes.forEach((key, value) -> value.ifPresentOrElse(cid -> batch.put(key, cid), () -> batch.delete(key)));
        return batch.commit();
    }

    private void check(TableInfo info, Map<String, Set<String>> found) {
        Set<String> there = new HashSet<>();
        Map<String, Cid> wanted = new TreeMap<>();
        SortedMap<IndexName, String> refused = new TreeMap<>();
        long left = 0;
        String first = "";
        for (Map.Entry<String, Set<String>> each : found.entrySet()) {
            String row = each.getKey();
            // Other keys may start as those of rows do, and the entry of an index may have such an id.
            String id = info.rowId(info.rows + row);
            Cid here = id == null ? null : pail.get(info.rows + row).orElse(null);
            Function<FieldPath, @Nullable Object> document = null;
            if (id != null && here != null && !info.indexes.isEmpty()) {
                try {
                    document = documents.fields(info.rows + row, id, here);
                } catch (MissingBlockException | CorruptBlockException | TableException e) {
                    first = left++ == 0 ? TableText.quoted(id) + ": " + e.getMessage() : first;
                    continue;
                }
            }
            there.addAll(each.getValue());
            for (IndexKeys index : info.indexes) {
                there.add(index.reverse + row);
                if (before != null) {
                    before.get(index.reverse + row)
                            .map(IndexKeys::values)
                            .ifPresent(values -> values.forEach(value -> there.add(index.entry(value, row))));
                }
                if (document != null && id != null && here != null && !refused.containsKey(index.name)) {
                    try {
                        index.indexed(id, here, document).ifPresent(indexed -> want(index, indexed, row, wanted));
                    } catch (TableException | KeyNotAllowedException e) {
                        refused.put(index.name, message(e));
                    }
                }
            }
        }
        if (left > 0) {
            notes.add("the index entries of " + left + " rows of the table " + TableText.quoted(info.name)
                    + " were left as they are, because their documents cannot be read, the first "
                    + first);
        }
        refused.forEach((name, why) -> withdraw(info, name, why, there, wanted));
        if (!refused.isEmpty()) {
            SortedSet<IndexName> names = info.names();
            names.removeAll(refused.keySet());
            Block block = info.with(names).block();
            blocks.add(block);
            changes.put(TableInfo.key(info.name), Optional.of(block.cid()));
        }
        there.removeAll(wanted.keySet());
        there.forEach(this::remove);
        wanted.forEach((key, cid) -> {
            if (!pail.get(key).equals(Optional.of(cid))) {
                changes.put(key, Optional.of(cid));
                added++;
            }
        });
    }

    private void want(IndexKeys index, IndexKeys.Indexed indexed, String row, Map<String, Cid> wanted) {
        for (Entry entry : index.entriesOf(indexed, row)) {
            pail.format().checkKey(entry.key());
            wanted.put(entry.key(), entry.value());
        }
    }

    private static String message(PailException e) {
        return String.valueOf(e.getMessage());
    }

    /** An index that a row does not fit in would not answer for it: so there is none. Rule R3. */
    private void withdraw(TableInfo info, IndexName name, String why, Set<String> there, Map<String, Cid> wanted) {
        notes.add(TableText.indexOn(name.index()) + " of the table " + TableText.quoted(info.name) + " was taken away: "
                + why);
        IndexKeys index = new IndexKeys(info.name, name);
        for (String prefix : List.of(index.entries, index.reverse)) {
            wanted.keySet().removeIf(key -> key.startsWith(prefix));
            try (Stream<Entry> entries = pail.entries(KeyRange.prefix(prefix))) {
                entries.forEachOrdered(entry -> there.add(entry.key()));
            }
        }
    }

    private void remove(String key) {
        if (pail.get(key).isPresent() && changes.put(key, Optional.empty()) == null) {
            removed++;
        }
    }
}
