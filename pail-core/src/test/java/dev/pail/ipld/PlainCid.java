package dev.pail.ipld;

import java.math.BigInteger;

/** The rules for the binary form of a CID once more, slow and obvious: a twin for comparing with. */
final class PlainCid {
    private final byte[] bytes;
    private int at;

    private PlainCid(byte[] bytes) {
        this.bytes = bytes;
    }

    static boolean isCid(byte[] bytes) {
        if (bytes.length == 34 && bytes[0] == 0x12 && bytes[1] == 0x20) {
            return true;
        }
        try {
            return new PlainCid(bytes).isVersion1();
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private boolean isVersion1() {
        if (varint() != 1) {
            return false;
        }
        varint();
        varint();
        return varint() == bytes.length - at && bytes.length <= 2048;
    }

    /** @throws NumberFormatException if there is no varint */
    private long varint() {
        BigInteger value = BigInteger.ZERO;
        for (int i = 0; i < 9 && at < bytes.length; i++) {
            int b = bytes[at++] & 0xff;
            value = value.or(BigInteger.valueOf(b & 0x7f).shiftLeft(7 * i));
            if (b < 0x80) {
                if (b == 0 && i > 0) {
                    throw new NumberFormatException("not the shortest form");
                }
                return value.longValueExact();
            }
        }
        throw new NumberFormatException("cut off or too long");
    }
}
