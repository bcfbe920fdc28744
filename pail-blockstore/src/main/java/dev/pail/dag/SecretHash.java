package dev.pail.dag;

import dev.pail.ipld.Cid;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Hashes CIDs with a secret of its own, for tables in memory: an attacker who
 * chooses CIDs cannot choose their slots, and cannot find a collision. Among 2^30 CIDs a chance collision of the 128 bits has probability 2^-69.
 */
public final class SecretHash {
    private static final int SECRET = 16;
    private static final int DIGEST = 32;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] secret = new byte[SECRET];
    private final MessageDigest sha256;
    private final byte[] digest = new byte[DIGEST];

    /** The CID that was hashed last: mostly a set is asked for one before that is added. */
    private @Nullable Cid last;

    /** A hash with a secret of its own. */
    public SecretHash() {
        new SecureRandom().nextBytes(secret);
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the Java runtime lacks SHA-256", e);
        }
    }

    /** Hashes a CID; {@link #high} and {@link #low} tell the hash until the next one. */
    @SuppressWarnings("ReferenceEquality") // An equal one has the same hash, and is hashed again.
    public void hash(Cid cid) {
        if (cid == last) {
            return;
        }
        last = cid;
        sha256.update(secret);
        sha256.update(cid.toBytes());
        try {
            sha256.digest(digest, 0, DIGEST);
        } catch (DigestException e) {
            throw new IllegalStateException("a digest of SHA2-256 has 32 bytes", e);
        }
    }

    /** The first 64 bits. */
    public long high() {
        return (long) LONGS.get(digest, 0);
    }

    /** The other 64 bits. */
    public long low() {
        return (long) LONGS.get(digest, Long.BYTES);
    }
}
