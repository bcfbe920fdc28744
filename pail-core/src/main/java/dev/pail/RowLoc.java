package dev.pail;

import dev.pail.ipld.MalformedDataException;

/**
 * The location of a document or another block in one of several files: 10 bytes, each number little-endian. Rule B7.
 *
 * <p>A segment is a section: {@link LocatedBlocks#locate} gives the location of a block that is whole in a segment, and
 * {@link LocatedBlocks#read} reads the block there.
 *
 * <pre>{@code
 * RowLoc location = new RowLoc(0, 4096, 120); // file 0, 120 bytes from offset 4096 on
 * RowLoc same = RowLoc.fromBytes(location.toBytes());
 * }</pre>
 *
 * @param section the number of the file, from 0 to 65,535
 * @param offset the start of the bytes in the file, from 0 to 2^32 - 1
 * @param size the number of bytes, from 0 to 2^32 - 1
 */
public record RowLoc(int section, long offset, long size) {
    /** The length of the encoded form in bytes. */
    public static final int BYTES = 10;

    /** The greatest number of a section. */
    public static final int MAX_SECTION = 0xffff;

    private static final int SECTION = 2;
    private static final int OFFSET = 4;

    /** @throws IllegalArgumentException if a number is out of range */
    public RowLoc {
        check("section", section, MAX_SECTION);
        check("offset", offset, 0xffff_ffffL);
        check("size", size, 0xffff_ffffL);
    }

    private static void check(String name, long number, long most) {
        if (number < 0 || number > most) {
            throw new IllegalArgumentException(name + " is from 0 to " + most + ", not " + number);
        }
    }

    /** The encoded form. */
    public byte[] toBytes() {
        byte[] bytes = new byte[BYTES];
        put(bytes, 0, SECTION, section);
        put(bytes, SECTION, OFFSET, offset);
        put(bytes, SECTION + OFFSET, OFFSET, size);
        return bytes;
    }

    /**
     * Reads the encoded form.
     *
     * @throws MalformedDataException if it is not 10 bytes long
     */
    public static RowLoc fromBytes(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new MalformedDataException(
                    Math.min(bytes.length, BYTES),
                    "a row location has " + BYTES + " bytes, not " + bytes.length + " (B7)");
        }
        return new RowLoc(
                (int) get(bytes, 0, SECTION), get(bytes, SECTION, OFFSET), get(bytes, SECTION + OFFSET, OFFSET));
    }

    private static void put(byte[] bytes, int at, int length, long number) {
        for (int i = 0; i < length; i++) {
            bytes[at + i] = (byte) (number >> (Byte.SIZE * i));
        }
    }

    private static long get(byte[] bytes, int at, int length) {
        long number = 0;
        for (int i = length - 1; i >= 0; i--) {
            number = (number << Byte.SIZE) | (bytes[at + i] & 0xff);
        }
        return number;
    }

    /** The three numbers. */
    @Override
    public String toString() {
        return "section " + section + ", offset " + offset + ", size " + size;
    }
}
