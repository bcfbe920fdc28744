package dev.pail.segment.format;

/** Reads bytes, with the lowest byte of an integer first. Throws {@link DamageException} if there are too few. */
public final class Input {
    private final byte[] bytes;
    private final int end;
    private int at;

    public Input(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /**
     * Reads what is between a magic number and the checksum at the end, as {@link Output#toCheckedBytes} writes it.
     *
     * @throws DamageException if one of the two is wrong
     */
    static Input ofChecked(byte[] bytes, int magic) throws DamageException {
        int covered = Math.max(0, bytes.length - Output.CHECKSUM);
        Input in = new Input(bytes, 0, covered);
        if (in.integer() != magic
                || new Input(bytes, covered, bytes.length).integer() != Output.checksum(0, bytes, 0, covered)) {
            throw new DamageException("another magic number, or a wrong checksum");
        }
        return in;
    }

    int remaining() {
        return end - at;
    }

    public int position() {
        return at;
    }

    private void require(int length) throws DamageException {
        if (remaining() < length) {
            throw new DamageException("too few bytes");
        }
    }

    public long integer(int length) throws DamageException {
        require(length);
        long value = 0;
        for (int i = 0; i < length; i++) {
            value |= (bytes[at++] & 0xffL) << (8 * i);
        }
        return value;
    }

    public int integer() throws DamageException {
        return (int) integer(Integer.BYTES);
    }

    /** Skips bytes, and returns the position where they start. */
    int skip(int length) throws DamageException {
        require(length);
        at += length;
        return at - length;
    }

    /** Reads an integer as {@link Output#varint} writes it, and checks that it is not greater. */
    public int varint(int most) throws DamageException {
        long value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            require(1);
            byte group = bytes[at++];
            value |= (group & 0x7fL) << shift;
            if (group >= 0) {
                if (value > most) {
                    throw new DamageException("a length of " + value + ", where at most " + most + " is possible");
                }
                return (int) value;
            }
        }
        throw new DamageException("an integer that does not end");
    }
}
