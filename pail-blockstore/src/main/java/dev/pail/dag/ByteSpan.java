package dev.pail.dag;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;

/** A range of an array of bytes, which is never changed. */
public final class ByteSpan {
    private final byte[] array;
    private final int from;
    private final int to;

    /** @param to behind the last byte */
    public ByteSpan(byte[] array, int from, int to) {
        this.array = array;
        this.from = from;
        this.to = to;
    }

    /** All of an array. */
    public static ByteSpan of(byte[] array) {
        return new ByteSpan(array, 0, array.length);
    }

    /** The array. Not to be changed. */
    public byte[] array() {
        return array;
    }

    /** Where in the array the range starts. */
    public int from() {
        return from;
    }

    /** Where in the array the range ends. */
    public int to() {
        return to;
    }

    /** The number of bytes. */
    public int length() {
        return to - from;
    }

    /**
     * The CID that the bytes are.
     *
     * @throws MalformedDataException if they are none
     */
    public Cid cid() {
        return Cid.fromBytes(array, from, to);
    }
}
