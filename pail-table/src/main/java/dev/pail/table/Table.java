package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
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
        return info.fields();
    }

    /**
     * Returns the row with an id, if there is one.
     *
     * @throws TableException if the id has a lone surrogate
     */
    public Optional<Row> get(String id) {
        KeyParts.text("row id", id);
        if (Bytes.of(id).length() > TableBatch.MAX_ID) {
            return Optional.empty();
        }
        String key = info.rowKey(id);
        return pail.get(key).map(cid -> new Row(pail.blocks(), key, id, cid));
    }

    /**
     * Returns the key of the pail for a row, which need not exist: {@code pail.prove(table.key("ann"))} proves the row. The key has the
     * number of the table, which may differ between versions (spec rule T2).
     *
     * @throws TableException if the id has a lone surrogate
     */
    public String key(String id) {
        KeyParts.text("row id", id);
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
        return RowWalk.of(pail, KeyRange.prefix(info.rows), entry -> row(entry.key(), entry.value()));
    }

    private @Nullable Row row(String key, Cid cid) {
        String id = info.rowId(key);
        return id == null ? null : new Row(pail.blocks(), key, id, cid);
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
        Plan plan = explain(filter);
        return plan.isFullScan() ? rows() : indexed(plan);
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
            Summary.Builder group = document.at(by) instanceof Scalar value
                    ? groups.computeIfAbsent(value, each -> new Summary.Builder())
                    : none;
            group.add(row, of, document);
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
        return RowPage.of(this, explain(filter), after, most);
    }

    /** What the keys of all candidates are in: those of rows, or of an index. */
    KeyRange range(Plan plan, int access) {
        if (plan.isFullScan()) {
            return KeyRange.prefix(info.rows);
        }
        Plan.Access one = plan.accesses().get(access);
        return one.values().isEmpty()
                ? KeyRange.all().before("")
                : index(one.field()).range(one.values());
    }

    /** The row that an entry of such a range is of, or null. */
    @Nullable
    Row candidate(Plan plan, IndexKeys.Rows rows, Entry entry) {
        return plan.isFullScan() ? row(entry.key(), entry.value()) : indexed(rows, entry);
    }

    /** Whether an access gives a row. */
    boolean gives(Plan.Access access, Row row) {
        IndexKeys index = index(access.field());
        return row.document()
                .get(access.field())
                .filter(OrderedValue::isIndexable)
                .map(OrderedValue::encode)
                .map(value -> index.entry(value, EscapedText.of(row.id())))
                .filter(key -> !access.values().isEmpty()
                        && index.range(access.values()).contains(key))
                .flatMap(pail::get)
                .filter(row.cid()::equals)
                .isPresent();
    }

    private Stream<Row> indexed(Plan plan) {
        List<Plan.Access> accesses = plan.accesses();
        if (accesses.size() == 1) {
            return entries(accesses.get(0));
        }
        return StreamSupport.stream(() -> new AccessWalk(accesses, this::entries), AccessWalk.CHARACTERISTICS, false);
    }

    private Stream<Row> entries(Plan.Access access) {
        return entries(index(access.field()), access.values());
    }

    /**
     * Returns the rows whose indexed field has a value in a range, in the order of the values. Rows with the same value are in the order
     * of their ids. Lazy.
     *
     * @throws TableException if there is no index on the field
     */
    public Stream<Row> find(FieldPath field, ValueRange values) {
        Objects.requireNonNull(values, "values");
        return entries(index(field), values);
    }

    /** The rows of index entries. */
    private Stream<Row> entries(IndexKeys index, ValueRange values) {
        if (values.isEmpty()) {
            return Stream.empty();
        }
        IndexKeys.Rows rows = new IndexKeys.Rows();
        return RowWalk.of(pail, index.range(values), entry -> indexed(rows, entry));
    }

    /** The row of an index entry, or null. It counts if it links to the document that the row has. Rule T7. */
    private @Nullable Row indexed(IndexKeys.Rows rows, Entry entry) {
        String id = rows.rowOf(entry.key());
        if (id == null) {
            return null;
        }
        String key = info.rows.concat(id);
        boolean isRows = pail.get(key).filter(entry.value()::equals).isPresent();
        return isRows ? row(key, entry.value()) : null;
    }

    private IndexKeys index(FieldPath field) {
        IndexKeys index = info.index(field);
        if (index == null) {
            throw new TableException(
                    TableException.Reason.NO_INDEX,
                    "no index on the field " + Tables.quoted(field.text()) + " of the table "
                            + Tables.quoted(info.name));
        }
        return index;
    }

    /** Returns the plan by which {@link #rows(Filter)} finds its rows. */
    public Plan explain(Filter filter) {
        Objects.requireNonNull(filter, "filter");
        return Plan.of(filter, info.fields());
    }

    /**
     * Declares an index on a field, and builds it from the existing rows.
     *
     * @throws TableException if there is one already, or a row has a value in that field that is not indexable
     */
    public Table createIndex(FieldPath field) {
        Objects.requireNonNull(field, "field");
        if (info.index(field) != null) {
            throw new TableException(
                    TableException.Reason.INDEX_EXISTS,
                    "there is an index on the field " + Tables.quoted(field.text()) + " of the table "
                            + Tables.quoted(info.name) + " already");
        }
        SortedSet<FieldPath> fields = info.fields();
        fields.add(field);
        TableInfo next = TableInfo.of(info.name, info.number, fields);
        IndexKeys index = new IndexKeys(info.name, field);
        List<Entry> entries = new ArrayList<>();
        try (Stream<Row> rows = rows()) {
            rows.forEachOrdered(row -> TableBatch.indexed(info, index, row.id(), row.document())
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
        IndexKeys index = index(field);
        SortedSet<FieldPath> fields = info.fields();
        fields.remove(field);
        Batch batch = pail.batch();
        index.clear(pail, batch);
        return described(batch, TableInfo.of(info.name, info.number, fields));
    }

    private Table described(Batch batch, TableInfo next) {
        Block block = next.block();
        pail.blocks().put(block);
        return new Table(batch.put(TableInfo.key(info.name), block.cid()).commit(), next);
    }

    /** The name and the version. */
    @Override
    public String toString() {
        return "table " + Tables.quoted(info.name) + " of " + pail;
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
