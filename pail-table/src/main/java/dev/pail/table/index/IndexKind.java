package dev.pail.table.index;

import dev.pail.table.TableException;
import dev.pail.table.document.Values;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind of index: which value it has of a field, and which of these values a condition asks for. Keys, entries, repairs, checks and merges
 * are the same for all kinds. {@link IndexKinds} has the list of kinds.
 */
public interface IndexKind {
    /**
     * Returns what the index has of a row, or null if it has no entry of it. A value that no index takes (spec rule T5) is refused with the
     * row.
     *
     * @param found what the document has in the field, as {@link Values} has it
     */
    @Nullable
    Object indexed(Object found);

    /**
     * Returns the ranges with the indexed values of all rows that may fulfil a condition on the field of the index, and perhaps of others;
     * or null if the index does not answer the condition. The whole filter is applied to each row that is read.
     *
     * @throws TableException if the condition has a value that no index takes: it is not answered then
     */
    @Nullable
    List<OrderedRange> select(Condition.Test condition);
}
