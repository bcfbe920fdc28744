package dev.pail.ipld;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** CIDs in binary form, put together byte by byte. */
final class Cids {
    private static final List<Long> KNOWN =
            PlainCid.DIGEST_LENGTHS.keySet().stream().sorted().toList();

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

    /** Any valid CID: of both versions, with short and long codecs, with known and unknown hash functions. */
    static byte[] random(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> v0(bytes(random, 32));
            case 1 -> v1(number(random), Cid.IDENTITY, bytes(random, random.nextInt(129)));
            case 2, 3 -> v1(random, number(random));
            default -> v1(random, KNOWN.get(random.nextInt(KNOWN.size())));
        };
    }

    private static byte[] v1(Random random, long function) {
        int unknown = 20 + random.nextInt(109);
        return v1(number(random), function, bytes(random, PlainCid.DIGEST_LENGTHS.getOrDefault(function, unknown)));
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
