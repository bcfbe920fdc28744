package dev.pail.table.query;

import dev.pail.table.FieldForm;
import dev.pail.table.Index;
import dev.pail.table.TableException;
import dev.pail.table.index.Condition;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexKinds;
import dev.pail.table.index.IndexRange;
import dev.pail.table.index.OrderedRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the ranges of indexes that have all rows a filter accepts (spec rule Q4). */
public final class Planner {
    /** The better plan is the greater one. */
    private static final Comparator<List<IndexRange>> BETTER = Comparator.<List<IndexRange>>comparingInt(Planner::rank)
            .thenComparing(Comparator.<List<IndexRange>>comparingInt(List::size).reversed())
            .thenComparingInt(plan -> plan.get(0).equalities())
            .thenComparingInt(plan -> plan.get(0).last().selectivity())
            .thenComparing(plan -> !plan.get(0).index().name.index().included().isEmpty())
            .thenComparing(Comparator.<List<IndexRange>>comparingInt(
                            plan -> plan.get(0).index().name.fields().size())
                    .reversed());

    private final List<IndexKeys> indexes;

    private Planner(List<IndexKeys> indexes) {
        this.indexes = indexes;
    }

    /** Returns the ranges; none, if the indexes do not answer the condition. */
    public static List<IndexRange> ranges(Condition condition, List<IndexKeys> indexes) {
        List<IndexRange> found = new Planner(indexes).ranges(condition);
        return found == null ? List.of() : found;
    }

    /** An equality is better than several ranges, and these are better than one range. */
    private static int rank(List<IndexRange> plan) {
        return plan.size() > 1 ? 1 : plan.get(0).equalities() > 0 ? 2 : 0;
    }

    /** The ranges that give all rows a condition lets through, and perhaps others; or null if no indexes do. */
    private @Nullable List<IndexRange> ranges(Condition condition) {
        if (condition instanceof Condition.All all) {
            return best(all.parts());
        }
        if (condition instanceof Condition.Any any) {
            List<IndexRange> some = new ArrayList<>();
            for (Condition each : any.parts()) {
                List<IndexRange> more = ranges(each);
                if (more == null) {
                    return null;
                }
                some.addAll(more);
            }
            return some;
        }
        return condition instanceof Condition.Test test ? best(List.of(test)) : null;
    }

    /** What conditions that must all hold say of one field. */
    private static final class OfField {
        private @Nullable OrderedRange range;

        /** Of a condition with several values. */
        private @Nullable List<OrderedRange> values;

        private void add(Condition.Test test, List<OrderedRange> ranges) {
            if (test.operator() != Condition.Operator.IN) {
                OrderedRange one = ranges.get(0);
                OrderedRange known = range;
                range = known == null ? one : test.form() == FieldForm.ITEMS ? better(known, one) : known.and(one);
            } else if (values == null || ranges.size() < values.size()) {
                values = ranges;
            }
        }

        /** Each condition on the items of a list can hold for another item. */
        private static OrderedRange better(OrderedRange one, OrderedRange other) {
            return other.selectivity() > one.selectivity() ? other : one;
        }

        private List<OrderedRange> ranges() {
            OrderedRange one = range;
            List<OrderedRange> list = values;
            return one != null && (list == null || one.isOneValue()) ? List.of(one) : list == null ? List.of() : list;
        }
    }

    /** The best plan for conditions that must all hold. */
    private @Nullable List<IndexRange> best(List<? extends Condition> conditions) {
        Map<Index.Field, OfField> fields = new HashMap<>();
        List<IndexRange> best = null;
        for (Condition each : conditions) {
            if (!(each instanceof Condition.Test test)) {
                best = better(best, ranges(each));
                continue;
            }
            List<OrderedRange> ranges = select(test);
            if (ranges != null && !ranges.isEmpty()) {
                fields.computeIfAbsent(new Index.Field(test.field(), test.form(), false), field -> new OfField())
                        .add(test, ranges);
            }
        }
        for (IndexKeys index : indexes) {
            best = better(best, plan(index, fields));
        }
        return best;
    }

    private static @Nullable List<IndexRange> better(@Nullable List<IndexRange> one, @Nullable List<IndexRange> other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        // An or without parts has no rows.
        boolean isBetter = !one.isEmpty() && (other.isEmpty() || BETTER.compare(other, one) > 0);
        return isBetter ? other : one;
    }

    /** The ranges of one index: equalities on its first fields, and a range on the next; null, if no condition is on the first. */
    private static @Nullable List<IndexRange> plan(IndexKeys index, Map<Index.Field, OfField> fields) {
        List<List<OrderedRange>> plan = List.of(List.of());
        for (Index.Field field : index.name.fields()) {
            OfField found = fields.get(new Index.Field(field.path(), field.form(), false));
            List<OrderedRange> ranges = found == null ? List.of() : found.ranges();
            // A second list of values would multiply the ranges.
            if (ranges.isEmpty() || (plan.size() > 1 && ranges.size() > 1)) {
                break;
            }
            List<List<OrderedRange>> longer = new ArrayList<>();
            for (List<OrderedRange> start : plan) {
                for (OrderedRange range : ranges) {
                    List<OrderedRange> values = new ArrayList<>(start);
                    values.add(range);
                    longer.add(values);
                }
            }
            plan = longer;
            if (!ranges.stream().allMatch(OrderedRange::isOneValue)) {
                break;
            }
        }
        return plan.get(0).isEmpty()
                ? null
                : plan.stream().map(values -> new IndexRange(index, values)).toList();
    }

    private static @Nullable List<OrderedRange> select(Condition.Test test) {
        try {
            return IndexKinds.of(test.form()).select(test);
        } catch (TableException e) {
            // A value that no index takes is in none: the rows are read.
            return null;
        }
    }
}
