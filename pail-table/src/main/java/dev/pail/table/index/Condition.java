package dev.pail.table.index;

import dev.pail.table.FieldForm;
import dev.pail.table.FieldPath;
import dev.pail.table.document.Values;
import java.util.List;

/** What indexes see of a filter. */
public sealed interface Condition {
    /** All of several conditions. */
    record All(List<Condition> parts) implements Condition {}

    /** At least one of several conditions. */
    record Any(List<Condition> parts) implements Condition {}

    /** A condition that no index answers. */
    record Unanswered() implements Condition {}

    /**
     * A condition on one field.
     *
     * @param values scalars as {@link Values} has them: any number for {@link Operator#IN}, none for {@link Operator#EXISTS}, else one
     */
    record Test(FieldPath field, FieldForm form, Operator operator, List<Object> values) implements Condition {
        /** The one value. */
        public Object value() {
            return values.get(0);
        }
    }

    /** How a value in a field compares with those of the condition. */
    enum Operator {
        EQUAL,
        LESS,
        AT_MOST,
        GREATER,
        AT_LEAST,
        IN,
        STARTS,
        EXISTS
    }
}
