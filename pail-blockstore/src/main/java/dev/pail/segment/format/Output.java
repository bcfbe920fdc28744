package dev.pail.segment.format;

import java.util.Arrays;
import java.util.zip.CRC32C;

/** Collects bytes to write, with the lowest byte of an integer first. */
public final class Output {
    /** The size of a checksum in bytes. */
    public static final int CHECKSUM = 4;

    private byte[] bytes;
    private int size;

    public Output(int capacity) {
        bytes = new byte[capacity];
    }

    public int size() {
        return size;
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * size));
        }
    }

    Output write(byte[] from, int start, int length) {
        ensure(length);
        System.arraycopy(from, start, bytes, size, length);
        size += length;
        return this;
    }

    public Output write(byte[] from) {
        return write(from, 0, from.length);
    }

    public Output integer(int length, long value) {
        ensure(length);
        for (int i = 0; i < length; i++) {
            bytes[size++] = (byte) (value >>> (8 * i));
        }
        return this;
    }

    /** Writes an integer in groups of seven bits, the lowest first; all but the last group have the high bit set. */
    public Output varint(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    /** Copies some of the bytes. */
    void copy(int from, byte[] target, int at, int length) {
        System.arraycopy(bytes, from, target, at, length);
    }

    /** Inverts the last byte. */
    public void invertLast() {
        bytes[size - 1] ^= (byte) 0xff;
    }

    /** The checksum of the bytes from a position on. */
    public int checksum(int seed, int from) {
        return checksum(seed, bytes, from, size - from);
    }

    /** The CRC32C of an integer, the lowest byte first, and some bytes. */
    static int checksum(int seed, byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        for (int i = 0; i < Integer.BYTES; i++) {
            crc.update(seed >>> (8 * i));
        }
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /** The bytes, with their checksum behind them. */
    byte[] toCheckedBytes() {
        return integer(CHECKSUM, checksum(0, 0)).toBytes();
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }
}
