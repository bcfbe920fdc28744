package dev.pail.table;

import dev.pail.bytes.Utf8;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;
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
    /** What a value is. */
    enum Kind {
        NULL,
        FALSE,
        TRUE,
        NUMBER,
        TEXT
    }

    private static final int MAX_SCALE = 1_000_000;

    /** Integers below this are doubles, too. */
    private static final long EXACT = 1L << 53;

    static final Scalar NULL = new Scalar(Kind.NULL, "null");
    static final Scalar FALSE = new Scalar(Kind.FALSE, "false");
    static final Scalar TRUE = new Scalar(Kind.TRUE, "true");

    final Kind kind;

    /** A text; for numbers a Long, a Double, a BigInteger or a BigDecimal. */
    private final Object value;

    private @Nullable Decimal decimal;

    private Scalar(Kind kind, Object value) {
        this.kind = kind;
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
        return new Scalar(Kind.TEXT, Objects.requireNonNull(text, "text"));
    }

    /** An integer. */
    public static Scalar of(long number) {
        return new Scalar(Kind.NUMBER, number);
    }

    /** An integer of any size. */
    public static Scalar of(BigInteger number) {
        return number.bitLength() < Long.SIZE ? of(number.longValue()) : new Scalar(Kind.NUMBER, number);
    }

    /**
     * A floating point number.
     *
     * @throws IllegalArgumentException if it is not finite
     */
    public static Scalar of(double number) {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException("numbers are finite, not " + number);
        }
        // Zero has no sign.
        return new Scalar(Kind.NUMBER, number == 0 ? 0.0 : number);
    }

    /**
     * A decimal number.
     *
     * @throws IllegalArgumentException if its exponent is beyond 1,000,000 or below -1,000,000
     */
    public static Scalar of(BigDecimal number) {
        if (Math.abs((long) number.scale()) > MAX_SCALE) {
            throw new IllegalArgumentException("a number with an exponent beyond " + MAX_SCALE);
        }
        return new Scalar(Kind.NUMBER, number);
    }

    /**
     * Parses a JSON value.
     *
     * @throws DocumentException if it is no JSON value, or a list or an object
     */
    public static Scalar parse(String json) {
        if (JsonReader.value(json) instanceof Scalar value) {
            return value;
        }
        throw new DocumentException(
                0, 1, "a list or an object, where a text, a number, true, false or null is expected");
    }

    boolean isText() {
        return kind == Kind.TEXT;
    }

    /** The text, where this is one. */
    String text() {
        return value.toString();
    }

    /** Whether this is a number that dag-cbor has as an integer: one that was written without a point, and fits. */
    boolean isLong() {
        return value instanceof Long;
    }

    boolean isDouble() {
        return value instanceof Double;
    }

    /** Whether this is a number that was written without a point and without an exponent. */
    boolean isInteger() {
        return value instanceof Long || value instanceof BigInteger;
    }

    /** All digits of an integer, however many there are. */
    String integer() {
        return value.toString();
    }

    /** Whether this is a number that was written with a point or an exponent. */
    boolean isFraction() {
        return value instanceof Double || value instanceof BigDecimal;
    }

    /** The number. */
    Number number() {
        return (Number) value;
    }

    Decimal decimal() {
        Decimal known = decimal;
        if (known == null) {
            known = value instanceof Long number ? Decimal.of(number) : Decimal.of(bigDecimal());
            decimal = known;
        }
        return known;
    }

    private BigDecimal bigDecimal() {
        if (value instanceof Long number) {
            return BigDecimal.valueOf(number);
        }
        if (value instanceof Double number) {
            return Decimal.shortest(number);
        }
        return value instanceof BigInteger number ? new BigDecimal(number) : (BigDecimal) value;
    }

    /** Returns the value in its canonical form as JSON. Rule B5. */
    public String json() {
        if (kind == Kind.TEXT) {
            StringBuilder out = new StringBuilder();
            JsonText.append(out, text());
            return out.toString();
        }
        return kind == Kind.NUMBER ? decimal().json() : text();
    }

    /** Returns a text as it is, and other values as {@link #json} does. */
    public String plain() {
        return isText() ? text() : json();
    }

    /** What {@link #compareTo} makes of values that can be compared at all: both booleans, both numbers, both texts, both null. */
    boolean isComparableWith(Scalar other) {
        return kind == other.kind || (isBoolean() && other.isBoolean());
    }

    boolean isBoolean() {
        return kind == Kind.FALSE || kind == Kind.TRUE;
    }

    @Override
    public int compareTo(Scalar other) {
        if (kind != other.kind) {
            return kind.compareTo(other.kind);
        }
        return switch (kind) {
            case TEXT -> compareCodePoints(text(), other.text());
            case NUMBER -> compareNumbers(other);
            default -> 0;
        };
    }

    private int compareNumbers(Scalar other) {
        if (value instanceof Long a && other.value instanceof Long b) {
            return Long.compare(a, b);
        }
        if (isExactDouble() && other.isExactDouble()) {
            return Double.compare(number().doubleValue(), other.number().doubleValue());
        }
        return bigDecimal().compareTo(other.bigDecimal());
    }

    private boolean isExactDouble() {
        return value instanceof Double || (value instanceof Long number && number > -EXACT && number < EXACT);
    }

    static int compareCodePoints(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                // Surrogates stand for code points above all others of 16 bits.
                return Character.isSurrogate(x) == Character.isSurrogate(y)
                        ? Character.compare(x, y)
                        : Character.isSurrogate(x) ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /** Whether this is a text that can be written as UTF-8, or no text at all. */
    boolean isWellFormed() {
        return kind != Kind.TEXT || Utf8.loneSurrogate(text()) < 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Scalar scalar && compareTo(scalar) == 0;
    }

    @Override
    public int hashCode() {
        return kind == Kind.NUMBER ? decimal().hashCode() : text().hashCode();
    }

    /** As {@link #json}. */
    @Override
    public String toString() {
        return json();
    }
}
