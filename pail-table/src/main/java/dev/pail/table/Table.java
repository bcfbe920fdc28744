package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockLocation;
import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.LocatedBlocks;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexRange;
import dev.pail.table.index.KeyText;
import dev.pail.table.index.TableInfo;
import dev.pail.table.index.TableText;
import dev.pail.table.query.AccessWalk;
import dev.pail.table.query.RowWalk;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A table in one version of a pail. Each change returns the table of the next version; this one never changes.
 *
 * <p>Immutable and safe for use by several threads, if the block store is. All methods may throw what reading a {@link Pail}
 * throws, and {@link TableException}.
 *
 * <pre>{@code
 * Table people = Tables.of(pail).table("people");
 * Table next = people.createIndex(FieldPath.parse("age")).put("ann", Document.parse("{\"age\":30}"));
 * List<Row> adults = next.rows(Filter.parse("age >= 18")).toList(); // read by the index
 * Pail version = next.pail(); // what a branch is moved to
 * }</pre>
 */
@CheckReturnValue
public final class Table {
    private final Pail pail;
    private final TableInfo info;

    Table(Pail pail, TableInfo info) {
        this.pail = pail;
        this.info = info;
    }

    TableInfo info() {
        return info;
    }

    /** Returns the name of the table. */
    public String name() {
        return info.name;
    }

    /** The version. */
    public Pail pail() {
        return pail;
    }

    /** Returns the fields with a plain index, in order: see {@link Index#isPlain}. */
    public SortedSet<FieldPath> indexes() {
        SortedSet<FieldPath> fields = new TreeSet<>();
        declaredIndexes().stream()
                .filter(Index::isPlain)
                .forEach(index -> fields.add(index.fields().get(0).path()));
        return fields;
    }

    /** Returns the most bytes of a document that is in the map itself; 0 if none is: see {@link Tables#create(String, RowMerge, int)}. */
    public int inline() {
        return info.inline;
    }

    /** Returns all indexes, in the order of the keys of their entries. */
    public List<Index> declaredIndexes() {
        return info.indexes.stream().map(keys -> keys.name.index()).toList();
    }

    /**
     * Returns the row with an id, if there is one.
     *
     * @throws TableException if the id has a lone surrogate
     */
    public Optional<Row> get(String id) {
        KeyText.check("row id", id);
        if (Bytes.of(id).length() > KeyText.MAX_ID) {
            return Optional.empty();
        }
        String key = info.rowKey(id);
        return pail.get(key).map(cid -> new Row(pail.blocks(), key, id, cid));
    }

    /**
     * Locates the document of a row: its bytes are at the {@link BlockLocation#rowLoc} in the segment, if it is whole there. To store
     * documents so, see {@link TableBatch.Load}. A location is valid until the next compaction. Empty if there is no such row.
     *
     * @throws TableException if the id has a lone surrogate
     * @throws MissingBlockException if the block of the document is missing
     */
    public Optional<BlockLocation> locate(String id) {
        return get(id).map(row -> LocatedBlocks.locate(pail.blocks(), row.cid()));
    }

    /**
     * Returns the key of the pail for a row, which need not exist: {@code pail.prove(table.key("ann"))} proves the row. The key has the
     * number of the table, which may differ between versions (spec rule T2).
     *
     * @throws TableException if the id has a lone surrogate
     */
    public String key(String id) {
        KeyText.check("row id", id);
        return info.rowKey(id);
    }

    /** As {@link TableBatch#put}, for one row. */
    public Table put(String id, Document document) {
        return at(batch().put(info.name, id, document));
    }

    /** As {@link TableBatch#insert}, for one row. */
    public Table insert(String id, Document document) {
        return at(batch().insert(info.name, id, document));
    }

    /** As {@link TableBatch#delete}, for one row. */
    public Table delete(String id) {
        TableBatch batch = batch();
        batch.delete(info.name, id);
        return at(batch);
    }

    private TableBatch batch() {
        return new TableBatch(pail, info);
    }

    private Table at(TableBatch batch) {
        return new Table(batch.commit().pail(), info);
    }

    /** Returns all rows, in the order of the bytes of their ids. Lazy. */
    public Stream<Row> rows() {
        return RowWalk.of(pail, KeyRange.prefix(info.rows), (entry, ahead) -> row(entry.key(), entry.value(), ahead));
    }

