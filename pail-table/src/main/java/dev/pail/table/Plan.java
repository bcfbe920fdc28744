package dev.pail.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

    static Plan of(Filter filter, Set<FieldPath> indexes) {
        List<Access> found = accesses(filter, indexes);
        return new Plan(filter, found == null ? List.of() : found);
    }

    /** Whether the plan reads every row. */
    public boolean isFullScan() {
        return accesses.isEmpty();
    }

    /** The accesses that give all rows a filter lets through, and perhaps others; or null if no indexes do. */
    private static @Nullable List<Access> accesses(Filter filter, Set<FieldPath> indexes) {
        if (filter instanceof Filter.And and) {
            return best(and, indexes);
        }
        if (filter instanceof Filter.Or or) {
            List<Access> all = new ArrayList<>();
            for (Filter each : or.filters()) {
                List<Access> some = accesses(each, indexes);
                if (some == null) {
                    return null;
                }
                all.addAll(some);
            }
            return all;
        }
        if (filter instanceof Filter.In in
                && indexes.contains(in.field())
                && !in.values().isEmpty()) {
            return in.values().stream().allMatch(value -> OrderedValue.isIndexable(value.value))
                    ? in.values().stream()
                            .map(value -> new Access(in.field(), ValueRange.equal(value)))
                            .toList()
                    : null;
        }
        Access one = access(filter, indexes);
        return one == null ? null : List.of(one);
    }

    /** Of conditions that must all hold, those on one field make one range; the narrowest of all is taken. */
    private static @Nullable List<Access> best(Filter.And and, Set<FieldPath> indexes) {
        Map<FieldPath, ValueRange> ranges = new LinkedHashMap<>();
        List<Access> best = null;
        for (Filter each : and.filters()) {
            Access one = access(each, indexes);
            if (one != null) {
                ranges.merge(one.field, one.values, ValueRange::and);
                continue;
            }
            List<Access> some = accesses(each, indexes);
            if (some != null && (best == null || some.size() < best.size())) {
                best = some;
            }
        }
        Access narrowest = null;
        for (Map.Entry<FieldPath, ValueRange> range : ranges.entrySet()) {
            if (narrowest == null || range.getValue().selectivity() > narrowest.values.selectivity()) {
                narrowest = new Access(range.getKey(), range.getValue());
            }
        }
        return narrowest != null && (best == null || narrowest.values.isOneValue()) ? List.of(narrowest) : best;
    }

    /** The one range of an index that a condition asks for, or null if it asks for none. */
    private static @Nullable Access access(Filter filter, Set<FieldPath> indexes) {
        FieldPath field;
        ValueRange values;
        if (filter instanceof Filter.Compare compare && OrderedValue.isIndexable(compare.value().value)) {
            field = compare.field();
            values = range(compare);
        } else if (filter instanceof Filter.Starts starts && OrderedValue.isIndexable(starts.start())) {
            field = starts.field();
            values = ValueRange.prefix(starts.start());
        } else if (filter instanceof Filter.Exists exists) {
            field = exists.field();
            values = ValueRange.all();
        } else {
            return null;
        }
        return values == null || !indexes.contains(field) ? null : new Access(field, values);
    }

    private static @Nullable ValueRange range(Filter.Compare compare) {
        return switch (compare.comparison()) {
            case EQUAL -> ValueRange.equal(compare.value());
            case LESS -> ValueRange.before(compare.value());
            case AT_MOST -> ValueRange.through(compare.value());
            case GREATER -> ValueRange.after(compare.value());
            case AT_LEAST -> ValueRange.from(compare.value());
            case NOT_EQUAL -> null;
        };
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
