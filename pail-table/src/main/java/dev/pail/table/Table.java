package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Batch;
import dev.pail.BlockLocation;
import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.LocatedBlocks;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.document.Values;
import dev.pail.table.index.EscapedText;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexKinds;
import dev.pail.table.index.IndexName;
import dev.pail.table.index.IndexRange;
import dev.pail.table.index.KeyText;
import dev.pail.table.index.OrderedRange;
import dev.pail.table.index.OrderedValue;
import dev.pail.table.index.TableInfo;
import dev.pail.table.index.TableText;
import dev.pail.table.query.AccessWalk;
import dev.pail.table.query.RowWalk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Spliterator;
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

    /** Returns the indexed fields, in order. */
    public SortedSet<FieldPath> indexes() {
        SortedSet<FieldPath> fields = new TreeSet<>();
        for (IndexKeys index : info.indexes) {
            if (index.name.kind() == IndexKinds.FIELD) {
                fields.add(index.name.field());
            }
        }
        return fields;
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

    private @Nullable Row row(String key, Cid cid, RowWalk.@Nullable Ahead ahead) {
        String id = info.rowId(key);
        return id == null ? null : new Row(pail.blocks(), key, id, cid, ahead);
    }

    /**
     * Returns the rows that match a filter. Uses indexes if they fit: {@link #explain} shows how. Without an index, the rows are in the
     * order of their ids, else in no particular order. Lazy.
     */
    public Stream<Row> rows(Filter filter) {
        return candidates(filter).filter(row -> filter.accepts(row.document()));
    }

    /** The rows that a plan reads, in the order of {@link #rows(Filter)}. */
    private Stream<Row> candidates(Filter filter) {
        List<IndexRange> ranges = ranges(filter);
        return ranges.isEmpty() ? rows() : indexed(ranges);
    }

    /**
     * An order of rows: by the values in a field, as an index orders them, and then by ids. The rows where the field is absent, a list or an
     * object come last. Rule Q6.
     *
     * @param isDescending whether the greatest value and the greatest id come first; the rows without a value are still last
     */
    public record Order(FieldPath field, boolean isDescending) {
        public Order {
            Objects.requireNonNull(field, "field");
        }
    }

    /**
     * Returns the first rows that match a filter, in an order. If the field has an index, and the filter has no equality on another, the
     * stream is lazy and reads the index in its order. Else it reads all rows that {@link #rows(Filter)} reads at its start, and holds the
     * result in memory.
     *
     * @param most the maximum number of rows, 0 or more
     * @throws IllegalArgumentException if {@code most} is less than 0
     */
    public Stream<Row> rows(Filter filter, Order order, long most) {
        List<IndexRange> ranges = ranges(filter);
        IndexKeys index = info.index(IndexName.of(order.field));
        List<IndexRange> own = index == null ? List.of() : Plan.ranges(filter, List.of(index));
        boolean isOwn = own.size() == 1;
        boolean isOther = !ranges.isEmpty()
                && ranges.stream().allMatch(range -> range.values().isOneValue())
                && ranges.stream().anyMatch(range -> range.index() != index);
        if (most < 0) {
            throw new IllegalArgumentException("a number of rows is 0 or more, not " + most);
        }
        if (index == null || isOther || own.size() > 1) {
            return StreamSupport.stream(() -> sorted(filter, order, most).spliterator(), Spliterator.ORDERED, false);
        }
        Stream<Row> rows = entries(index, isOwn ? own.get(0).values() : OrderedRange.all(), order.isDescending);
        if (!isOwn) {
            rows = Stream.concat(rows, without(index, order.isDescending));
        }
        return (filter.equals(Filter.all()) ? rows : rows.filter(row -> filter.accepts(row.document()))).limit(most);
    }

    /** The rows that an index does not have. */
    private Stream<Row> without(IndexKeys index, boolean isDescending) {
        KeyRange all = KeyRange.prefix(info.rows);
        return RowWalk.of(pail, isDescending ? all.descending() : all, (entry, ahead) -> {
            String id = entry.key().substring(info.rows.length());
            return pail.get(index.reverse + id).isPresent() ? null : row(entry.key(), entry.value(), ahead);
        });
    }

    private record Sorted(Row row, @Nullable Scalar value) {
        static Comparator<Sorted> by(Order order) {
            Comparator<Scalar> ascending = Comparator.naturalOrder();
            Comparator<Sorted> values = Comparator.comparing(
                    Sorted::value, Comparator.nullsLast(order.isDescending ? ascending.reversed() : ascending));
            Comparator<Sorted> ids = (a, b) -> Values.compareTexts(a.row.id(), b.row.id());
            return values.thenComparing(order.isDescending ? ids.reversed() : ids);
        }
    }

    /** The first rows in an order, of all that are read. */
    private List<Row> sorted(Filter filter, Order order, long most) {
        Comparator<Sorted> by = Sorted.by(order);
        PriorityQueue<Sorted> last = new PriorityQueue<>(by.reversed());
        forEach(filter, (row, document) -> {
            last.add(new Sorted(row, document.get(order.field).orElse(null)));
            if (last.size() > most) {
                last.remove();
            }
        });
        return last.stream().sorted(by).map(Sorted::row).toList();
    }

    /** Counts the rows that match a filter. With {@link Filter#all}, reads no documents. */
    public long count(Filter filter) {
        if (filter.equals(Filter.all())) {
            try (Stream<Row> rows = rows()) {
                return rows.count();
            }
        }
        try (Stream<Row> rows = rows(filter)) {
            return rows.count();
        }
    }

    /** Sums up the values in a field of the rows that match a filter. */
    public Summary summary(Filter filter, FieldPath field) {
        Objects.requireNonNull(field, "field");
        Summary.Builder all = new Summary.Builder();
        forEach(filter, (row, document) -> all.add(row, field, document));
        return all.build();
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
        forEach(filter, (row, document) -> {
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

    /** Reads the rows that match a filter, each once. */
    private void forEach(Filter filter, BiConsumer<Row, Document> action) {
        try (Stream<Row> rows = candidates(filter)) {
            rows.forEachOrdered(row -> {
                Document document = row.document();
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

    /** What the keys of all candidates are in: those of rows, or of an index. */
    KeyRange range(List<IndexRange> ranges, int access) {
        if (ranges.isEmpty()) {
            return KeyRange.prefix(info.rows);
        }
        IndexRange one = ranges.get(access);
        return one.values().isEmpty() ? KeyRange.all().before("") : one.index().range(one.values());
    }

    /** The row that an entry of such a range is of, or null. */
    @Nullable
    Row candidate(boolean isFullScan, IndexKeys.EntryRows rows, Entry entry) {
        Entry there = isFullScan ? entry : place(rows, entry);
        if (there == null || (!isFullScan && !pail.get(there.key()).equals(Optional.of(there.value())))) {
            return null;
        }
        return row(there.key(), there.value(), null);
    }

    /** Whether a range of an index gives a row. */
    boolean gives(IndexRange access, Row row) {
        IndexKeys index = access.index();
        Object found = row.document().at(index.name.field());
        return Optional.ofNullable(found == null ? null : index.name.kind().indexed(found))
                .filter(Values::isScalar)
                .map(OrderedValue::indexable)
                .map(value -> index.entry(value, EscapedText.of(row.id())))
                .filter(key -> !access.values().isEmpty()
                        && index.range(access.values()).contains(key))
                .flatMap(pail::get)
                .filter(row.cid()::equals)
                .isPresent();
    }

    private Stream<Row> indexed(List<IndexRange> accesses) {
        if (accesses.size() == 1) {
            return entries(accesses.get(0));
        }
        return StreamSupport.stream(
                () -> new AccessWalk<>(accesses, this::entries, Row::id), AccessWalk.CHARACTERISTICS, false);
    }

    private Stream<Row> entries(IndexRange access) {
        return entries(access.index(), access.values(), false);
    }

    /**
     * Returns the rows whose indexed field has a value in a range, in the order of the values. Rows with the same value are in the order
     * of their ids. Lazy.
     *
     * @throws TableException if there is no index on the field
     */
    public Stream<Row> find(FieldPath field, ValueRange values) {
        Objects.requireNonNull(values, "values");
        return entries(index(IndexName.of(field)), values.range, false);
    }

    /** The rows of index entries. */
    private Stream<Row> entries(IndexKeys index, OrderedRange values, boolean isDescending) {
        if (values.isEmpty()) {
            return Stream.empty();
        }
        IndexKeys.EntryRows rows = new IndexKeys.EntryRows();
        KeyRange range = index.range(values);
        return RowWalk.ofIndex(
                pail,
                isDescending ? range.descending() : range,
                entry -> place(rows, entry),
                (entry, ahead) -> row(entry.key(), entry.value(), ahead));
    }

    /** The entry of the row that an index entry names. It counts if the row has this document. Rule T7. */
    private @Nullable Entry place(IndexKeys.EntryRows rows, Entry entry) {
        String id = rows.rowOf(entry.key());
        return id == null ? null : new Entry(info.rows.concat(id), entry.value());
    }

    private IndexKeys index(IndexName name) {
        IndexKeys index = info.index(name);
        if (index == null) {
            throw new TableException(
                    TableException.Reason.NO_INDEX,
                    "no index on the field " + TableText.quoted(name.field().text()) + " of the table "
                            + TableText.quoted(info.name));
        }
        return index;
    }

    /** Returns the plan by which {@link #rows(Filter)} finds its rows. */
    public Plan explain(Filter filter) {
        Objects.requireNonNull(filter, "filter");
        return Plan.of(filter, ranges(filter));
    }

    private List<IndexRange> ranges(Filter filter) {
        return Plan.ranges(Objects.requireNonNull(filter, "filter"), info.indexes);
    }

    /**
     * Declares an index on a field, and builds it from the existing rows.
     *
     * @throws TableException if there is one already, or a row has a value in that field that is not indexable
     */
    public Table createIndex(FieldPath field) {
        return createIndex(IndexName.of(Objects.requireNonNull(field, "field")));
    }

    Table createIndex(IndexName name) {
        if (info.index(name) != null) {
            throw new TableException(
                    TableException.Reason.INDEX_EXISTS,
                    "there is an index on the field "
                            + TableText.quoted(name.field().text()) + " of the table " + TableText.quoted(info.name)
                            + " already");
        }
        SortedSet<IndexName> names = info.names();
        names.add(name);
        TableInfo next = info.with(names);
        IndexKeys index = new IndexKeys(info.name, name);
        List<Entry> entries = new ArrayList<>();
        try (Stream<Row> rows = rows()) {
            rows.forEachOrdered(row -> index.indexed(row.id(), row.document().at(name.field()))
                    .ifPresent(value -> entries.addAll(index.entriesOf(value, EscapedText.of(row.id()), row.cid()))));
        }
        // In the order of keys it goes faster.
        entries.sort(Comparator.comparing(Entry::key));
        Batch batch = pail.batch();
        // A merge may have left some of an index that was there once.
        index.clear(pail, batch);
        entries.forEach(entry -> batch.put(entry.key(), entry.value()));
        return described(batch, next);
    }

    /**
     * Removes an index.
     *
     * @throws TableException if there is none on the field
     */
    public Table dropIndex(FieldPath field) {
        return dropIndex(IndexName.of(field));
    }

    Table dropIndex(IndexName name) {
        IndexKeys index = index(name);
        SortedSet<IndexName> names = info.names();
        names.remove(name);
        Batch batch = pail.batch();
        index.clear(pail, batch);
        return described(batch, info.with(names));
    }

    private Table described(Batch batch, TableInfo next) {
        Block block = next.block();
        pail.blocks().put(block);
        return new Table(batch.put(TableInfo.key(info.name), block.cid()).commit(), next);
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
