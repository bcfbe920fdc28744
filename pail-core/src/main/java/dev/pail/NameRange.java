package dev.pail;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.keys.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A range of the byte keys of a namespace, and a direction. For text keys, use {@link KeyRange}. Each bound narrows the
 * range further; a range may be empty. Keys are in the order of their unsigned bytes.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * Namespace orders = pail.namespace("orders");
 * Name march = Name.of(new byte[] {0, 3});
 * try (Stream<NamespaceEntry> entries = orders.entries(NameRange.prefix(march).descending())) {
 *     List<NamespaceEntry> latest = entries.limit(10).toList(); // keys that start with the bytes 0 and 3
 * }
 * }</pre>
 */
@CheckReturnValue
public final class NameRange {
    private static final NameRange ALL = new NameRange(List.of(), false);

    final List<Bound> bounds;
    final boolean descending;

    /** What a bound leaves of a range. */
    enum Side {
        FROM,
        AFTER,
        THROUGH,
        BEFORE,

        /** All up to the greatest that starts with this. */
        THROUGH_PREFIX
    }

    record Bound(Side side, Name name) {}

    private NameRange(List<Bound> bounds, boolean descending) {
        this.bounds = bounds;
        this.descending = descending;
    }

    /** All keys, in ascending order. */
    public static NameRange all() {
        return ALL;
    }

    /** The keys that start with a prefix, in ascending order. */
    public static NameRange prefix(Name prefix) {
        return ALL.within(prefix);
    }

    /** Of this range, the keys that start with a prefix. */
    public NameRange within(Name prefix) {
        return from(prefix).narrowed(Side.THROUGH_PREFIX, prefix);
    }

    /** Of this range, a key and the greater ones. */
    public NameRange from(Name key) {
        return narrowed(Side.FROM, key);
    }

    /** Of this range, the keys greater than a key. */
    public NameRange after(Name key) {
        return narrowed(Side.AFTER, key);
    }

    /** Of this range, a key and the lesser ones. */
    public NameRange through(Name key) {
        return narrowed(Side.THROUGH, key);
    }

    /** Of this range, the keys less than a key. */
    public NameRange before(Name key) {
        return narrowed(Side.BEFORE, key);
    }

    /** This range from its greatest key to its least. */
    public NameRange descending() {
        return new NameRange(bounds, true);
    }

    private NameRange narrowed(Side side, Name name) {
        Objects.requireNonNull(name, "name");
        List<Bound> more = new ArrayList<>(bounds);
        more.add(new Bound(side, name));
        return new NameRange(List.copyOf(more), descending);
    }

    /** The bounds and the direction. */
    @Override
    public String toString() {
        return bounds + (descending ? ", descending" : "");
    }
}
