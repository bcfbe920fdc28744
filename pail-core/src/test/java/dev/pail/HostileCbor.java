package dev.pail;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** CBOR of any sort, proper or not: an item is an array of bytes, and nothing is checked. */
final class HostileCbor {
    static final int UNSIGNED = 0;
    static final int NEGATIVE = 1;
    static final int BYTES = 2;
    static final int TEXT = 3;
    static final int ARRAY = 4;
    static final int MAP = 5;
    static final int TAG = 6;

    static final byte[] NULL = hex("f6");
    static final byte[] LINK_TAG = hex("d82a");

    private HostileCbor() {}

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    /** The shortest head; the argument is unsigned. */
    static byte[] head(int major, long argument) {
        if (argument >= 0 && argument < 24) {
            return new byte[] {(byte) (major << 5 | (int) argument)};
        }
        int width = 1;
        while (width < 8 && argument >>> (8 * width) != 0) {
            width *= 2;
        }
        return wideHead(major, argument, width);
    }

    /** A head whose argument takes 1, 2, 4 or 8 bytes, needed or not. */
    static byte[] wideHead(int major, long argument, int width) {
        byte[] head = new byte[1 + width];
        head[0] = (byte) (major << 5 | (24 + Integer.numberOfTrailingZeros(width)));
        for (int i = 0; i < width; i++) {
            head[width - i] = (byte) (argument >>> (8 * i));
        }
        return head;
    }

    static byte[] integer(long value) {
        return value < 0 ? head(NEGATIVE, ~value) : head(UNSIGNED, value);
    }

    static byte[] text(String text) {
        return text(text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] text(byte[] content) {
        return join(head(TEXT, content.length), content);
    }

    static byte[] bytes(byte[] content) {
        return join(head(BYTES, content.length), content);
    }

    static byte[] array(byte[]... items) {
        return join(head(ARRAY, items.length), join(items));
    }

    /** A map of keys and values in turn, in the order given. */
    static byte[] map(byte[]... keysAndValues) {
        return join(head(MAP, keysAndValues.length / 2), join(keysAndValues));
    }

    /** A link to what need not be a CID. */
    static byte[] link(byte[] cid) {
        return join(LINK_TAG, head(BYTES, cid.length + 1), new byte[1], cid);
    }

    static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    static byte[] repeat(byte[] unit, int times) {
        byte[] all = new byte[unit.length * times];
        for (int i = 0; i < times; i++) {
            System.arraycopy(unit, 0, all, i * unit.length, unit.length);
        }
        return all;
    }
}
