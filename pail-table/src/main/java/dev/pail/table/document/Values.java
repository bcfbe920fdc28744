package dev.pail.table.document;

import dev.pail.bytes.Utf8;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The values of a document as plain Java: {@link #NULL}, Boolean, Long, BigInteger, Double, BigDecimal and String, and lists and maps of such.
 * A Long is an integer that fits, and a BigInteger one that does not. All but lists and maps are ordered (spec rule B6).
 */
public final class Values {
    /** The value null of JSON. */
    public static final Object NULL = JsonNull.NULL;

    private static final int MAX_SCALE = 1_000_000;

    /** Integers below this are doubles, too. */
    private static final long EXACT = 1L << 53;

    private enum JsonNull {
        NULL
    }

    private Values() {}

    /** An integer of any size. */
    public static Object of(BigInteger number) {
        return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
    }

    /**
     * A floating point number.
     *
     * @throws IllegalArgumentException if the number is not finite
     */
    public static Double of(double number) {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException("numbers are finite, not " + number);
        }
        // Zero has no sign.
        return number == 0 ? 0.0 : number;
    }

    /**
     * A decimal number.
     *
     * @throws IllegalArgumentException if the exponent is beyond 1,000,000 or below -1,000,000
     */
    public static BigDecimal of(BigDecimal number) {
        if (Math.abs((long) number.scale()) > MAX_SCALE) {
            throw new IllegalArgumentException("a number with an exponent beyond " + MAX_SCALE);
        }
        return number;
    }

    /** Whether a value is neither a list nor a map. */
    public static boolean isScalar(Object value) {
        // Checks of classes are faster than those of interfaces.
        return value instanceof String || value instanceof Number || value instanceof Boolean || value == NULL;
    }

    /** The kind of a scalar. */
    public static ValueKind kind(Object value) {
        if (value instanceof String) {
            return ValueKind.TEXT;
        }
        if (value instanceof Number) {
            return ValueKind.NUMBER;
        }
        if (value instanceof Boolean truth) {
            return truth ? ValueKind.TRUE : ValueKind.FALSE;
        }
        if (value != NULL) {
            throw new IllegalArgumentException("no value of a document: " + value.getClass());
        }
        return ValueKind.NULL;
    }

    /** Whether a value is a number that was written without a point and without an exponent. */
    public static boolean isInteger(Object value) {
        return value instanceof Long || value instanceof BigInteger;
    }

    /** Whether a number has no fraction: 1.0 has none. */
    public static boolean isWhole(Number value) {
        return isInteger(value) || bigDecimal(value).stripTrailingZeros().scale() <= 0;
    }

    /** Whether two scalars are both booleans, both numbers, both texts or both null. */
    public static boolean areComparable(Object a, Object b) {
        return a instanceof Boolean ? b instanceof Boolean : kind(a) == kind(b);
    }

    /** The order of scalars: null, false, true, numbers, texts. */
    public static int compare(Object a, Object b) {
        if (a instanceof Long x && b instanceof Long y) {
            return Long.compare(x, y);
        }
        ValueKind kind = kind(a);
        if (kind != kind(b)) {
            return kind.compareTo(kind(b));
        }
        return switch (kind) {
            case TEXT -> compareTexts((String) a, (String) b);
            case NUMBER -> compareNumbers((Number) a, (Number) b);
            default -> 0;
        };
    }

    private static int compareNumbers(Number a, Number b) {
        return isExactDouble(a) && isExactDouble(b)
                ? Double.compare(a.doubleValue(), b.doubleValue())
                : bigDecimal(a).compareTo(bigDecimal(b));
    }

    private static boolean isExactDouble(Number value) {
        return value instanceof Double || (value instanceof Long number && number > -EXACT && number < EXACT);
    }

    /** The order of texts by their code points. */
    public static int compareTexts(String a, String b) {
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

    public static int hash(Object value) {
        return value instanceof Number number ? decimal(number).hashCode() : value.hashCode();
    }

    public static Decimal decimal(Number value) {
        return value instanceof Long number ? Decimal.of(number) : Decimal.of(bigDecimal(value));
    }

    public static BigDecimal bigDecimal(Number value) {
        if (value instanceof Long number) {
            return BigDecimal.valueOf(number);
        }
        if (value instanceof Double number) {
            return Decimal.shortest(number);
        }
        return value instanceof BigInteger number ? new BigDecimal(number) : (BigDecimal) value;
    }

    /** Whether a scalar can be written in UTF-8: a text, if it has no lone surrogate. */
    public static boolean isWellFormed(Object value) {
        return !(value instanceof String text) || Utf8.loneSurrogate(text) < 0;
    }

    /** A scalar in its canonical form as JSON (spec rule B5). */
    public static String json(Object value) {
        if (value instanceof String text) {
            StringBuilder out = new StringBuilder();
            JsonText.append(out, text);
            return out.toString();
        }
        if (value instanceof Number number) {
            return decimal(number).json();
        }
        return value == NULL ? "null" : value.toString();
    }
}
