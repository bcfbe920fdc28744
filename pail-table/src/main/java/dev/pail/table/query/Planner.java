package dev.pail.table.query;

import dev.pail.table.TableException;
import dev.pail.table.index.Condition;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexRange;
import dev.pail.table.index.OrderedRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the ranges of indexes that have all rows a filter accepts (spec rule Q4). */
public final class Planner {
    private final List<IndexKeys> indexes;

    private Planner(List<IndexKeys> indexes) {
        this.indexes = indexes;
    }

    /** Returns the ranges; none, if the indexes do not answer the condition. */
    public static List<IndexRange> ranges(Condition condition, List<IndexKeys> indexes) {
        List<IndexRange> found = new Planner(indexes).ranges(condition);
        return found == null ? List.of() : found;
    }

    /** The ranges that give all rows a condition lets through, and perhaps others; or null if no indexes do. */
    private @Nullable List<IndexRange> ranges(Condition condition) {
        if (condition instanceof Condition.All all) {
            return best(all);
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
        return condition instanceof Condition.Test test ? answer(test) : null;
    }

    /** Of conditions that must all hold, those on one index make one range; the narrowest of all is taken. */
    private @Nullable List<IndexRange> best(Condition.All all) {
        Map<IndexKeys, OrderedRange> ranges = new LinkedHashMap<>();
        List<IndexRange> best = null;
        for (Condition each : all.parts()) {
            List<IndexRange> some = ranges(each);
            if (some != null && each instanceof Condition.Test test && test.operator() != Condition.Operator.IN) {
                some.forEach(one -> ranges.merge(one.index(), one.values(), OrderedRange::and));
            } else if (some != null && (best == null || some.size() < best.size())) {
                best = some;
            }
        }
        IndexRange narrowest = null;
        for (Map.Entry<IndexKeys, OrderedRange> range : ranges.entrySet()) {
            if (narrowest == null
                    || range.getValue().selectivity() > narrowest.values().selectivity()) {
                narrowest = new IndexRange(range.getKey(), range.getValue());
            }
        }
        return narrowest != null && (best == null || narrowest.values().isOneValue()) ? List.of(narrowest) : best;
    }

    /** The ranges of the first index that answers a condition on its field, or null. */
    private @Nullable List<IndexRange> answer(Condition.Test test) {
        for (IndexKeys index : indexes) {
            List<OrderedRange> ranges = index.name.field().equals(test.field()) ? select(index, test) : null;
            if (ranges != null && !ranges.isEmpty()) {
                return ranges.stream()
                        .map(values -> new IndexRange(index, values))
                        .toList();
            }
        }
        return null;
    }

    private static @Nullable List<OrderedRange> select(IndexKeys index, Condition.Test test) {
        try {
            return index.name.kind().select(test);
        } catch (TableException e) {
            // A value that no index takes is in none: the rows are read.
            return null;
        }
    }
}
