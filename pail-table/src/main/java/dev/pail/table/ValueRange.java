package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import java.util.Arrays;

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
    /** The number of bounds that a single value counts for. */
    private static final int EQUAL = 1000;

    private static final byte[] ALL_LOW = {};
    private static final byte[] ALL_HIGH = {OrderedValue.TEXT + 1};
    private static final byte BEHIND_ENTRIES = FieldKey.SEPARATOR + 1;

    /** The first bytes behind the prefix of an index that are in the range. */
    final Bytes low;

    /** The first bytes that are behind the range. */
    final Bytes high;

    private final String text;
    private final int bounds;

    private ValueRange(byte[] low, byte[] high, String text, int bounds) {
        this.low = Bytes.owned(low);
        this.high = Bytes.owned(high);
        this.text = text;
        this.bounds = bounds;
    }

    /** All values that an index has. */
    public static ValueRange all() {
        return new ValueRange(ALL_LOW, ALL_HIGH, "exists", 0);
    }

    /** One value. */
    public static ValueRange equal(Scalar value) {
        byte[] ordered = ordered(value);
        return new ValueRange(
                with(ordered, FieldKey.SEPARATOR), with(ordered, BEHIND_ENTRIES), "== " + value.json(), EQUAL);
    }

    /** A value and the greater ones of its kind: numbers, texts or booleans. */
    public static ValueRange from(Scalar value) {
        return all().narrowed(with(ordered(value), FieldKey.SEPARATOR), end(value), ">= " + value.json());
    }

    /** The values greater than one, of its kind. */
    public static ValueRange after(Scalar value) {
        return all().narrowed(with(ordered(value), BEHIND_ENTRIES), end(value), "> " + value.json());
    }

    /** A value and the lesser ones of its kind. */
    public static ValueRange through(Scalar value) {
        return all().narrowed(start(value), with(ordered(value), BEHIND_ENTRIES), "<= " + value.json());
    }

    /** The values less than one, of its kind. */
    public static ValueRange before(Scalar value) {
        return all().narrowed(start(value), with(ordered(value), FieldKey.SEPARATOR), "< " + value.json());
    }

    /** Texts that start with a text. */
    public static ValueRange prefix(String start) {
        Scalar value = Scalar.of(start);
        byte[] low = ordered(value);
        // No byte of UTF-8 is 0xff, so that nothing with this start is behind it.
        return all().narrowed(low, with(low, (byte) 0xff), "starts " + value.json());
    }

    /** The values that are in both ranges. */
    public ValueRange and(ValueRange other) {
        if (bounds == 0 || other.bounds == 0) {
            return bounds == 0 ? other : this;
        }
        ValueRange both = narrowed(other.low.array, other.high.array, other.text);
        boolean one = bounds == EQUAL || other.bounds == EQUAL;
        return new ValueRange(both.low.array, both.high.array, both.text, one ? EQUAL : both.bounds);
    }

    private ValueRange narrowed(byte[] newLow, byte[] newHigh, String bound) {
        return new ValueRange(
                Arrays.compareUnsigned(low.array, newLow) > 0 ? low.array : newLow,
                Arrays.compareUnsigned(high.array, newHigh) < 0 ? high.array : newHigh,
                bounds == 0 ? bound : text + " and " + bound,
                bounds + 1);
    }

    /** How few values are likely to be in the range: the more bounds, the fewer values. */
    int selectivity() {
        return bounds;
    }

    boolean isOneValue() {
        return bounds >= EQUAL;
    }

    boolean isEmpty() {
        return low.compareTo(high) >= 0;
    }

    private static byte[] ordered(Scalar value) {
        byte[] ordered = OrderedValue.indexable(value.value);
        if (ordered == null) {
            throw new TableException(
                    TableException.Reason.NOT_INDEXABLE,
                    "no index has " + FieldKey.notIndexable(value.value) + " (T5)");
        }
        return ordered;
    }

    private static byte[] start(Scalar value) {
        return new byte[] {value.value instanceof Boolean ? OrderedValue.FALSE : kind(value)};
    }

    private static byte[] end(Scalar value) {
        return new byte[] {(byte) (1 + (value.value instanceof Boolean ? OrderedValue.TRUE : kind(value)))};
    }

    private static byte kind(Scalar value) {
        return switch (Values.kind(value.value)) {
            case NULL -> OrderedValue.NULL;
            case FALSE -> OrderedValue.FALSE;
            case TRUE -> OrderedValue.TRUE;
            case NUMBER -> OrderedValue.NUMBER;
            case TEXT -> OrderedValue.TEXT;
        };
    }

    private static byte[] with(byte[] bytes, byte last) {
        byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
        more[bytes.length] = last;
        return more;
    }

    /** Returns the bounds as in a filter. */
    @Override
    public String toString() {
        return text;
    }
}
