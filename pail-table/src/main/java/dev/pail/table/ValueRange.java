package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.table.index.OrderedRange;

/**
 * A contiguous range of values of one kind: one value, the values before or after one, or texts with a common prefix. Ranges can be
 * combined: {@code ValueRange.from(Scalar.of(18)).and(ValueRange.before(Scalar.of(65)))}.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * ValueRange adults = ValueRange.from(Scalar.of(18)).and(ValueRange.before(Scalar.of(65)));
 * List<Row> found = Tables.of(pail).table("people").find(FieldPath.parse("age"), adults).toList(); // by index
 * }</pre>
 */
@CheckReturnValue
public final class ValueRange {
    final OrderedRange range;

    ValueRange(OrderedRange range) {
        this.range = range;
    }

    /** All values that an index has. */
    public static ValueRange all() {
        return new ValueRange(OrderedRange.all());
    }

    /** One value. */
    public static ValueRange equal(Scalar value) {
        return new ValueRange(OrderedRange.equal(value.value));
    }

    /** A value and the greater ones of its kind: numbers, texts or booleans. */
    public static ValueRange from(Scalar value) {
        return new ValueRange(OrderedRange.from(value.value));
    }

    /** The values greater than one, of its kind. */
    public static ValueRange after(Scalar value) {
        return new ValueRange(OrderedRange.after(value.value));
    }

    /** A value and the lesser ones of its kind. */
    public static ValueRange through(Scalar value) {
        return new ValueRange(OrderedRange.through(value.value));
    }

    /** The values less than one, of its kind. */
    public static ValueRange before(Scalar value) {
        return new ValueRange(OrderedRange.before(value.value));
    }

    /** Texts that start with a text. */
    public static ValueRange prefix(String start) {
        return new ValueRange(OrderedRange.prefix(start));
    }

    /** The values that are in both ranges. */
    public ValueRange and(ValueRange other) {
        return new ValueRange(range.and(other.range));
    }

    /** Returns the bounds as in a filter. */
    @Override
    public String toString() {
        return range.toString();
    }
}
