package dev.pail.table;

import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An immutable sequence of bytes, in the order of unsigned bytes. Ids of tables and rows are such sequences.
 *
 * <pre>{@code
 * Bytes id = Bytes.of("ann");
 * int order = id.compareTo(Bytes.of(new byte[] {(byte) 0xff})); // less than 0: bytes are unsigned
 * String text = id.text(); // ann
 * }</pre>
 */
public final class Bytes implements Comparable<Bytes> {
    final byte[] array;

    private Bytes(byte[] array) {
        this.array = array;
    }

    /** Copies some bytes. */
    public static Bytes of(byte[] bytes) {
        return new Bytes(bytes.clone());
    }

    /**
     * A text as UTF-8.
     *
     * @throws IllegalArgumentException if it has a lone surrogate
     */
    public static Bytes of(String text) {
        return new Bytes(Utf8.encode(text));
    }

    static Bytes owned(byte[] bytes) {
        return new Bytes(bytes);
    }

    /** Returns a copy of the bytes. */
    public byte[] toByteArray() {
        return array.clone();
    }

    /** The number of bytes. */
    public int length() {
        return array.length;
    }

    /** Whether these bytes are a text in UTF-8. */
    public boolean isText() {
        return Utf8.firstMalformed(array, 0, array.length) < 0;
    }

    /**
     * Decodes the bytes as UTF-8.
     *
     * @throws IllegalStateException if they are not UTF-8
     */
    public String text() {
        if (!isText()) {
            throw new IllegalStateException("not a text in UTF-8: " + this);
        }
        return Utf8.decode(array, 0, array.length);
    }

    int indexOf(byte b, int from) {
        for (int i = from; i < array.length; i++) {
            if (array[i] == b) {
                return i;
            }
        }
        return -1;
    }

    Bytes range(int from, int to) {
        return new Bytes(Arrays.copyOfRange(array, from, to));
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(array, other.array);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(array);
    }

    /** Returns the bytes in quotes: as a text if they are one, else each byte as the character with its number. */
    @Override
    public String toString() {
        return Escapes.brief(
                isText() ? Utf8.decode(array, 0, array.length) : new String(array, StandardCharsets.ISO_8859_1));
    }
}
