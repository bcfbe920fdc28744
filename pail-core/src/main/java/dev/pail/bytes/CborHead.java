package dev.pail.bytes;

/** The head of a CBOR item: the major type and its argument, always in the shortest form. */
public final class CborHead {
    public static final int UNSIGNED = 0;
    public static final int NEGATIVE = 1;
    public static final int BYTES = 2;
    public static final int TEXT = 3;
    public static final int ARRAY = 4;
    public static final int MAP = 5;
    public static final int TAG = 6;
    public static final int SIMPLE = 7;

    /** The tag of a link. */
    public static final int LINK_TAG = 42;

    private CborHead() {}

    /** How many bytes the head with this argument takes: 1, 2, 3, 5 or 9. The argument is unsigned. */
    public static int length(long argument) {
        if (argument < 0 || argument > 0xffff_ffffL) {
            return 9;
        }
        return argument < 24 ? 1 : argument <= 0xff ? 2 : argument <= 0xffff ? 3 : 5;
    }

    /** Writes a head and returns the index behind it. The argument is unsigned. */
    public static int write(byte[] out, int at, int major, long argument) {
        int length = length(argument);
        if (length == 1) {
            out[at] = (byte) ((major << 5) | (int) argument);
            return at + 1;
        }
        int information = length == 2 ? 24 : length == 3 ? 25 : length == 5 ? 26 : 27;
        out[at] = (byte) ((major << 5) | information);
        for (int i = length - 1; i > 0; i--) {
            out[at + i] = (byte) argument;
            argument >>>= 8;
        }
        return at + length;
    }
}
