package dev.pail.table.index;

import dev.pail.table.TableException;
import dev.pail.table.document.Values;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kind of index: which values it has of a field, and which of these a condition asks for. Keys, entries, repairs, checks and merges are the same
 * for all kinds. {@link IndexKinds} has the list of kinds.
 */
public interface IndexKind {
    /**
     * Returns the values that conditions compare and the index has. A value that no index takes (spec rule T5) is refused with the row.
     *
     * @param found what the document has in the field, as {@link Values} has it
     */
    Stream<Object> values(Object found);

    /**
     * Returns the ranges with the indexed values of all rows that may fulfil a condition on the field of the index. The whole filter is applied to
     * each row that is read.
     *
     * @throws TableException if the condition has a value that no index takes: it is not answered then
     */
    default List<OrderedRange> select(Condition.Test condition) {
        return switch (condition.operator()) {
            case EXISTS -> List.of(OrderedRange.all());
            case EQUAL -> List.of(OrderedRange.equal(condition.value()));
            case IN -> condition.values().stream().map(OrderedRange::equal).toList();
            case LESS -> List.of(OrderedRange.before(condition.value()));
            case AT_MOST -> List.of(OrderedRange.through(condition.value()));
            case GREATER -> List.of(OrderedRange.after(condition.value()));
            case AT_LEAST -> List.of(OrderedRange.from(condition.value()));
            case STARTS -> List.of(OrderedRange.prefix((String) condition.value()));
        };
    }

    /** Whether a condition holds for one of the values of what a document has in the field; null for nothing. */
    default boolean any(@Nullable Object found, Predicate<Object> condition) {
        return found != null && values(found).anyMatch(condition);
    }
}
