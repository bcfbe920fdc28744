package dev.pail.table;

import dev.pail.table.document.JsonReader;
import dev.pail.table.document.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value for an index: null, false, true, a number or a text, in this order. Numbers compare by their value, not by their text:
 * {@code 1}, {@code 1.0} and {@code 10e-1} are one value. Texts are ordered by their code points.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * Scalar one = Scalar.of(1);
 * boolean isEqual = one.equals(Scalar.parse("10e-1")); // true
 * int order = one.compareTo(Scalar.of("a")); // less than 0: numbers come before texts
 * }</pre>
 */
public final class Scalar implements Comparable<Scalar> {
    private static final Scalar NULL = new Scalar(Values.NULL);
    private static final Scalar FALSE = new Scalar(false);
    private static final Scalar TRUE = new Scalar(true);

    /** The value as {@link Values} has it. */
    final Object value;

    Scalar(Object value) {
        this.value = value;
    }

    /** The value null. */
    public static Scalar ofNull() {
        return NULL;
    }

    /** True or false. */
    public static Scalar of(boolean value) {
        return value ? TRUE : FALSE;
    }

    /** A text. */
    public static Scalar of(String text) {
        return new Scalar(Objects.requireNonNull(text, "text"));
    }

    /** An integer. */
    public static Scalar of(long number) {
        return new Scalar((Object) number);
    }

    /** An integer of any size. */
    public static Scalar of(BigInteger number) {
        return new Scalar(Values.of(number));
    }

    /**
     * A floating point number.
     *
     * @throws IllegalArgumentException if it is not finite
     */
    public static Scalar of(double number) {
        return new Scalar(Values.of(number));
    }

    /**
     * A decimal number.
     *
     * @throws IllegalArgumentException if its exponent is beyond 1,000,000 or below -1,000,000
     */
    public static Scalar of(BigDecimal number) {
        return new Scalar(Values.of(number));
    }

    /**
     * Parses a JSON value.
     *
     * @throws DocumentException if it is no JSON value, or a list or an object
     */
    public static Scalar parse(String json) {
        Object value = JsonReader.value(json);
        if (Values.isScalar(value)) {
            return new Scalar(value);
        }
        throw new DocumentException(
                0, 1, "a list or an object, where a text, a number, true, false or null is expected");
    }

    /** Returns the value in its canonical form as JSON. Rule B5. */
    public String json() {
        return Values.json(value);
    }

    /** Returns a text as it is, and other values as {@link #json} does. */
    public String plain() {
        return value instanceof String text ? text : json();
    }

    /** Whether it is null. */
    public boolean isNull() {
        return value.equals(Values.NULL);
    }

    /** Returns the text, if it is one. */
    public Optional<String> asText() {
        return value instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /** Returns the number, if it is one: exactly, in the shortest form for a floating point number. */
    public Optional<BigDecimal> asNumber() {
        return value instanceof Number number ? Optional.of(Values.bigDecimal(number)) : Optional.empty();
    }

    /** Returns true or false, if it is one of them. */
    public Optional<Boolean> asBoolean() {
        return value instanceof Boolean truth ? Optional.of(truth) : Optional.empty();
    }

    @Override
    public int compareTo(Scalar other) {
        return Values.compare(value, other.value);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Scalar scalar && compareTo(scalar) == 0;
    }

    @Override
    public int hashCode() {
        return Values.hash(value);
    }

    /** As {@link #json}. */
    @Override
    public String toString() {
        return json();
    }
}
