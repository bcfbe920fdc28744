package dev.pail.table;

import dev.pail.KeyRange;
import dev.pail.table.document.Values;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexRange;
import dev.pail.table.index.OrderedRange;
import dev.pail.table.query.RowWalk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Spliterator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The rows that match a filter, in an order: those of an index that has the order, or sorted in memory (Rule Q6). */
final class OrderedRows {
    private final Table table;
    private final Filter filter;
    private final List<Table.Order> orders;

    OrderedRows(Table table, Filter filter, List<Table.Order> orders) {
        this.table = table;
        this.filter = filter;
        this.orders = orders;
    }

    /**
     * An index that has the order.
     *
     * @param range what the filter says of the index; null, if it says nothing
     * @param first the first of its fields that has the order: those before it have one value
     */
    private record Source(IndexKeys index, @Nullable IndexRange range, int first) {}

    Stream<Row> first(long most) {
        Source source = source();
        return source == null
                ? lazily(() -> sorted(most))
                : indexed(source.index, source.range, source.first).limit(most);
    }

    Plan plan() {
        Source source = source();
        if (source == null) {
            return Plan.of(filter, table.ranges(filter), Plan.Sort.MEMORY);
        }
        IndexRange range = source.range == null ? new IndexRange(source.index, OrderedRange.all()) : source.range;
        return Plan.of(filter, List.of(range), Plan.Sort.INDEX);
    }

    private @Nullable Source source() {
        List<IndexRange> plan = table.ranges(filter);
        for (IndexKeys index : table.info().indexes) {
            List<IndexRange> own = Plan.ranges(filter, List.of(index));
            IndexRange range = own.size() == 1 ? own.get(0) : null;
            int equalities = range == null ? 0 : range.equalities();
            boolean isOther = !plan.isEmpty()
                    && plan.stream().allMatch(each -> each.last().isOneValue() && each.index() != index)
                    && plan.get(0).equalities() > equalities;
            for (int first = 0; own.size() < 2 && !isOther && first <= equalities; first++) {
                if (has(index, first)) {
                    return new Source(index, range, first);
                }
            }
        }
        return null;
    }

    /** Whether the fields of an index from one on have the order, or that of one field in the other direction. */
    private boolean has(IndexKeys index, int first) {
        List<Index.Field> fields = index.name.fields();
        if (fields.size() - first != orders.size()) {
            return false;
        }
        for (int i = 0; i < orders.size(); i++) {
            Table.Order order = orders.get(i);
            Index.Field field = fields.get(first + i);
            boolean isSame = orders.size() == 1 || field.isDescending() == order.isDescending();
            if (!field.path().equals(order.field()) || field.form() != FieldForm.VALUE || !isSame) {
                return false;
            }
        }
        return true;
    }

    private Stream<Row> indexed(IndexKeys index, @Nullable IndexRange range, int first) {
        boolean isReversed =
                index.name.fields().get(first).isDescending() != orders.get(0).isDescending();
        Stream<Row> rows;
        if (range == null) {
            KeyRange all = KeyRange.prefix(index.entries);
            rows = Stream.concat(table.entries(index, isReversed ? all.descending() : all), without(index));
        } else if (range.isEmpty()) {
            rows = Stream.empty();
        } else if (isReversed && range.values().size() == first) {
            List<OrderedRange> values = new ArrayList<>(range.values());
            values.add(OrderedRange.all());
            // In the other direction, the rows without a value would be first.
            rows = Stream.concat(
                    table.entries(index, new IndexRange(index, values).keys().descending()),
                    table.entries(index, range.withoutNext().descending()));
        } else {
            rows = table.entries(index, isReversed ? range.keys().descending() : range.keys());
        }
        return filter.equals(Filter.all()) ? rows : rows.filter(Plan.accepts(filter));
    }

    /** The rows that an index does not have: they have no value in its first field. */
    private Stream<Row> without(IndexKeys index) {
        KeyRange all = KeyRange.prefix(table.info().rows);
        Stream<Row> rows =
                RowWalk.of(table.pail(), orders.get(0).isDescending() ? all.descending() : all, (entry, ahead) -> {
                    String id = entry.key().substring(table.info().rows.length());
                    return table.pail().get(index.reverse + id).isPresent()
                            ? null
                            : table.row(entry.key(), entry.value(), ahead);
                });
        return orders.size() == 1
                ? rows
                : lazily(() -> rows.map(row -> sortable(row, row.document()))
                        .sorted(by())
                        .map(Sorted::row)
                        .toList());
    }

    private static Stream<Row> lazily(Supplier<List<Row>> rows) {
        return StreamSupport.stream(() -> rows.get().spliterator(), Spliterator.ORDERED, false);
    }

    private record Sorted(Row row, List<@Nullable Scalar> values) {}

    private Sorted sortable(Row row, Document document) {
        List<@Nullable Scalar> values = new ArrayList<>();
        orders.forEach(order -> values.add(document.get(order.field()).orElse(null)));
        return new Sorted(row, values);
    }

    private Comparator<Sorted> by() {
        Comparator<Scalar> ascending = Comparator.naturalOrder();
        Comparator<Sorted> ids = (a, b) -> Values.compareTexts(a.row.id(), b.row.id());
        Comparator<Sorted> by = orders.get(orders.size() - 1).isDescending() ? ids.reversed() : ids;
        for (int i = orders.size() - 1; i >= 0; i--) {
            int at = i;
            Comparator<Scalar> values = orders.get(i).isDescending() ? ascending.reversed() : ascending;
            Comparator<Sorted> field =
                    Comparator.comparing(sorted -> sorted.values.get(at), Comparator.nullsLast(values));
            by = field.thenComparing(by);
        }
        return by;
    }

    /** The first rows in the order, of all that are read. */
    private List<Row> sorted(long most) {
        Comparator<Sorted> by = by();
        PriorityQueue<Sorted> last = new PriorityQueue<>(by.reversed());
        List<FieldPath> fields = orders.stream().map(Table.Order::field).toList();
        table.forEach(filter, fields, (row, document) -> {
            last.add(sortable(row, document));
            if (last.size() > most) {
                last.remove();
            }
        });
        return last.stream().sorted(by).map(Sorted::row).toList();
    }
}