    @Nullable
    Row row(String key, Cid cid, RowWalk.@Nullable Ahead ahead) {
        String id = info.rowId(key);
        return id == null ? null : new Row(pail.blocks(), key, id, cid, ahead);
    }

    /**
     * Returns the rows that match a filter. Uses indexes if they fit: {@link #explain} shows how. Without an index, the rows are in the
     * order of their ids, else in no particular order. Lazy.
     */
    public Stream<Row> rows(Filter filter) {
        return candidates(filter).filter(Plan.accepts(filter));
    }

    /** The rows that a plan reads, in the order of {@link #rows(Filter)}. */
    private Stream<Row> candidates(Filter filter) {
        List<IndexRange> ranges = ranges(filter);
        return ranges.isEmpty() ? rows() : indexed(ranges);
    }

    /**
     * An order of rows: by the values in a field, as an index orders them, and then by ids. The rows where the field is absent, a list or an
     * object come last. Spec rule Q6.
     *
     * @param isDescending whether the greatest value and the greatest id come first; the rows without a value are still last
     */
    public record Order(FieldPath field, boolean isDescending) {
        public Order {
            Objects.requireNonNull(field, "field");
        }
    }

    /** As {@link #rows(Filter, List, long)}, in the order of one field. */
    public Stream<Row> rows(Filter filter, Order order, long most) {
        return rows(filter, List.of(Objects.requireNonNull(order, "order")), most);
    }

    /**
     * Returns the first rows that match a filter, in an order by several fields. If an index has this order, and no other index answers an
     * equality in the filter, the stream is lazy and reads the index in its order. Else it reads all rows that {@link #rows(Filter)} reads at
     * its start, and holds the result in memory. Spec rule Q6.
     *
     * @param orders at least one: rows with equal values in the first field are in the order of the second, and so on. Rows with equal values in
     *     all are in the order of their ids, descending if the last field is
     * @param most the maximum number of rows, 0 or more
     * @throws IllegalArgumentException if {@code most} is less than 0, or there is no order
     */
    public Stream<Row> rows(Filter filter, List<Order> orders, long most) {
        if (most < 0) {
            throw new IllegalArgumentException("a number of rows is 0 or more, not " + most);
        }
        return ordered(filter, orders).first(most);
    }

    private OrderedRows ordered(Filter filter, List<Order> orders) {
        Objects.requireNonNull(filter, "filter");
        List<Order> all = List.copyOf(Objects.requireNonNull(orders, "orders"));
        if (all.isEmpty()) {
            throw new IllegalArgumentException("an order has a field");
        }
        return new OrderedRows(this, filter, all);
    }

    /**
     * Counts the rows that match a filter. With {@link Filter#all}, it is a number of keys as {@link Pail#count} gives it: of a pail of a
     * repository, only what is new since the last count is read (spec rule Q7).
     */
    public long count(Filter filter) {
        if (filter.equals(Filter.all())) {
            return new Ranks(this).rows();
        }
        try (Stream<Row> rows = rows(filter)) {
            return rows.count();
        }
    }

    /** Sums up the values in a field of the rows that match a filter. */
    public Summary summary(Filter filter, FieldPath field) {
        Objects.requireNonNull(field, "field");
        Summary.Builder all = new Summary.Builder();
        forEach(filter, List.of(field), (row, document) -> all.add(row, field, document));
        return all.build();
    }

    /**
     * Returns the least value of a field for which at least some percent of all values are not greater: with 50, the median. As for
     * {@link Summary#min}, null is no value. Of all rows, with an ascending index on this field alone, it reads one entry and some counts; else
     * it reads the rows that {@link #rows(Filter)} reads, and holds their values in memory (spec rule Q7).
     *
     * <pre>{@code
     * Optional<Scalar> median = Tables.of(pail).table("people")
     *         .percentile(Filter.all(), FieldPath.parse("age"), new java.math.BigDecimal(50));
     * }</pre>
     *
     * @return empty if there are no values
     * @throws IllegalArgumentException if the percentage is less than 0 or greater than 100
     */
    public Optional<Scalar> percentile(Filter filter, FieldPath field, BigDecimal percent) {
        Objects.requireNonNull(filter, "filter");
        return new Ranks(this)
                .percentile(filter, Objects.requireNonNull(field, "field"), Objects.requireNonNull(percent, "percent"));
    }

