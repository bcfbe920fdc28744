package dev.pail.bytes;

import java.util.Arrays;

/**
 * Items of dag-cbor in the bytes of a block, found without decoding the block: a fast twin of the strict reader for blocks without links,
 * byte strings and deep nesting. What it does not know is left to that reader.
 */
public final class PlainItems {
    /** How deep items are nested that {@link #end} knows: it calls itself. */
    public static final int MAX_PLAIN_DEPTH = 16;

    /** The bits of the first byte of an item that tell of its argument. */
    private static final int INFORMATION = 31;

    /** From here on, these bits tell how long the argument is. */
    private static final int LONG = 24;

    private static final int FALSE = 20;
    private static final int NULL = 22;

    private PlainItems() {}

    /**
     * Whether bytes are sure to be dag-cbor, and a map: then {@link #find} finds its values. Else a strict reader has to tell. This does not
     * know links, byte strings, integers beyond a long, keys of more than 23 bytes, and items nested deeper than 16.
     */
    public static boolean isPlainMap(byte[] bytes) {
        return bytes.length > 0
                && major(bytes, 0) == CborHead.MAP
                && end(bytes, 0, bytes.length, MAX_PLAIN_DEPTH) == bytes.length;
    }

    /** The end of the item that starts at an index, or -1 if it is not plain. */
    private static int end(byte[] bytes, int from, int to, int depth) {
        if (from >= to) {
            return -1;
        }
        int initial = bytes[from] & 0xff;
        int major = initial >> 5;
        int length = argumentLength(initial);
        int at = from + 1 + length;
        if (length < 0 || at > to) {
            return -1;
        }
        long argument = argument(bytes, from, length);
        if (major == CborHead.SIMPLE) {
            boolean isKnown =
                    length == 0 ? argument >= FALSE && argument <= NULL : length == Long.BYTES && isNumber(argument);
            return isKnown ? at : -1;
        }
        if (CborHead.length(argument) != length + 1) {
            return -1;
        }
        switch (major) {
            case CborHead.UNSIGNED, CborHead.NEGATIVE -> {
                return argument < 0 ? -1 : at;
            }
            case CborHead.TEXT -> {
                return argument < 0 || argument > to - at ? -1 : endOfText(bytes, at, at + (int) argument);
            }
            case CborHead.ARRAY -> {
                if (argument < 0 || argument > to - at || depth == 0) {
                    return -1;
                }
                for (int items = (int) argument; items > 0 && at >= 0; items--) {
                    at = end(bytes, at, to, depth - 1);
                }
                return at;
            }
            case CborHead.MAP -> {
                return argument < 0 || argument > (to - at) / 2 || depth == 0
                        ? -1
                        : endOfPairs(bytes, at, to, depth - 1, (int) argument);
            }
            default -> {
                return -1;
            }
        }
    }

    private static int endOfPairs(byte[] bytes, int from, int to, int depth, int pairs) {
        int at = from;
        int lastFrom = 0;
        int lastTo = -1;
        for (int left = pairs; left > 0; left--) {
            if (at >= to || major(bytes, at) != CborHead.TEXT || (bytes[at] & INFORMATION) >= LONG) {
                return -1;
            }
            int keyFrom = at + 1;
            int keyTo = keyFrom + (bytes[at] & INFORMATION);
            if (keyTo > to || endOfText(bytes, keyFrom, keyTo) < 0) {
                return -1;
            }
            int longer = keyTo - keyFrom - (lastTo - lastFrom);
            if (longer < 0
                    || (longer == 0 && Arrays.compareUnsigned(bytes, lastFrom, lastTo, bytes, keyFrom, keyTo) >= 0)) {
                return -1;
            }
            lastFrom = keyFrom;
            lastTo = keyTo;
            at = end(bytes, keyTo, to, depth);
            if (at < 0) {
                return -1;
            }
        }
        return at;
    }

    /** The end of a text, or -1 if it is not UTF-8. */
    private static int endOfText(byte[] bytes, int from, int to) {
        return Utf8.firstMalformed(bytes, from, to) < 0 ? to : -1;
    }

    private static boolean isNumber(long bits) {
        return Double.isFinite(Double.longBitsToDouble(bits)) && bits != Long.MIN_VALUE;
    }

    /** The major type of the item at an index. */
    public static int major(byte[] bytes, int at) {
        return (bytes[at] & 0xff) >> 5;
    }

    /** How many bytes behind the first one an argument has, or -1 if the length is not known. */
    private static int argumentLength(int initial) {
        int information = initial & INFORMATION;
        return information < LONG ? 0 : information < 28 ? 1 << (information - LONG) : -1;
    }

    /** The argument of the item at an index. */
    public static long argument(byte[] bytes, int at) {
        return argument(bytes, at, argumentLength(bytes[at]));
    }

    private static long argument(byte[] bytes, int at, int length) {
        if (length == 0) {
            return bytes[at] & INFORMATION;
        }
        long argument = 0;
        for (int i = 1; i <= length; i++) {
            argument = (argument << 8) | (bytes[at + i] & 0xff);
        }
        return argument;
    }

    /**
     * Finds the item at a path of names.
     *
     * @param bytes those of a plain map
     * @param path the names, each in UTF-8
     * @return the index at which the item starts, or -1 if there is none
     */
    public static int find(byte[] bytes, byte[][] path) {
        int at = 0;
        for (byte[] name : path) {
            at = major(bytes, at) == CborHead.MAP ? value(bytes, at, name) : -1;
            if (at < 0) {
                return -1;
            }
        }
        return at;
    }

    /** Where the value of a key of a map starts, or -1 if the map does not have the key. */
    private static int value(byte[] bytes, int map, byte[] key) {
        int length = argumentLength(bytes[map]);
        int at = map + 1 + length;
        for (long left = argument(bytes, map, length); left > 0; left--) {
            int from = at + 1;
            int keyLength = bytes[at] & INFORMATION;
            at = from + keyLength;
            if (keyLength >= key.length) {
                if (keyLength > key.length) {
                    return -1;
                }
                if (Arrays.equals(bytes, from, at, key, 0, key.length)) {
                    return at;
                }
            }
            at = behind(bytes, at);
        }
        return -1;
    }

    /** The index behind a plain item. */
    public static int behind(byte[] bytes, int from) {
        int at = from;
        for (long left = 1; left > 0; left--) {
            int length = argumentLength(bytes[at]);
            long argument = argument(bytes, at, length);
            int major = major(bytes, at);
            at += 1 + length;
            if (major == CborHead.TEXT) {
                at += (int) argument;
            } else if (major == CborHead.ARRAY) {
                left += argument;
            } else if (major == CborHead.MAP) {
                left += 2 * argument;
            }
        }
        return at;
    }

    /** The index behind the head of the item at an index. */
    public static int content(byte[] bytes, int at) {
        return at + 1 + argumentLength(bytes[at]);
    }
}
