package dev.pail.table.index;

import dev.pail.table.TableException;
import dev.pail.table.document.Values;
import java.util.Arrays;

/** A range of values of one kind in their ordered forms (spec rule B6). */
public final class OrderedRange {
    /** The number of bounds that a single value counts for. */
    private static final int EQUAL = 1000;

    private static final byte[] ALL_LOW = {};
    private static final byte[] ALL_HIGH = {OrderedValue.TEXT + 1};
    private static final byte BEHIND_ENTRIES = KeyText.SEPARATOR + 1;

    /** The first bytes behind the prefix of an index that are in the range. */
    private final byte[] low;

    /** The first bytes that are behind the range. */
    private final byte[] high;

    private final String text;
    private final int bounds;

    private OrderedRange(byte[] low, byte[] high, String text, int bounds) {
        this.low = low;
        this.high = high;
        this.text = text;
        this.bounds = bounds;
    }

    /** All values that an index has. */
    public static OrderedRange all() {
        return new OrderedRange(ALL_LOW, ALL_HIGH, "exists", 0);
    }

    /** One value. */
    public static OrderedRange equal(Object value) {
        byte[] ordered = ordered(value);
        return new OrderedRange(
                with(ordered, KeyText.SEPARATOR), with(ordered, BEHIND_ENTRIES), "== " + Values.json(value), EQUAL);
    }

    /** A value and the greater ones of its kind: numbers, texts or booleans. */
    public static OrderedRange from(Object value) {
        return all().narrowed(with(ordered(value), KeyText.SEPARATOR), end(value), ">= " + Values.json(value));
    }

    /** The values greater than one, of its kind. */
    public static OrderedRange after(Object value) {
        return all().narrowed(with(ordered(value), BEHIND_ENTRIES), end(value), "> " + Values.json(value));
    }

    /** A value and the lesser ones of its kind. */
    public static OrderedRange through(Object value) {
        return all().narrowed(start(value), with(ordered(value), BEHIND_ENTRIES), "<= " + Values.json(value));
    }

    /** The values less than one, of its kind. */
    public static OrderedRange before(Object value) {
        return all().narrowed(start(value), with(ordered(value), KeyText.SEPARATOR), "< " + Values.json(value));
    }

    /** Texts that start with a text. */
    public static OrderedRange prefix(String start) {
        byte[] low = ordered(start);
        // The last byte is less than 0xff: the next greater one starts no text with this start.
        byte[] high = low.clone();
        high[high.length - 1]++;
        return all().narrowed(low, high, "starts " + Values.json(start));
    }

    /** The values that are in both ranges. */
    public OrderedRange and(OrderedRange other) {
        if (bounds == 0 || other.bounds == 0) {
            return bounds == 0 ? other : this;
        }
        OrderedRange both = narrowed(other.low, other.high, other.text);
        boolean one = bounds == EQUAL || other.bounds == EQUAL;
        return new OrderedRange(both.low, both.high, both.text, one ? EQUAL : both.bounds);
    }

    private OrderedRange narrowed(byte[] newLow, byte[] newHigh, String bound) {
        return new OrderedRange(
                Arrays.compareUnsigned(low, newLow) > 0 ? low : newLow,
                Arrays.compareUnsigned(high, newHigh) < 0 ? high : newHigh,
                bounds == 0 ? bound : text + " and " + bound,
                bounds + 1);
    }

    public byte[] low() {
        return low;
    }

    public byte[] high() {
        return high;
    }

    /** How few values are likely to be in the range: the more bounds, the fewer values. */
    public int selectivity() {
        return bounds;
    }

    public boolean isOneValue() {
        return bounds >= EQUAL;
    }

    /** The form of the one value. The range is not empty. */
    byte[] form() {
        return Arrays.copyOf(low, low.length - 1);
    }

    public boolean isEmpty() {
        return Arrays.compareUnsigned(low, high) >= 0;
    }

    private static byte[] ordered(Object value) {
        byte[] ordered = OrderedValue.indexable(value);
        if (ordered == null) {
            throw new TableException(
                    TableException.Reason.NOT_INDEXABLE, "no index has " + OrderedValue.notIndexable(value) + " (T5)");
        }
        return ordered;
    }

    private static byte[] start(Object value) {
        return new byte[] {value instanceof Boolean ? OrderedValue.FALSE : kind(value)};
    }

    private static byte[] end(Object value) {
        return new byte[] {(byte) (1 + (value instanceof Boolean ? OrderedValue.TRUE : kind(value)))};
    }

    private static byte kind(Object value) {
        return switch (Values.kind(value)) {
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
