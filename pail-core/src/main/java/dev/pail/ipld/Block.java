package dev.pail.ipld;

import dev.pail.CorruptBlockException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes with the {@link Cid} that names them. The two always match: {@link #of} computes the CID, {@link #verified}
 * checks it.
 *
 * <p>Immutable, equal by its CID, and safe for use by several threads.
 */
public final class Block {
    /** The largest block that is read or written, in bytes: 8 MiB. */
    public static final int MAX_SIZE = 8 << 20;

    private static final long BLAKE2B_256 = 0xb220;

    private static final String SHA_256 = "SHA-256";

    /** Is never fed with anything, only copied: to look for one takes longer than to hash a small block. */
    private static final MessageDigest UNUSED_SHA_256 = digest(SHA_256);

    private final Cid cid;
    private final byte[] bytes;

    private Block(Cid cid, byte[] bytes) {
        this.cid = cid;
        this.bytes = bytes;
    }

    /**
     * The block of these bytes, which are copied. Its CID has version 1 and a digest of SHA2-256.
     *
     * @param codec the code of the codec that the bytes are encoded with
     * @throws IllegalArgumentException if the code is negative
     */
    public static Block of(long codec, byte[] bytes) {
        return computed(codec, bytes.clone());
    }

    /**
     * The block of this name, after comparing the hash of the bytes with it. The bytes are copied.
     *
     * @throws CorruptBlockException if the bytes do not match the CID
     * @throws UnsupportedHashException if the CID's hash function cannot be computed here, or is no proof of anything
     */
    public static Block verified(Cid cid, byte[] bytes) {
        return checked(cid, bytes.clone());
    }

    /** Whether the hash function of a CID can vouch for a block, so that {@link #verified} can compare bytes with it. */
    public static boolean isVerifiable(Cid cid) {
        long function = cid.hashFunction();
        return function == Cid.SHA2_256 || function == BLAKE2B_256 || algorithm(function) != null;
    }

    static Block computed(long codec, byte[] owned) {
        MessageDigest sha256 = sha256();
        sha256.update(owned);
        return computed(codec, owned, sha256);
    }

    static Block computed(long codec, byte[] owned, MessageDigest sha256) {
        return new Block(Cid.ofSha256(codec, sha256), owned);
    }

    static Block checked(Cid cid, byte[] owned) {
        if (!cid.hasDigest(hash(cid, owned))) {
            throw new CorruptBlockException(cid, owned.length + " bytes that hash to something else");
        }
        return new Block(cid, owned);
    }

    /** The hash of bytes by the function that a CID has. */
    private static byte[] hash(Cid cid, byte[] bytes) {
        long function = cid.hashFunction();
        if (function == Cid.SHA2_256) {
            return sha256().digest(bytes);
        }
        if (function == BLAKE2B_256) {
            return Blake2b.digest256(bytes);
        }
        String algorithm = algorithm(function);
        if (algorithm == null) {
            throw new UnsupportedHashException(cid);
        }
        return digest(algorithm).digest(bytes);
    }

    /** A digest that was fed with nothing. */
    static MessageDigest sha256() {
        try {
            return (MessageDigest) UNUSED_SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            return digest(SHA_256);
        }
    }

    private static @Nullable String algorithm(long function) {
        return switch (function > Integer.MAX_VALUE ? -1 : (int) function) {
            case 0x13 -> "SHA-512";
            case 0x14 -> "SHA3-512";
            case 0x15 -> "SHA3-384";
            case 0x16 -> "SHA3-256";
            case 0x17 -> "SHA3-224";
            case 0x20 -> "SHA-384";
            default -> null;
        };
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the Java runtime lacks " + algorithm, e);
        }
    }

    /** The name. */
    public Cid cid() {
        return cid;
    }

    /** The bytes. A copy. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The bytes, read-only and not copied. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /** The number of bytes. */
    public int size() {
        return bytes.length;
    }

    byte[] ownBytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Block block && cid.equals(block.cid);
    }

    @Override
    public int hashCode() {
        return cid.hashCode();
    }

    /** The CID and the size. */
    @Override
    public String toString() {
        return cid + " (" + bytes.length + " bytes)";
    }
}
