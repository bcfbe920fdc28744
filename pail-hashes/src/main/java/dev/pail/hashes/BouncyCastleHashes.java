package dev.pail.hashes;

import dev.pail.ipld.HashFunctions;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.Xof;
import org.bouncycastle.crypto.digests.Blake2bDigest;
import org.bouncycastle.crypto.digests.Blake2sDigest;
import org.bouncycastle.crypto.digests.Blake3Digest;
import org.bouncycastle.crypto.digests.KeccakDigest;
import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.jspecify.annotations.Nullable;

/**
 * SHAKE-256, Keccak, BLAKE3, BLAKE2b and BLAKE2s of Bouncy Castle: what Kubo takes in by default, without what the JDK has (spec
 * rule I4). Of BLAKE2, hashes of fewer than 160 bits are too weak.
 */
public final class BouncyCastleHashes implements HashFunctions {
    private static final int WEAKEST = 20;

    /** The code of BLAKE2b with a hash of no bytes; each byte more has the next code. */
    private static final int BLAKE2B = 0xb200;

    private static final int BLAKE2B_LONGEST = 64;
    private static final int BLAKE2S = BLAKE2B + BLAKE2B_LONGEST;
    private static final int BLAKE2S_LONGEST = 32;

    /** For {@link java.util.ServiceLoader}. */
    public BouncyCastleHashes() {}

    @Override
    public boolean has(long function) {
        return digest(function) != null;
    }

    @Override
    public byte[] hash(long function, int length, byte[] bytes) {
        Digest digest = digest(function);
        if (digest == null) {
            throw new IllegalArgumentException("no hash function 0x" + Long.toHexString(function));
        }
        digest.update(bytes, 0, bytes.length);
        if (digest instanceof Xof anyLength) {
            byte[] hash = new byte[length];
            anyLength.doFinal(hash, 0, length);
            return hash;
        }
        byte[] hash = new byte[digest.getDigestSize()];
        digest.doFinal(hash, 0);
        return hash;
    }

    private static @Nullable Digest digest(long function) {
        return switch (function > Integer.MAX_VALUE ? -1 : (int) function) {
            case 0x19 -> new SHAKEDigest(256);
            case 0x1a -> new KeccakDigest(224);
            case 0x1b -> new KeccakDigest(256);
            case 0x1c -> new KeccakDigest(384);
            case 0x1d -> new KeccakDigest(512);
            case 0x1e -> new Blake3Digest();
            default -> blake2(function);
        };
    }

    private static @Nullable Digest blake2(long function) {
        if (function >= BLAKE2B + WEAKEST && function <= BLAKE2B + BLAKE2B_LONGEST) {
            return new Blake2bDigest(Byte.SIZE * (int) (function - BLAKE2B));
        }
        if (function >= BLAKE2S + WEAKEST && function <= BLAKE2S + BLAKE2S_LONGEST) {
            return new Blake2sDigest(Byte.SIZE * (int) (function - BLAKE2S));
        }
        return null;
    }
}
