package dev.pail.ipld;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/** CIDs in binary form, put together byte by byte. */
final class Cids {
    private static final long[] KNOWN = {0x11, 0x12, 0x13, 0x16, 0x1b, 0x1e, 0x20, 0x56, 0xb220, 0xb260};

    private Cids() {}

    /** A CID of version 1. */
    static byte[] v1(long codec, long function, byte[] digest) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(1);
        varint(out, codec);
        varint(out, function);
        varint(out, digest.length);
        out.writeBytes(digest);
        return out.toByteArray();
    }

    /** A CID of version 1 whose digest is this many bytes 0xa5. */
    static byte[] v1(long codec, long function, int digestLength) {
        return v1(codec, function, filled(digestLength));
    }

    /** A CID of version 0. */
    static byte[] v0(byte[] digest) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0x12);
        out.write(0x20);
        out.writeBytes(digest);
        return out.toByteArray();
    }

    static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0xa5);
        return bytes;
    }

    /** Any valid CID: of both versions, with codecs, hash functions and digests of any size. */
    static byte[] random(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> v0(bytes(random, 32));
            case 1 -> v1(number(random), Cid.IDENTITY, bytes(random, length(random)));
            case 2, 3 -> v1(number(random), number(random), bytes(random, length(random)));
            default -> v1(number(random), KNOWN[random.nextInt(KNOWN.length)], bytes(random, length(random)));
        };
    }

    /** The length of a digest, most of them short. In every base, the text of the CID is short enough. */
    private static int length(Random random) {
        return random.nextInt(8) == 0 ? random.nextInt(480) : random.nextInt(130);
    }

    /** Not negative, of any size with the same probability. */
    private static long number(Random random) {
        return random.nextLong() >>> (1 + random.nextInt(63));
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        if (length > 0 && random.nextInt(4) == 0) {
            bytes[0] = 0;
        }
        return bytes;
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        while (value >= 0x80) {
            out.write((int) (value & 0x7f) | 0x80);
            value >>= 7;
        }
        out.write((int) value);
    }
}
