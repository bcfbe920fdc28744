package dev.pail.table.index;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The index on the values of a field as they are (spec rule Q4). */
public final class FieldIndex implements IndexKind {
    @Override
    public Object indexed(Object found) {
        return found;
    }

    @Override
    public @Nullable List<OrderedRange> select(Condition.Test condition) {
        if (condition.operator() == Condition.Operator.IN) {
            return condition.values().stream().map(OrderedRange::equal).toList();
        }
        return List.of(range(condition));
    }

    private static OrderedRange range(Condition.Test condition) {
        return switch (condition.operator()) {
            case EXISTS -> OrderedRange.all();
            case EQUAL, IN -> OrderedRange.equal(condition.value());
            case LESS -> OrderedRange.before(condition.value());
            case AT_MOST -> OrderedRange.through(condition.value());
            case GREATER -> OrderedRange.after(condition.value());
            case AT_LEAST -> OrderedRange.from(condition.value());
            case STARTS -> OrderedRange.prefix((String) condition.value());
        };
    }
}
