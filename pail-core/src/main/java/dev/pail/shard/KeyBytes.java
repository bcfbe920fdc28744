package dev.pail.shard;

import dev.pail.KeyNotAllowedException;
import dev.pail.bytes.Utf8;
import java.util.Arrays;

/**
 * A key, or a part of one, as UTF-8: a range of an array that is never changed. Ordered as {@link String#compareTo}
 * orders the texts.
 */
public final class KeyBytes implements Comparable<KeyBytes> {
    public static final KeyBytes EMPTY = new KeyBytes(new byte[0], 0, 0);

    public final byte[] array;
    public final int from;
    public final int to;

    public KeyBytes(byte[] array, int from, int to) {
        this.array = array;
        this.from = from;
        this.to = to;
    }

    /**
     * The bytes of a key. Rule K1.
     *
     * @throws KeyNotAllowedException if the text has a lone surrogate
     */
    public static KeyBytes of(String text) {
        try {
            byte[] bytes = Utf8.encode(text);
            return new KeyBytes(bytes, 0, bytes.length);
        } catch (IllegalArgumentException e) {
            throw new KeyNotAllowedException(text, "a lone surrogate at index " + Utf8.loneSurrogate(text) + " (K1)");
        }
    }

    public int length() {
        return to - from;
    }

    public boolean isEmpty() {
        return to == from;
    }

    public byte first() {
        return array[from];
    }

    /** Returns these bytes without the first {@code bytes} of them. */
    public KeyBytes without(int bytes) {
        return new KeyBytes(array, from + bytes, to);
    }

    /** Returns the first {@code bytes} of these bytes. */
    public KeyBytes prefix(int bytes) {
        return new KeyBytes(array, from, from + bytes);
    }

    /** If this is the rest of a whole key, returns the whole key up to the end of the next {@code bytes}. */
    public KeyBytes path(int bytes) {
        return new KeyBytes(array, 0, from + bytes);
    }

    /** This and then that, in an array of their own. */
    public KeyBytes append(KeyBytes rest) {
        byte[] both = Arrays.copyOfRange(array, from, to + rest.length());
        System.arraycopy(rest.array, rest.from, both, length(), rest.length());
        return new KeyBytes(both, 0, both.length);
    }

    public boolean startsWith(KeyBytes prefix) {
        return length() >= prefix.length() && commonLength(prefix) == prefix.length();
    }

    /** The bytes from {@code skip} on, as {@link Utf8#leadingBytes} has it. */
    public long orderFrom(int skip) {
        return Utf8.leadingBytes(array, from + skip, to);
    }

    /** How many bytes both start with. */
    public int commonLength(KeyBytes other) {
        int i = Arrays.mismatch(array, from, to, other.array, other.from, other.to);
        return i < 0 ? length() : i;
    }

    /** The largest number of bytes up to {@code bytes} that ends between two code points. */
    public int wholeCodePoints(int bytes) {
        int end = bytes;
        while (end > 0 && end < length() && Utf8.isContinuation(array[from + end])) {
            end--;
        }
        return end;
    }

    /** Compares by the bytes, unsigned: the order of code points, not that of {@link String#compareTo}. */
    int compareBytes(KeyBytes other) {
        return Arrays.compareUnsigned(array, from, to, other.array, other.from, other.to);
    }

    @Override
    public int compareTo(KeyBytes other) {
        return Utf8.compare(array, from, to, other.array, other.from, other.to);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyBytes key && compareTo(key) == 0;
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + array[i];
        }
        return hash;
    }

    /** The text. */
    @Override
    public String toString() {
        return Utf8.decode(array, from, to);
    }
}
