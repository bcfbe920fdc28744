package dev.pail.table;

import dev.pail.table.index.Condition;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexRange;
import dev.pail.table.query.Planner;
import java.util.List;
import java.util.Objects;
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
 */
public record Plan(Filter filter, List<Access> accesses) {
    /** The entries of an index with values in a range. */
    public record Access(FieldPath field, ValueRange values) {
        public Access {
            Objects.requireNonNull(field, "field");
            Objects.requireNonNull(values, "values");
        }

        @Override
        public String toString() {
            return "index " + field + ": " + values;
        }
    }

    public Plan {
        Objects.requireNonNull(filter, "filter");
        accesses = List.copyOf(Objects.requireNonNull(accesses, "accesses"));
    }

    static Plan of(Filter filter, List<IndexRange> ranges) {
        return new Plan(
                filter,
                ranges.stream()
                        .map(range -> new Access(range.index().name.field(), new ValueRange(range.values())))
                        .toList());
    }

    static List<IndexRange> ranges(Filter filter, List<IndexKeys> indexes) {
        return Planner.ranges(condition(filter), indexes);
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
                    Condition.Operator.IN,
                    in.values().stream().map(value -> value.value).toList());
        }
        if (filter instanceof Filter.Starts starts) {
            return new Condition.Test(starts.field(), Condition.Operator.STARTS, List.of(starts.start()));
        }
        if (filter instanceof Filter.Exists exists) {
            return new Condition.Test(exists.field(), Condition.Operator.EXISTS, List.of());
        }
        if (filter instanceof Filter.Compare compare && compare.comparison() != Filter.Comparison.NOT_EQUAL) {
            return new Condition.Test(compare.field(), operator(compare.comparison()), List.of(compare.value().value));
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
        return how + "; filter: " + filter;
    }
}
