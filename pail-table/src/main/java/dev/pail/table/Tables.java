package dev.pail.table;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyChange;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one version of a pail. Each change gives the tables of the next version; these stay as they are.
 *
 * <p>All keys of the pail that start with {@code T}, {@code P}, {@code F} or {@code R} are those of tables; others may be beside them.
 *
 * <p>Immutable and safe for use by several threads, if the block store is. All methods may throw what reading a {@link Pail}
 * throws, and {@link TableException}.
 */
public final class Tables {
    private static final String PREFIX = String.valueOf((char) TableKey.PREFIX);
    private static final String ROWS = String.valueOf((char) PositionKey.PREFIX);

    private final Pail pail;

    private Tables(Pail pail) {
        this.pail = pail;
    }

    /** The tables of this version. */
    public static Tables of(Pail pail) {
        return new Tables(pail);
    }

    /** The version. */
    public Pail pail() {
        return pail;
    }

    /** All tables, in the order of their names' bytes. */
    public List<Table> list() {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(PREFIX))) {
            return entries.map(entry -> table(info(entry))).toList();
        }
    }

    private TableInfo info(Entry entry) {
        Bytes id = TableKey.parse(entry.key()).id();
        if (!id.isText()) {
            throw KeyParts.malformed(EscapedText.bytes(entry.key(), 0), "the name of a table is UTF-8 (T1)");
        }
        return TableInfo.read(pail, id.text(), entry.value());
    }

    /** The table with this name, if there is one. */
    public Optional<Table> find(String name) {
        return pail.get(TableInfo.key(name)).map(cid -> table(TableInfo.read(pail, name, cid)));
    }

    /**
     * The table with this name.
     *
     * @throws TableException if there is none
     */
    public Table table(String name) {
        return find(name)
                .orElseThrow(
                        () -> new TableException(TableException.Reason.NO_TABLE, "no such table: " + quoted(name)));
    }

    private Table table(TableInfo info) {
        return new Table(pail, info);
    }

    /**
     * Makes a table without rows and indexes.
     *
     * @throws TableException if there is one with this name, or there are 65,536 tables
     */
    public Table create(String name) {
        String key = TableInfo.key(name);
        if (pail.get(key).isPresent()) {
            throw new TableException(
                    TableException.Reason.TABLE_EXISTS, "there is a table " + quoted(name) + " already");
        }
        TableInfo info = TableInfo.of(name, freeNumber(name), List.of());
        Block block = info.block();
        pail.blocks().put(block);
        return new Table(pail.put(key, block.cid()), info);
    }

    private int freeNumber(String name) {
        Set<Integer> taken = new HashSet<>();
        list().forEach(table -> taken.add(table.info().number));
        if (taken.size() > PositionKey.MAX_TABLE) {
            throw new TableException(
                    TableException.Reason.TOO_MANY_TABLES,
                    "there are " + taken.size() + " tables, and no room for another");
        }
        int number = TableInfo.wishedNumber(name);
        while (taken.contains(number)) {
            number = (number + 1) & PositionKey.MAX_TABLE;
        }
        return number;
    }

    /**
     * Takes a table away, with its rows and indexes.
     *
     * @throws TableException if there is none with this name
     */
    public Tables drop(String name) {
        TableInfo info = table(name).info();
        Batch batch = pail.batch();
        delete(batch, info.rows);
        for (IndexKeys index : info.indexes) {
            delete(batch, index.entries);
            delete(batch, index.reverse);
        }
        return new Tables(batch.delete(TableInfo.key(name)).commit());
    }

    private void delete(Batch batch, String prefix) {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(prefix))) {
            entries.forEachOrdered(entry -> batch.delete(entry.key()));
        }
    }

    /** Several changes of rows, in any tables, for one new version. */
    public TableBatch batch() {
        return new TableBatch(pail);
    }

    /**
     * The rows that are not the same in another version, of all tables. Tables are in no particular order, the rows of one are in
     * the order of their ids. Lazy: what both versions have in common is not read. A row whose table got another number is there
     * twice, removed and added.
     */
    public Stream<RowChange> diff(Tables next) {
        Map<Integer, String> before = names();
        Map<Integer, String> after = next.names();
        return pail.diff(next.pail)
                .keys()
                .filter(change -> change.key().startsWith(ROWS))
                .flatMap(change -> {
                    PositionKey key = PositionKey.parse(change.key());
                    String id = id(key.row());
                    return rowChanges(next, change, id, before.get(key.table()), after.get(key.table()));
                });
    }

    private Stream<RowChange> rowChanges(
            Tables next, KeyChange change, String id, @Nullable String nameBefore, @Nullable String nameAfter) {
        Optional<Row> before = row(pail, id, nameBefore == null ? Optional.empty() : change.before());
        Optional<Row> after = row(next.pail, id, nameAfter == null ? Optional.empty() : change.after());
        if (nameBefore == null || nameAfter == null || nameBefore.equals(nameAfter)) {
            String name = nameBefore == null ? nameAfter : nameBefore;
            return name == null ? Stream.empty() : Stream.of(new RowChange(name, id, before, after));
        }
        return Stream.of(
                        new RowChange(nameBefore, id, before, Optional.empty()),
                        new RowChange(nameAfter, id, Optional.empty(), after))
                .filter(one -> one.before().isPresent() || one.after().isPresent());
    }

    private static Optional<Row> row(Pail pail, String id, Optional<Cid> cid) {
        return cid.map(document -> new Row(pail.blocks(), id, document));
    }

    private Map<Integer, String> names() {
        Map<Integer, String> names = new HashMap<>();
        for (Table table : list()) {
            String other = names.put(table.info().number, table.name());
            if (other != null) {
                throw new TableException(
                        TableException.Reason.DAMAGED,
                        "the tables " + quoted(other) + " and " + quoted(table.name()) + " have the same number (T2)");
            }
        }
        return names;
    }

    /** The id of a row as a text. */
    static String id(Bytes row) {
        if (!row.isText()) {
            throw new TableException(TableException.Reason.DAMAGED, "the id of a row is not UTF-8: " + row + " (T4)");
        }
        return Utf8.decode(row.array, 0, row.array.length);
    }

    static String quoted(String name) {
        return Escapes.brief(name);
    }

    /** The version. */
    @Override
    public String toString() {
        return "tables of " + pail;
    }
}