    /**
     * Sums up the rows that match a filter, in a group for each value of a field. Takes memory for each group. Numbers that are equal are one
     * value, as in an index.
     *
     * @param by the field with the value of the group
     * @param field the field to sum up; if empty, the groups have numbers of rows alone
     * @return in the order of the values; last the rows where {@code by} is absent, a list or an object, if there are any
     */
    public List<Summary.Group> summaries(Filter filter, FieldPath by, Optional<FieldPath> field) {
        Objects.requireNonNull(by, "by");
        FieldPath of = field.orElse(null);
        // Not by hashes: foreign texts may be made so that theirs are all the same.
        SortedMap<Scalar, Summary.Builder> groups = new TreeMap<>();
        Summary.Builder none = new Summary.Builder();
        List<FieldPath> read = of == null ? List.of(by) : List.of(by, of);
        forEach(filter, read, (row, document) -> {
            document.get(by)
                    .map(value -> groups.computeIfAbsent(value, each -> new Summary.Builder()))
                    .orElse(none)
                    .add(row, of, document);
        });
        List<Summary.Group> all = new ArrayList<>();
        groups.forEach((value, group) -> all.add(new Summary.Group(Optional.of(value), group.build())));
        Summary rest = none.build();
        if (rest.rows() > 0) {
            all.add(new Summary.Group(Optional.empty(), rest));
        }
        return List.copyOf(all);
    }

    /**
     * Reads the rows that match a filter, each once.
     *
     * @param fields those that the action reads
     */
    void forEach(Filter filter, Collection<FieldPath> fields, BiConsumer<Row, Document> action) {
        Set<FieldPath> all = Plan.fields(filter);
        all.addAll(fields);
        try (Stream<Row> rows = candidates(filter)) {
            rows.forEachOrdered(row -> {
                Document document = row.document(all);
                if (filter.accepts(document)) {
                    action.accept(row, document);
                }
            });
        }
    }

    /**
     * Returns a page of the rows of {@link #rows(Filter)}, in no particular order if it uses an index. All pages of one version and one
     * filter together have each row once. A page may end early, even without a row: only an empty {@link RowPage#next} marks the end.
     *
     * @param after the {@link RowPage#next} of the page before; empty for the first page
     * @param most the maximum number of rows, at least 1
     * @throws IllegalArgumentException if {@code after} is not from a page of this table with this filter, or {@code most} is less than 1
     */
    public RowPage page(Filter filter, Optional<String> after, int most) {
        Objects.requireNonNull(after, "after");
        return RowPage.of(this, filter, ranges(filter), after, most);
    }

    /** The row that an entry of rows, or of an index, is of; or null. */
    @Nullable
    Row candidate(boolean isFullScan, IndexKeys.EntryRows rows, Entry entry) {
        Entry there = isFullScan ? entry : place(rows, entry);
        if (there == null || (!isFullScan && !pail.get(there.key()).equals(Optional.of(there.value())))) {
            return null;
        }
        return row(there.key(), there.value(), null);
    }

    private Stream<Row> indexed(List<IndexRange> accesses) {
        if (accesses.size() == 1 && !accesses.get(0).mayRepeatRows()) {
            return entries(accesses.get(0));
        }
        return StreamSupport.stream(
                () -> new AccessWalk<>(accesses, this::entries, Row::id), AccessWalk.CHARACTERISTICS, false);
    }

    private Stream<Row> entries(IndexRange access) {
        return access.isEmpty() ? Stream.empty() : entries(access.index(), access.keys());
    }

    /**
     * Returns the rows whose indexed field has a value in a range, in the order of the values. Rows with the same value are in the order
     * of their ids, or of the next fields if there is no plain index on the field. Lazy.
     *
     * @throws TableException if no index has the field as its first one, ascending
     */
    public Stream<Row> find(FieldPath field, ValueRange values) {
        Objects.requireNonNull(values, "values");
        Index.Field first = new Index.Field(field, false);
        IndexKeys plain = info.index(Index.on(field));
        IndexKeys index = plain != null
                ? plain
                : info.indexes.stream()
                        .filter(each -> each.name.fields().get(0).equals(first))
                        .findFirst()
                        .orElseThrow(() -> Declared.noIndex(info, Index.on(field)));
        return indexed(List.of(new IndexRange(index, values.range)));
    }

