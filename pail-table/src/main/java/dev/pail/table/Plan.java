package dev.pail.table;

import dev.pail.table.index.Condition;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexRange;
import dev.pail.table.query.Planner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The plan for finding the rows that match a filter: read every row, or only those that indexes name. Rule Q4. In both cases the
 * filter is applied to each row.
 *
 * <pre>{@code
 * Plan plan = Tables.of(pail).table("people").explain(Filter.parse("age >= 18"));
 * boolean readsAll = plan.isFullScan(); // false, if age has an index
 * plan.accesses().forEach(access -> System.out.println(access.field() + " " + access.values()));
 * }</pre>
 *
 * @param filter the condition
 * @param accesses the index ranges to read: the rows of all of them are candidates. Without any, all rows of the table are
 * @param sort where the order of the rows is from
 */
public record Plan(Filter filter, List<Access> accesses, Sort sort) {
    /** How the rows get the order that a caller wants. */
    public enum Sort {
        /** None is wanted. */
        NONE(""),
        /** The index has it. If the filter has no condition on its first field, the rows without a value there are read last. */
        INDEX("; order: that of the index"),
        /** All rows of the plan are read, and sorted in memory. */
        MEMORY("; order: sorted in memory");

        private final String text;

        Sort(String text) {
            this.text = text;
        }
    }

    /**
     * The entries of an index with values in ranges.
     *
     * @param ranges a range for each of the first fields of the index, at least one; each but the last is one value
     */
    public record Access(Index index, List<ValueRange> ranges) {
        public Access {
            Objects.requireNonNull(index, "index");
            ranges = List.copyOf(Objects.requireNonNull(ranges, "ranges"));
        }

        /** The first field of the index. */
        public FieldPath field() {
            return index.fields().get(0).path();
        }

        /** The range of the first field. */
        public ValueRange values() {
            return ranges.get(0);
        }

        @Override
        public String toString() {
            if (index.isPlain()) {
                return "index " + field() + ": " + values();
            }
            List<String> conditions = new ArrayList<>();
            for (int i = 0; i < ranges.size(); i++) {
                Index.Field field = index.fields().get(i);
                conditions.add(field.form().of(field.path().text()) + " " + ranges.get(i));
            }
            return "index " + index + ": " + String.join(", ", conditions);
        }
    }

    public Plan {
        Objects.requireNonNull(filter, "filter");
        accesses = List.copyOf(Objects.requireNonNull(accesses, "accesses"));
        Objects.requireNonNull(sort, "sort");
    }

    /** A plan without an order. */
    public Plan(Filter filter, List<Access> accesses) {
        this(filter, accesses, Sort.NONE);
    }

    static Plan of(Filter filter, List<IndexRange> ranges, Sort sort) {
        return new Plan(
                filter,
                ranges.stream()
                        .map(range -> new Access(
                                range.index().name.index(),
                                range.values().stream().map(ValueRange::new).toList()))
                        .toList(),
                sort);
    }

    static List<IndexRange> ranges(Filter filter, List<IndexKeys> indexes) {
        return Planner.ranges(condition(filter), indexes);
    }

    /** The fields that a filter asks for. */
    static Set<FieldPath> fields(Filter filter) {
        Set<FieldPath> fields = new HashSet<>();
        add(fields, filter);
        return fields;
    }

    /** Whether a filter accepts a row. It reads no document if a covering index has the fields of the filter. */
    static Predicate<Row> accepts(Filter filter) {
        Set<FieldPath> fields = fields(filter);
        return row -> filter.accepts(row.document(fields));
    }

    private static void add(Set<FieldPath> fields, Filter filter) {
        if (filter instanceof Filter.And and) {
            and.filters().forEach(each -> add(fields, each));
        } else if (filter instanceof Filter.Or or) {
            or.filters().forEach(each -> add(fields, each));
        } else if (filter instanceof Filter.Not not) {
            add(fields, not.filter());
        } else if (filter instanceof Filter.Compare compare) {
            fields.add(compare.field());
        } else if (filter instanceof Filter.In in) {
            fields.add(in.field());
        } else if (filter instanceof Filter.Starts starts) {
            fields.add(starts.field());
        } else if (filter instanceof Filter.Contains contains) {
            fields.add(contains.field());
        } else if (filter instanceof Filter.Exists exists) {
            fields.add(exists.field());
        }
    }

    /**
     * Whether indexes have all that the filter and some fields ask for: then no document is read, but of rows with values that are too long for
     * an entry.
     */
    public boolean covers(Collection<FieldPath> fields) {
        Set<FieldPath> wanted = fields(filter);
        wanted.addAll(Objects.requireNonNull(fields, "fields"));
        return !accesses.isEmpty()
                && accesses.stream().allMatch(access -> access.index().covered().containsAll(wanted));
    }

    /** What indexes see of a filter. */
    private static Condition condition(Filter filter) {
        if (filter instanceof Filter.And and) {
            return new Condition.All(and.filters().stream().map(Plan::condition).toList());
        }
        if (filter instanceof Filter.Or or) {
            return new Condition.Any(or.filters().stream().map(Plan::condition).toList());
        }
        if (filter instanceof Filter.In in) {
            return new Condition.Test(
                    in.field(),
                    in.form(),
                    Condition.Operator.IN,
                    in.values().stream().map(value -> value.value).toList());
        }
        if (filter instanceof Filter.Starts starts) {
            return new Condition.Test(
                    starts.field(), starts.form(), Condition.Operator.STARTS, List.of(starts.start()));
        }
        if (filter instanceof Filter.Exists exists) {
            return new Condition.Test(exists.field(), exists.form(), Condition.Operator.EXISTS, List.of());
        }
        if (filter instanceof Filter.Compare compare && compare.comparison() != Filter.Comparison.NOT_EQUAL) {
            return new Condition.Test(
                    compare.field(), compare.form(), operator(compare.comparison()), List.of(compare.value().value));
        }
        return new Condition.Unanswered();
    }

    private static Condition.Operator operator(Filter.Comparison comparison) {
        return switch (comparison) {
            case EQUAL -> Condition.Operator.EQUAL;
            case LESS -> Condition.Operator.LESS;
            case AT_MOST -> Condition.Operator.AT_MOST;
            case GREATER -> Condition.Operator.GREATER;
            case AT_LEAST -> Condition.Operator.AT_LEAST;
            case NOT_EQUAL -> throw new IllegalArgumentException("no index answers !=");
        };
    }

    /** Whether the plan reads every row. */
    public boolean isFullScan() {
        return accesses.isEmpty();
    }

    /** The plan in words. */
    @Override
    public String toString() {
        String how = isFullScan()
                ? "full scan"
                : accesses.stream().map(Access::toString).collect(Collectors.joining("; "));
        return how + sort.text + "; filter: " + filter;
    }
}
