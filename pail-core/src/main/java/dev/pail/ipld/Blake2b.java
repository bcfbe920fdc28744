package dev.pail.ipld;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The hash function BLAKE2b of RFC 7693 without a key, with digests of 256 bits: the JDK lacks it. */
final class Blake2b {
    private static final int DIGEST_LENGTH = 32;
    private static final int CHUNK = 128;
    private static final int ROUNDS = 12;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long[] IV = {
        0x6a09e667f3bcc908L, 0xbb67ae8584caa73bL, 0x3c6ef372fe94f82bL, 0xa54ff53a5f1d36f1L,
        0x510e527fade682d1L, 0x9b05688c2b3e6c1fL, 0x1f83d9abfb41bd6bL, 0x5be0cd19137e2179L
    };

    /** Which words of a chunk each round takes, a digit of base 16 for each. Rounds 10 and 11 are as 0 and 1. */
    private static final long[] SIGMA = {
        0x0123456789abcdefL, 0xea489fd61c02b753L, 0xb8c052fdae367194L, 0x7931dcbe265a40f8L, 0x905724afe1bc683dL,
        0x2c6a0b834d75fe19L, 0xc51fed4a0763928bL, 0xdb7ec13950f4862aL, 0x6fe9b308c2d714a5L, 0xa2847615fb9e3cd0L
    };

    private final long[] state = IV.clone();
    private final long[] work = new long[16];
    private final long[] words = new long[16];

    private Blake2b() {
        state[0] ^= 0x0101_0000 ^ DIGEST_LENGTH;
    }

    /** The digest of these bytes. */
    static byte[] digest256(byte[] bytes) {
        Blake2b hash = new Blake2b();
        int at = 0;
        for (; bytes.length - at > CHUNK; at += CHUNK) {
            hash.compress(bytes, at, at + CHUNK, 0);
        }
        hash.compress(Arrays.copyOfRange(bytes, at, at + CHUNK), 0, bytes.length, -1);
        byte[] digest = new byte[DIGEST_LENGTH];
        for (int i = 0; i < DIGEST_LENGTH / Long.BYTES; i++) {
            LONGS.set(digest, i * Long.BYTES, hash.state[i]);
        }
        return digest;
    }

    /**
     * @param counted how many bytes were hashed with this chunk
     * @param last -1 for the last chunk, or else 0
     */
    private void compress(byte[] bytes, int from, long counted, long last) {
        for (int i = 0; i < words.length; i++) {
            words[i] = (long) LONGS.get(bytes, from + i * Long.BYTES);
        }
        System.arraycopy(state, 0, work, 0, state.length);
        System.arraycopy(IV, 0, work, state.length, IV.length);
        work[12] ^= counted;
        work[14] ^= last;
        for (int round = 0; round < ROUNDS; round++) {
            long sigma = SIGMA[round % SIGMA.length];
            for (int i = 0; i < 4; i++) {
                mix(i, 4 + i, 8 + i, 12 + i, sigma, 2 * i);
            }
            for (int i = 0; i < 4; i++) {
                mix(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, sigma, 8 + 2 * i);
            }
        }
        for (int i = 0; i < state.length; i++) {
            state[i] ^= work[i] ^ work[i + 8];
        }
    }

    private void mix(int a, int b, int c, int d, long sigma, int digit) {
        half(a, b, c, d, word(sigma, digit), 32, 24);
        half(a, b, c, d, word(sigma, digit + 1), 16, 63);
    }

    private long word(long sigma, int digit) {
        return words[(int) (sigma >>> (60 - 4 * digit)) & 15];
    }

    private void half(int a, int b, int c, int d, long word, int first, int second) {
        work[a] += work[b] + word;
        work[d] = Long.rotateRight(work[d] ^ work[a], first);
        work[c] += work[d];
        work[b] = Long.rotateRight(work[b] ^ work[c], second);
    }
}
