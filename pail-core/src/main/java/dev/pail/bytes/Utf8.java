package dev.pail.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8, and the order of UTF-16 code units on it. Nothing is ever replaced: what has no encoding is refused. */
public final class Utf8 {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** One in each byte. */
    private static final long ONES = 0x0101010101010101L;

    private static final long HIGHEST_BITS = 0x8080808080808080L;
    private static final long QUESTION_MARKS = '?' * ONES;
    private static final char REPLACEMENT = '\ufffd';

    private Utf8() {}

    /** The index of the first surrogate without its other half, or -1. */
    public static int loneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean paired = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!paired) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    /**
     * The bytes of a text.
     *
     * @throws IllegalArgumentException if there is a lone surrogate
     */
    public static byte[] encode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // Java makes it a question mark, and does all this faster than a loop here would.
        if (hasQuestionMark(bytes)) {
            int lone = loneSurrogate(text);
            if (lone >= 0) {
                throw new IllegalArgumentException("a lone surrogate at index " + lone);
            }
        }
        return bytes;
    }

    private static boolean hasQuestionMark(byte[] bytes) {
        int at = 0;
        for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
            long zeroIfOne = (long) LONGS.get(bytes, at) ^ QUESTION_MARKS;
            if (((zeroIfOne - ONES) & ~zeroIfOne & HIGHEST_BITS) != 0) {
                return true;
            }
        }
        for (; at < bytes.length; at++) {
            if (bytes[at] == '?') {
                return true;
            }
        }
        return false;
    }

    /**
     * The text of a range of bytes.
     *
     * @throws IllegalArgumentException if the bytes are not UTF-8
     */
    public static String decode(byte[] bytes, int from, int to) {
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        // Java has it in the place of what it cannot decode.
        if (text.indexOf(REPLACEMENT) >= 0 && firstMalformed(bytes, from, to) >= 0) {
            throw new IllegalArgumentException("not UTF-8");
        }
        return text;
    }

    /** Whether all bytes of a range are ASCII. */
    public static boolean isAscii(byte[] bytes, int from, int to) {
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            if (((long) LONGS.get(bytes, i) & HIGHEST_BITS) != 0) {
                return false;
            }
        }
        int others = 0;
        for (; i < to; i++) {
            others |= bytes[i];
        }
        return others >= 0;
    }

    /** The index of the first byte in the range that is not part of a well-formed code point, or -1. */
    public static int firstMalformed(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to) {
            if (bytes[i] >= 0) {
                i++;
                continue;
            }
            int length = wellFormed(bytes, i, to);
            if (length == 0) {
                return i;
            }
            i += length;
        }
        return -1;
    }

    /** The length of the code point of several bytes at {@code i}, or 0 where it is none. */
    private static int wellFormed(byte[] bytes, int i, int to) {
        int lead = bytes[i] & 0xff;
        int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        if (lead < 0xc2 || lead > 0xf4 || to - i < length) {
            return 0;
        }
        int second = bytes[i + 1] & 0xff;
        // The first continuation byte alone excludes overlong forms, surrogates and what is beyond U+10FFFF.
        int least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (second < least || second > most) {
            return 0;
        }
        for (int k = 2; k < length; k++) {
            if (!isContinuation(bytes[i + k])) {
                return 0;
            }
        }
        return length;
    }

    /** Whether a byte continues a code point, rather than starting one. */
    public static boolean isContinuation(byte b) {
        return (b & 0xc0) == 0x80;
    }

    /** The index behind the code point at {@code i}, in well-formed bytes. */
    public static int next(byte[] bytes, int i) {
        int lead = bytes[i] & 0xff;
        return i + (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
    }

    /**
     * Compares two ranges of well-formed bytes as {@link String#compareTo} compares their texts, by UTF-16 code units.
     * That is the order of the bytes, but for code points beyond the basic plane (lead bytes F0 to F4): these are
     * surrogates in UTF-16 and come before U+E000 to U+FFFF (lead bytes EE and EF). Rule K2.
     */
    public static int compare(byte[] a, int aFrom, int aTo, byte[] b, int bFrom, int bTo) {
        int length = Math.min(aTo - aFrom, bTo - bFrom);
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            long different = (long) LONGS.get(a, aFrom + i) ^ (long) LONGS.get(b, bFrom + i);
            if (different != 0) {
                i += Long.numberOfLeadingZeros(different) / Byte.SIZE;
                return rank(a[aFrom + i]) - rank(b[bFrom + i]);
            }
        }
        for (; i < length; i++) {
            if (a[aFrom + i] != b[bFrom + i]) {
                return rank(a[aFrom + i]) - rank(b[bFrom + i]);
            }
        }
        return (aTo - aFrom) - (bTo - bFrom);
    }

    /** What a byte counts for in the order: its value, but EE and EF, which count for more than F0 to F4. */
    private static int rank(byte b) {
        int value = b & 0xff;
        return value < 0xee ? value : value < 0xf0 ? value + 5 : value - 2;
    }

    /**
     * The first eight bytes of a range as one number, or fewer with zeros behind. Where two such numbers differ, {@link
     * #compare} orders the ranges as {@link Long#compare} orders the numbers.
     */
    public static long leadingBytes(byte[] bytes, int from, int to) {
        long leading = 0;
        if (to - from >= Long.BYTES) {
            leading = (long) LONGS.get(bytes, from);
        } else {
            for (int i = from; i < to; i++) {
                leading |= (bytes[i] & 0xffL) << (Long.SIZE - Byte.SIZE * (1 + i - from));
            }
        }
        // What is ASCII alone has the rank of its value.
        return ((leading & 0x8080_8080_8080_8080L) == 0 ? leading : ranks(leading)) ^ Long.MIN_VALUE;
    }

    private static long ranks(long leading) {
        long ranks = 0;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            ranks |= (long) rank((byte) (leading >>> shift)) << shift;
        }
        return ranks;
    }
}
