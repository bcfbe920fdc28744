package dev.pail;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.shard.Cut;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.KeyInterval;
import dev.pail.walk.Direction;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys and a direction: {@code KeyRange.prefix("a/").from("a/b").before("a/x").descending()}. Each bound
 * narrows the range further; a range may be empty. Keys are in the order of {@link String#compareTo}; in
 * {@link Namespace#entries(KeyRange)}, in the order of the namespace.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * KeyRange range = KeyRange.prefix("photos/").from("photos/1").before("photos/5").descending();
 * boolean isIn = range.contains("photos/3"); // true
 * List<Entry> lastTen = pail.entries(range).limit(10).toList();
 * Pail without = pail.deleteRange(KeyRange.all().before("2026-01-01"));
 * }</pre>
 */
@CheckReturnValue
public final class KeyRange {
    private static final KeyRange ALL = all(Cut.before(KeyBytes.EMPTY), Cut.behind(KeyBytes.EMPTY));

    /** Keys behind this are in the range, if they are also before {@link #high}. */
    final Cut low;

    final Cut high;

    /** Of the lower bounds that were asked for, the one that leaves least where keys are in the order of their bytes. */
    final Cut lowByBytes;

    final Cut highByBytes;
    private final boolean descending;

    private KeyRange(Cut low, Cut high, Cut lowByBytes, Cut highByBytes, boolean descending) {
        this.low = low;
        this.high = high;
        this.lowByBytes = lowByBytes;
        this.highByBytes = highByBytes;
        this.descending = descending;
    }

    private static KeyRange all(Cut low, Cut high) {
        return new KeyRange(low, high, low, high, false);
    }

    /** All keys, in ascending order. */
    public static KeyRange all() {
        return ALL;
    }

    /**
     * The keys that start with a prefix, in ascending order.
     *
     * @throws KeyNotAllowedException if it has a lone surrogate; so have all methods that take a bound
     */
    public static KeyRange prefix(String prefix) {
        return ALL.within(prefix);
    }

    /** Of this range, the keys that start with a prefix. */
    public KeyRange within(String prefix) {
        KeyBytes bytes = KeyBytes.of(prefix);
        return narrowedLow(Cut.before(bytes)).narrowedHigh(Cut.behind(bytes));
    }

    /** Of this range, a key and the greater ones. */
    public KeyRange from(String key) {
        return narrowedLow(Cut.before(KeyBytes.of(key)));
    }

    /** Of this range, the keys greater than a key. */
    public KeyRange after(String key) {
        return narrowedLow(Cut.after(KeyBytes.of(key)));
    }

    /** Of this range, a key and the lesser ones. */
    public KeyRange through(String key) {
        return narrowedHigh(Cut.after(KeyBytes.of(key)));
    }

    /** Of this range, the keys less than a key. */
    public KeyRange before(String key) {
        return narrowedHigh(Cut.before(KeyBytes.of(key)));
    }

    /** Of this range, the keys that start with a prefix and the lesser ones. */
    public KeyRange throughPrefix(String prefix) {
        return narrowedHigh(Cut.behind(KeyBytes.of(prefix)));
    }

    /** Of this range, the keys greater than all that start with a prefix. */
    KeyRange behindPrefix(String prefix) {
        return narrowedLow(Cut.behind(KeyBytes.of(prefix)));
    }

    /** This range from its greatest key to its least. */
    public KeyRange descending() {
        return new KeyRange(low, high, lowByBytes, highByBytes, true);
    }

    /** This range from its least key to its greatest. */
    KeyRange ascending() {
        return new KeyRange(low, high, lowByBytes, highByBytes, false);
    }

    private KeyRange narrowedLow(Cut bound) {
        Cut newLow = low.compareTo(bound) > 0 ? low : bound;
        Cut newLowByBytes = lowByBytes.compareByBytes(bound) > 0 ? lowByBytes : bound;
        return new KeyRange(newLow, high, newLowByBytes, highByBytes, descending);
    }

    private KeyRange narrowedHigh(Cut bound) {
        Cut newHigh = high.compareTo(bound) < 0 ? high : bound;
        Cut newHighByBytes = highByBytes.compareByBytes(bound) < 0 ? highByBytes : bound;
        return new KeyRange(low, newHigh, lowByBytes, newHighByBytes, descending);
    }

    Direction direction() {
        return descending ? Direction.DESCENDING : Direction.ASCENDING;
    }

    /** The keys in the range. */
    KeyInterval interval() {
        return new KeyInterval(low, high);
    }

    /** Whether a key is in the range. */
    public boolean contains(String key) {
        KeyBytes bytes = KeyBytes.of(key);
        return low.isBefore(bytes) && !high.isBefore(bytes);
    }

    /** Returns a text that no key in the range is less than; empty, if the range has no lower bound. */
    public Optional<String> lower() {
        return low.key.length() == 0 ? Optional.empty() : Optional.of(low.key.toString());
    }

    /** Returns a text that no key in the range is greater than, except as {@link #isPastUpper} says; empty, if there is no upper bound. */
    public Optional<String> upper() {
        return high.key.length() == 0 && isPastUpper() ? Optional.empty() : Optional.of(high.key.toString());
    }

    /** Whether longer keys that start with {@link #upper} may be in the range. */
    public boolean isPastUpper() {
        return high.isAtPrefix();
    }

    /** Whether the range goes from its greatest key to its least. */
    public boolean isDescending() {
        return descending;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyRange range
                && low.compareTo(range.low) == 0
                && high.compareTo(range.high) == 0
                && lowByBytes.compareTo(range.lowByBytes) == 0
                && highByBytes.compareTo(range.highByBytes) == 0
                && descending == range.descending;
    }

    @Override
    public int hashCode() {
        return low.key.hashCode() * 31 + high.key.hashCode();
    }

    /** The bounds and the direction. */
    @Override
    public String toString() {
        return low + " to " + high + (descending ? ", descending" : "");
    }
}
