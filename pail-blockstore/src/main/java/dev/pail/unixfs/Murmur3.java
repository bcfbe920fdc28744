package dev.pail.unixfs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The hash function murmur3-x64-64: the first half of MurmurHash3_x64_128 with the seed 0. It places names in sharded folders. */
final class Murmur3 {
    /** Its number among the hash functions of multihash. */
    static final int CODE = 0x22;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long C1 = 0x87c37b91114253d5L;
    private static final long C2 = 0x4cf5ad432745937fL;
    private static final int BLOCK = 16;

    private Murmur3() {}

    static long hash(byte[] bytes) {
        long h1 = 0;
        long h2 = 0;
        int whole = bytes.length / BLOCK * BLOCK;
        for (int at = 0; at < whole; at += BLOCK) {
            h1 ^= first((long) LONGS.get(bytes, at));
            h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
            h2 ^= second((long) LONGS.get(bytes, at + Long.BYTES));
            h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
        }
        h1 ^= first(rest(bytes, whole));
        h2 ^= second(rest(bytes, whole + Long.BYTES));
        h1 ^= bytes.length;
        h2 ^= bytes.length;
        h1 += h2;
        h2 += h1;
        return mix(h1) + mix(h2);
    }

    /** The up to eight bytes from an index on. */
    private static long rest(byte[] bytes, int from) {
        long rest = 0;
        for (int i = Math.min(bytes.length, from + Long.BYTES) - 1; i >= from; i--) {
            rest = (rest << Byte.SIZE) | (bytes[i] & 0xff);
        }
        return rest;
    }

    private static long first(long k) {
        return Long.rotateLeft(k * C1, 31) * C2;
    }

    private static long second(long k) {
        return Long.rotateLeft(k * C2, 33) * C1;
    }

    private static long mix(long h) {
        long k = (h ^ h >>> 33) * 0xff51afd7ed558ccdL;
        k = (k ^ k >>> 33) * 0xc4ceb9fe1a85ec53L;
        return k ^ k >>> 33;
    }
}