    /** The rows of index entries, in the order of the range. */
    Stream<Row> entries(IndexKeys index, KeyRange range) {
        IndexKeys.EntryRows rows = new IndexKeys.EntryRows();
        List<FieldPath> covered = index.name.index().covered();
        // What the entries of a covering index have, of rows that are read ahead.
        Map<String, Cid> links = new HashMap<>();
        return RowWalk.ofIndex(
                pail,
                range,
                entry -> {
                    Entry there = place(rows, entry);
                    Object unused = there == null || covered.isEmpty() ? null : links.put(there.key(), entry.value());
                    return there;
                },
                (entry, ahead) -> {
                    String id = info.rowId(entry.key());
                    Map<FieldPath, Optional<Object>> known = Row.known(covered, links.remove(entry.key()));
                    return id == null ? null : new Row(pail.blocks(), entry.key(), id, entry.value(), ahead, known);
                });
    }

    /** The entry of the row that an index entry names. It counts if the row has this document. Rule T7. */
    private @Nullable Entry place(IndexKeys.EntryRows rows, Entry entry) {
        String id = rows.rowOf(entry.key());
        return id == null ? null : new Entry(info.rows.concat(id), IndexKeys.document(entry.value()));
    }

    /** Returns the plan by which {@link #rows(Filter)} finds its rows. */
    public Plan explain(Filter filter) {
        Objects.requireNonNull(filter, "filter");
        return Plan.of(filter, ranges(filter), Plan.Sort.NONE);
    }

    /** Returns the plan by which {@link #rows(Filter, List, long)} finds its rows. */
    public Plan explain(Filter filter, List<Order> orders) {
        return ordered(filter, orders).plan();
    }

    List<IndexRange> ranges(Filter filter) {
        return Plan.ranges(Objects.requireNonNull(filter, "filter"), info.indexes);
    }

    /**
     * Declares an index on a field, and builds it from the existing rows.
     *
     * @throws TableException if there is one already, or a row has a value in that field that is not indexable
     */
    public Table createIndex(FieldPath field) {
        return createIndex(Index.on(field));
    }

    /**
     * Declares an index, and builds it from the existing rows. Version 0.2 refuses a table with an index that is not plain.
     *
     * @throws TableException if there is one on the same fields already, a row has a value in one of the fields that is not indexable, or the
     *     index is unique and two rows have the same values
     */
    public Table createIndex(Index wanted) {
        return Declared.withIndex(this, wanted);
    }

    /**
     * Removes the index on a field.
     *
     * @throws TableException if there is none on the field
     */
    public Table dropIndex(FieldPath field) {
        return dropIndex(Index.on(field));
    }

    /**
     * Removes the index on the same fields, also if its other properties differ.
     *
     * @throws TableException if there is none
     */
    public Table dropIndex(Index wanted) {
        return Declared.withoutIndex(this, wanted);
    }

    /** Whether the table has a schema. */
    public boolean hasSchema() {
        return info.schema != null;
    }

    /**
     * Returns the schema, if the table has one.
     *
     * @throws TableException if a check is one that this program does not understand
     */
    public Optional<Schema> schema() {
        return Optional.ofNullable(info.schema).map(Schema::of);
    }

    /**
     * Gives the table a schema, in the place of the one that it has. Rows stay as they are: defaults are for later puts. Reads all rows. Version
     * 0.2 refuses a table with a schema.
     *
     * @throws TableException if rows do not fit: the message names the first, at most 10; or if the schema says nothing, has more than
     *     {@link Schema#MAX_COLUMNS} columns, {@link Schema#MAX_CHECKS} checks or 1 MiB of text, a column within one that is no object, or a key
     *     that is no required column of type text or integer
     */
    public Table withSchema(Schema schema) {
        return Declared.withSchema(this, schema);
    }

    /**
     * Removes the schema.
     *
     * @throws TableException if there is none
     */
    public Table withoutSchema() {
        return Declared.withoutSchema(this);
    }

    /** The name and the version. */
    @Override
    public String toString() {
        return "table " + TableText.quoted(info.name) + " of " + pail;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Table table
                && info.name.equals(table.info.name)
                && pail.root().equals(table.pail.root());
    }

    @Override
    public int hashCode() {
        return 31 * info.name.hashCode() + pail.root().hashCode();
    }
}
