package dev.pail.ipld;

import com.apicatalog.uvarint.UVarInt;

/** Unsigned varints of multiformats: at most nine bytes, and never longer than needed. */
final class Varint {
    private static final int MAX_LENGTH = 9;

    private Varint() {}

    /**
     * How many bytes the varint at {@code at} takes.
     *
     * @throws MalformedDataException if it does not end before {@code to}, is too long, or has needless bytes
     */
    static int length(byte[] bytes, int at, int to) {
        int i = at;
        while (i < to && bytes[i] < 0 && i - at < MAX_LENGTH) {
            i++;
        }
        if (i == to) {
            throw new MalformedDataException(i, "a varint is cut off");
        }
        if (i - at == MAX_LENGTH) {
            throw new MalformedDataException(at, "a varint takes nine bytes at most");
        }
        if (bytes[i] == 0 && i > at) {
            throw new MalformedDataException(at, "a varint is in its shortest form");
        }
        return i - at + 1;
    }

    /** The value of a varint whose length was checked. */
    static long value(byte[] bytes, int at) {
        return bytes[at] >= 0 ? bytes[at] : UVarInt.decode(bytes, at);
    }

    static byte[] encode(long value) {
        return UVarInt.encode(value);
    }
}
