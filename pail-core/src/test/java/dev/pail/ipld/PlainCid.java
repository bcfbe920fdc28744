package dev.pail.ipld;

import java.math.BigInteger;
import java.util.Map;

/** The rules for the binary form of a CID once more, slow and obvious: a twin for comparing with. */
final class PlainCid {
    /** Digest lengths in bytes, from the definitions of the hash functions. */
    static final Map<Long, Integer> DIGEST_LENGTHS = Map.ofEntries(
            Map.entry(0x11L, 160 / 8),
            Map.entry(0x12L, 256 / 8),
            Map.entry(0x13L, 512 / 8),
            Map.entry(0x14L, 512 / 8),
            Map.entry(0x15L, 384 / 8),
            Map.entry(0x16L, 256 / 8),
            Map.entry(0x17L, 224 / 8),
            Map.entry(0x1bL, 256 / 8),
            Map.entry(0x20L, 384 / 8),
            Map.entry(0x56L, 256 / 8),
            Map.entry(0xb220L, 256 / 8),
            Map.entry(0xb240L, 512 / 8),
            Map.entry(0xb260L, 256 / 8));

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
        long function = varint();
        long length = varint();
        int known = DIGEST_LENGTHS.getOrDefault(function, 0);
        boolean allowed = function == 0 ? length <= 128 : known != 0 ? length == known : length >= 20 && length <= 128;
        return allowed && length == bytes.length - at;
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
