package dev.pail.shard;

import dev.pail.Escapes;
import org.jspecify.annotations.Nullable;

/** A place between keys. */
public final class Cut implements Comparable<Cut> {
    public final KeyBytes key;

    /** 0: just before the key. 1: just after it, before those it is a prefix of. 2: behind all that start with it. */
    private final int side;

    private Cut(KeyBytes key, int side) {
        this.key = key;
        this.side = side;
    }

    /** Just before a key. */
    public static Cut before(KeyBytes key) {
        return new Cut(key, 0);
    }

    /** Just after a key, before the longer ones that start with it. */
    public static Cut after(KeyBytes key) {
        return new Cut(key, 1);
    }

    /** Behind all keys that start with this. */
    public static Cut behind(KeyBytes prefix) {
        return new Cut(prefix, 2);
    }

    /** Whether this is just before its key. */
    public boolean isAtKey() {
        return side == 0;
    }

    /** Whether this is behind all that start with its key. */
    public boolean isAtPrefix() {
        return side == 2;
    }

    /** Whether a key comes after this place. */
    public boolean isBefore(KeyBytes other) {
        return compareTo(other) < 0;
    }

    /** Where this is seen from a key; never at it. */
    private int compareTo(KeyBytes other) {
        int order = key.compareTo(other);
        if (order == 0) {
            return side == 0 ? -1 : 1;
        }
        return side == 2 && other.startsWith(key) ? 1 : order;
    }

    /** This place among the keys that start with a prefix of {@link #key}, without that prefix. */
    public Cut without(int prefixLength) {
        return new Cut(key.without(prefixLength), side);
    }

    @Override
    public int compareTo(Cut other) {
        return compareTo(other, key.compareTo(other.key));
    }

    /** Compares where keys are in the order of their bytes, unsigned. */
    public int compareByBytes(Cut other) {
        return compareTo(other, key.compareBytes(other.key));
    }

    /** @param order the order of the keys */
    private int compareTo(Cut other, int order) {
        if (order == 0) {
            return Integer.compare(side, other.side);
        }
        if (order < 0) {
            return side == 2 && other.key.startsWith(key) ? 1 : -1;
        }
        return other.side == 2 && key.startsWith(other.key) ? -1 : 1;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Cut cut && compareTo(cut) == 0;
    }

    @Override
    public int hashCode() {
        return key.hashCode() * 3 + side;
    }

    @Override
    public String toString() {
        return (side == 0 ? "before " : side == 1 ? "after " : "behind prefix ") + Escapes.quote(key.toString());
    }
}
