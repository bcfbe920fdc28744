package dev.pail.ipld;

/** Unsigned varints of multiformats: at most nine bytes, and never longer than needed. Rule I2. */
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
            throw new MalformedDataException(i, "a varint is cut off (I2)");
        }
        if (i - at == MAX_LENGTH) {
            throw new MalformedDataException(at, "a varint takes nine bytes at most (I2)");
        }
        if (bytes[i] == 0 && i > at) {
            throw new MalformedDataException(at, "a varint is in its shortest form (I2)");
        }
        return i - at + 1;
    }

    /** The value of a varint whose length was checked. */
    static long value(byte[] bytes, int at) {
        long value = 0;
        int shift = 0;
        int i = at;
        while (bytes[i] < 0) {
            value |= (long) (bytes[i] & 0x7f) << shift;
            shift += 7;
            i++;
        }
        return value | (long) bytes[i] << shift;
    }

    /** How many bytes a value takes. It must not be negative. */
    static int lengthOf(long value) {
        return value < 0x80 ? 1 : (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7;
    }

    /** Writes a value and returns the index behind it. */
    static int write(byte[] out, int at, long value) {
        long rest = value;
        int i = at;
        for (; rest >= 0x80; rest >>>= 7) {
            out[i++] = (byte) (rest | 0x80);
        }
        out[i] = (byte) rest;
        return i + 1;
    }
}
