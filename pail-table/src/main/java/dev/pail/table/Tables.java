package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.KeyChange;
import dev.pail.KeyRange;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.index.Documents;
import dev.pail.table.index.IndexCheck;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexRepair;
import dev.pail.table.index.InlineRows;
import dev.pail.table.index.KeyText;
import dev.pail.table.index.OrphanRows;
import dev.pail.table.index.RepairedIndexes;
import dev.pail.table.index.TableInfo;
import dev.pail.table.index.TableText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables of one version of a pail. Each change returns the tables of the next version; these never change.
 *
 * <p>Keys of the pail that start with {@code T}, {@code P}, {@code F} or {@code R} belong to tables. The pail may have other keys too. If
 * another key starts with one of these letters, it is ignored if its form or its value shows that it belongs to no table.
 *
 * <p>{@link Pail#merge} merges each key alone and leaves tables with wrong indexes: {@link #repair repair} the tables of such a version
 * before you use them.
 *
 * <p>Immutable and safe for use by several threads, if the block store is. All methods may throw what reading a {@link Pail}
 * throws, and {@link TableException}.
 *
 * <pre>{@code
 * Table people = Tables.of(pail).create("people").createIndex(FieldPath.parse("age"));
 * Table next = people.put("ann", Document.parse("{\"name\":\"Ann\",\"age\":30}"));
 * Optional<Row> ann = Tables.of(next.pail()).table("people").get("ann");
 * List<Row> adults = next.rows(Filter.parse("age >= 18")).toList(); // the row ann
 * }</pre>
 */
@CheckReturnValue
public final class Tables {
    /** The most bytes of a document that a table can have in the map: see {@link #create(String, RowMerge, int)}. */
    public static final int MAX_INLINE = InlineRows.MAX;

    private final Pail pail;

    private Tables(Pail pail) {
        this.pail = pail;
    }

    /** The tables of this version. */
    public static Tables of(Pail pail) {
        return new Tables(Objects.requireNonNull(pail, "pail"));
    }

    /**
     * Returns the rules by which versions with tables are merged (spec rules R6 to R9). They merge rows one by one and indexes as a set,
     * and derive index entries from the rows. A repository finds them itself, by {@link MergeRules#installed()}.
     *
     * <pre>{@code
     * MergeRules.Comparison sides = Tables.mergeRules().compare(base, MergeRules.Side.of(ours), MergeRules.Side.of(theirs));
     * Pail merged = sides.by(MergePolicy.theirs()).pail();
     * }</pre>
     *
     * <p>Its conflicts are {@link TableConflict}s, and its outcomes {@link Repair}s.
     */
    public static MergeRules mergeRules() {
        return TableRules.RULES;
    }

    /** Whether a version has keys with a prefix of tables: if not, it has no tables. Reads one entry. */
    public static boolean mayBeIn(Pail pail) {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(KeyText.TABLES))) {
            return entries.findFirst().isPresent();
        }
    }

    /** Whether a key has a prefix of tables: if not, it belongs to no table. */
    public static boolean mayHave(String key) {
        return key.startsWith(KeyText.TABLES)
                || key.startsWith(KeyText.ROWS)
                || key.startsWith(IndexKeys.ALL_ENTRIES)
                || key.startsWith(IndexKeys.ALL_REVERSE);
    }

    /** Whether a pail with tables reserves a key for them: it starts with T, P, F or R. */
    public static boolean isReserved(String key) {
        char first = key.isEmpty() ? 0 : key.charAt(0);
        return first == KeyText.TABLE
                || first == KeyText.POSITION
                || first == KeyText.FIELD
                || first == KeyText.REVERSE;
    }

    /** The version. */
    public Pail pail() {
        return pail;
    }

    /**
     * Returns all tables, in the order of the bytes of their names.
     *
     * @throws TableException if two have the same number (spec rule T2)
     */
    public List<Table> list() {
        List<TableInfo> infos = declared();
        Map<Integer, List<TableInfo>> numbers = infos.stream()
                .collect(Collectors.groupingBy(info -> info.number, LinkedHashMap::new, Collectors.toList()));
        for (List<TableInfo> same : numbers.values()) {
            if (same.size() > 1) {
                throw sharing(same, same.get(0));
            }
        }
        return infos.stream().map(info -> new Table(pail, info)).toList();
    }

    private List<TableInfo> declared() {
        List<TableInfo> infos = new ArrayList<>();
        TableInfo.forEach(pail, infos::add, (key, error) -> {
            throw error;
        });
        return infos;
    }

    /**
     * Returns the table with a name, if there is one.
     *
     * @throws TableException if another table has the same number (spec rule T2)
     */
    public Optional<Table> find(String name) {
        return info(name).map(info -> {
            List<TableInfo> others = sharing(info);
            if (!others.isEmpty()) {
                throw sharing(others, info);
            }
            return new Table(pail, info);
        });
    }

    private Optional<TableInfo> info(String name) {
        String key = TableInfo.key(name);
        return pail.get(key).map(cid -> TableInfo.read(pail, key, cid));
    }

    /** The other tables with the number of one. */
    private List<TableInfo> sharing(TableInfo one) {
        List<TableInfo> others = new ArrayList<>();
        TableInfo.forEach(
                pail,
                info -> {
                    if (info.number == one.number && !info.name.equals(one.name)) {
                        others.add(info);
                    }
                },
                (key, error) -> {
                    // What is wrong with another table does not keep anybody from this one.
                });
        return others;
    }

    private static TableException sharing(List<TableInfo> others, TableInfo one) {
        SortedSet<String> names = new TreeSet<>(List.of(one.name));
        others.forEach(other -> names.add(other.name));
        return new TableException(TableException.Reason.SAME_NUMBER, TableText.sharing(names));
    }

    /**
     * Returns the table with a name.
     *
     * @throws TableException if there is none, or another table has the same number (spec rule T2)
     */
    public Table table(String name) {
        return find(name).orElseThrow(() -> absent(name));
    }

    private static TableException absent(String name) {
        return new TableException(TableException.Reason.NO_TABLE, "no such table: " + TableText.quoted(name));
    }

    /**
     * Creates a table without rows and indexes, with a number that no keys use (spec rule T3).
     *
     * @throws TableException if there is a table with this name or another key in its place, or no number is free
     */
    public Table create(String name) {
        return create(name, RowMerge.WHOLE);
    }

    /**
     * As {@link #create(String)}, with a rule for rows that both sides of a merge changed. The rule stays with the table. Version 0.2 refuses
     * a table whose rows merge by fields.
     *
     * <pre>{@code
     * Table people = Tables.of(pail).create("people", RowMerge.FIELDS);
     * }</pre>
     */
    public Table create(String name, RowMerge rowMerge) {
        return create(name, rowMerge, 0);
    }

    /**
     * As {@link #create(String, RowMerge)}, with small documents in the map itself: a row with such a document takes one read less, and equal
     * documents take their space in each row, and in each index. The size stays with the table. Version 0.2 refuses a table with such rows.
     *
     * <pre>{@code
     * Table people = Tables.of(pail).create("people", RowMerge.FIELDS, 256);
     * }</pre>
     *
     * @param inline the most bytes of a document in the map, from 0 for none to {@link #MAX_INLINE}. Larger documents have their own block
     * @throws IllegalArgumentException if {@code inline} is out of range
     */
    public Table create(String name, RowMerge rowMerge, int inline) {
        Objects.requireNonNull(rowMerge, "rowMerge");
        if (inline < 0 || inline > MAX_INLINE) {
            throw new IllegalArgumentException(
                    "a document in the map has at most " + MAX_INLINE + " bytes, and not " + inline);
        }
        String key = TableInfo.key(name);
        if (pail.get(key).isPresent()) {
            if (info(name).isEmpty()) {
                throw new TableException(
                        TableException.Reason.KEY,
                        "the key " + TableText.quoted(key) + " is where the table " + TableText.quoted(name)
                                + " would be, and is none (T2)");
            }
            throw new TableException(
                    TableException.Reason.TABLE_EXISTS, "there is a table " + TableText.quoted(name) + " already");
        }
        TableInfo info =
                TableInfo.of(name, freeNumber(name), List.of(), rowMerge).withInline(inline);
        Block block = info.block();
        pail.blocks().put(block);
        Batch batch = pail.batch();
        // A merge may have left some of a table that was there once.
        IndexKeys.clear(pail, batch, name);
        return new Table(batch.put(key, block.cid()).commit(), info);
    }

    /** The number of a new table. Rule T3. */
    private int freeNumber(String name) {
        Set<Integer> taken = new HashSet<>();
        declared().forEach(info -> taken.add(info.number));
        int wished = TableInfo.wishedNumber(name);
        for (int i = 0; i <= KeyText.MAX_TABLE; i++) {
            int number = (wished + i) & KeyText.MAX_TABLE;
            // Rows that were kept under a number must not turn up in another table, nor must keys that are no rows.
            if (!taken.contains(number) && !OrphanRows.hasKeys(pail, number)) {
                return number;
            }
        }
        throw new TableException(
                TableException.Reason.TOO_MANY_TABLES,
                "there are " + taken.size() + " tables, and no room for another");
    }

    /**
     * Removes a table, with its rows and all entries of its indexes. If another table has the same number, the rows stay with that table.
     *
     * @return the remaining tables, and the changes of the indexes of a table that now has these rows alone
     * @throws TableException if there is none with this name, or the declaration of another table cannot be read: it may have the same rows
     */
    public Repair drop(String name) {
        TableInfo info = info(name).orElseThrow(() -> absent(name));
        TableInfo.forEach(pail, other -> {}, (key, error) -> {
            throw new TableException(
                    error.reason(),
                    "the table " + TableText.quoted(name)
                            + " is not dropped, because its rows may be those of another, too: " + error.getMessage(),
                    error.getCause());
        });
        boolean alone = sharing(info).isEmpty();
        Batch batch = pail.batch();
        if (alone) {
            info.forEachRow(pail, entry -> batch.delete(entry.key()));
        }
        IndexKeys.clear(pail, batch, name);
        Tables next = new Tables(batch.delete(TableInfo.key(name)).commit());
        return alone ? new Repair(next, 0, 0, List.of()) : next.repair(pail);
    }

    /**
     * Repairs the tables of a merged version (spec rules R1 to R3). For each row and each table that differs from another version, it puts
     * missing index entries and removes superfluous ones. Call it after every merge of versions with tables, unless the merge used
     * {@link #mergeRules}. The cost is proportional to the difference.
     *
     * <p>Replicas that repair the same version get the same root from any version before, if its tables were correct. If nothing is wrong,
     * the version stays the same.
     *
     * @param before a version with correct tables: one of those that were merged
     */
    public Repair repair(Pail before) {
        return repair(new IndexRepair(pail, before, documents()).ofChanges(before));
    }

    /** As {@link #repair}, but rebuilds all indexes of all tables. Takes memory for each row of a table. */
    public Repair reindex() {
        return repair(new IndexRepair(pail, null, documents()).ofAll());
    }

    /**
     * As {@link #reindex()}, for one table.
     *
     * @throws TableException if there is none with this name, or another table has the same number
     */
    public Repair reindex(String name) {
        return repair(
                new IndexRepair(pail, null, documents()).ofTable(table(name).name()));
    }

    private static Repair repair(RepairedIndexes indexes) {
        return new Repair(Tables.of(indexes.pail()), indexes.added(), indexes.removed(), indexes.notes());
    }

    private Documents documents() {
        return (key, id, cid) -> new Row(pail.blocks(), key, id, cid).document()::at;
    }

    /**
     * Compares all index entries with the rows, and finds the rows that belong to no table or do not fit their schema. Reads all rows of
     * tables with indexes or a schema, but keeps none in memory.
     */
    public TableCheck check() {
        IndexCheck check = new IndexCheck(pail, documents());
        Map<String, Long> wrong = check.check();
        List<String> notes = new ArrayList<>(check.notes());
        notes.addAll(SchemaRows.notes(pail));
        return new TableCheck(wrong, check.orphans(), notes);
    }

    /**
     * Returns the rows under numbers that no table has, by number. If the declaration of a table cannot be read, returns none, since the
     * rows may belong to that table. Reads the keys of these rows, and one key for each table.
     */
    public List<Orphans> orphans() {
        return OrphanRows.of(pail);
    }

    /**
     * Returns the rows under a number that no table has, in the order of their ids.
     *
     * @throws TableException if a table has the number, or may have it
     */
    public List<Row> orphans(int number) {
        checkHasNoTable(number);
        List<Row> rows = new ArrayList<>();
        OrphanRows.forEach(
                pail, number, (id, entry) -> rows.add(new Row(pail.blocks(), entry.key(), id, entry.value())));
        return rows;
    }

    /**
     * Moves the rows under a number that no table has into a table. A row stays in its place if the table has another row with its id.
     *
     * @throws TableException if a table has the number or may have it, there is no table of this name, or it does not take a row
     */
    public Tables adopt(int number, String table) {
        Table into = table(table);
        TableBatch batch = batch();
        List<String> moved = new ArrayList<>();
        for (Row row : orphans(number)) {
            Optional<Cid> there = into.get(row.id()).map(Row::cid);
            if (there.isEmpty()) {
                batch.put(table, row.id(), row.document());
            }
            if (there.isEmpty() || there.get().equals(row.cid())) {
                moved.add(row.id());
            }
        }
        return new Tables(OrphanRows.remove(batch.commit().pail(), number, moved));
    }

    /**
     * Removes the rows under a number that no table has.
     *
     * @throws TableException if a table has the number, or may have it
     */
    public Tables deleteOrphans(int number) {
        return new Tables(OrphanRows.remove(
                pail, number, orphans(number).stream().map(Row::id).toList()));
    }

    private void checkHasNoTable(int number) {
        if (number < 0 || number > KeyText.MAX_TABLE) {
            throw new TableException(
                    TableException.Reason.NAME,
                    "the number of a table is from 0 to " + KeyText.MAX_TABLE + ", not " + number);
        }
        for (TableInfo info : declared()) {
            if (info.number == number) {
                throw new TableException(
                        TableException.Reason.NAME,
                        "the rows under the number " + number + " are those of the table "
                                + TableText.quoted(info.name));
            }
        }
    }

    /** Begins a batch: several changes of rows, in any tables, for one new version. */
    public TableBatch batch() {
        return new TableBatch(pail);
    }

    /**
     * Returns the rows of all tables that differ from another version. Tables are in no particular order; the rows of a table are in the
     * order of their ids. Lazy: reads no shards that both versions share. If a table got another number, each of its rows appears twice,
     * as removed and as added.
     */
    public Stream<RowChange> diff(Tables next) {
        Map<Integer, Table> after = next.numbered();
        Map<Integer, TableInfo> kept = new HashMap<>();
        List<Table> gone = new ArrayList<>();
        numbered().forEach((number, table) -> {
            Table other = after.get(number);
            if (other != null && other.name().equals(table.name())) {
                kept.put(number, table.info());
                after.remove(number);
            } else {
                gone.add(table);
            }
        });
        // A merge can bring back a table whose rows were left: they are new then, although their keys do not differ.
        List<Stream<RowChange>> all = new ArrayList<>();
        gone.forEach(table -> all.add(
                table.rows().map(row -> new RowChange(table.name(), row.id(), Optional.of(row), Optional.empty()))));
        after.values()
                .forEach(table -> all.add(table.rows()
                        .map(row -> new RowChange(table.name(), row.id(), Optional.empty(), Optional.of(row)))));
        all.add(pail.diff(next.pail)
                .keys()
                .filter(change -> change.key().startsWith(KeyText.ROWS))
                .flatMap(change -> rowChange(next, change, kept).stream()));
        return joined(all);
    }

    /** One stream after the other. An iterator of a flat map would hold all rows of a table at once. */
    private static Stream<RowChange> joined(List<Stream<RowChange>> streams) {
        int half = streams.size() / 2;
        return half == 0
                ? streams.get(0)
                : Stream.concat(joined(streams.subList(0, half)), joined(streams.subList(half, streams.size())));
    }

    /** @param kept the tables that have the same number in both versions */
    private Optional<RowChange> rowChange(Tables next, KeyChange change, Map<Integer, TableInfo> kept) {
        String key = change.key();
        TableInfo info = kept.get(KeyText.number(key));
        String id = info == null ? null : info.rowId(key);
        return info == null || id == null
                ? Optional.empty()
                : Optional.of(new RowChange(
                        info.name, id, row(pail, key, id, change.before()), row(next.pail, key, id, change.after())));
    }

    private static Optional<Row> row(Pail pail, String key, String id, Optional<Cid> cid) {
        return cid.map(document -> new Row(pail.blocks(), key, id, document));
    }

    private Map<Integer, Table> numbered() {
        Map<Integer, Table> tables = new TreeMap<>();
        for (Table table : list()) {
            tables.put(table.info().number, table);
        }
        return tables;
    }

    /** The version. */
    @Override
    public String toString() {
        return "tables of " + pail;
    }
}
