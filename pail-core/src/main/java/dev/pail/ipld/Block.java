package dev.pail.ipld;

import dev.pail.CorruptBlockException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * Bytes with their {@link Cid}. The two always match: {@link #of} computes the CID, {@link #verified} checks it.
 *
 * <p>Immutable, equal by its CID, and safe for use by several threads.
 *
 * <pre>{@code
 * Block block = Block.of(Cid.RAW, "milk".getBytes(StandardCharsets.UTF_8)); // computes the CID
 * blocks.put(block);
 * Block same = Block.verified(block.cid(), block.bytes()); // or throws CorruptBlockException
 * }</pre>
 */
public final class Block {
    /** The maximum size of a block that this library reads or writes, in bytes: 8 MiB. */
    public static final int MAX_SIZE = 8 << 20;

    private final Cid cid;
    private final byte[] bytes;

    private Block(Cid cid, byte[] bytes) {
        this.cid = cid;
        this.bytes = bytes;
    }

    /**
     * Makes a block of a copy of these bytes. Its CID has version 1 and a digest of SHA2-256.
     *
     * @param codec the code of the codec that the bytes are encoded with
     * @throws IllegalArgumentException if the code is negative
     */
    public static Block of(long codec, byte[] bytes) {
        return computed(codec, bytes.clone());
    }

    /**
     * Makes a block of a copy of these bytes, and checks that their hash matches the CID.
     *
     * @throws CorruptBlockException if the bytes do not match the CID
     * @throws UnsupportedHashException if the CID cannot name a block, or its hash function cannot be computed here
     */
    public static Block verified(Cid cid, byte[] bytes) {
        return checked(cid, bytes.clone());
    }

    /** Whether {@link #verified} can compare bytes with a CID: the length of its digest and its hash function allow it. */
    public static boolean isVerifiable(Cid cid) {
        return cid.canNameBlock() && Hashes.has(cid.hashFunction());
    }

    static Block computed(long codec, byte[] owned) {
        MessageDigest sha256 = Hashes.sha256();
        sha256.update(owned);
        return computed(codec, owned, sha256);
    }

    static Block computed(long codec, byte[] owned, MessageDigest sha256) {
        return new Block(Cid.ofSha256(codec, sha256), owned);
    }

    static Block checked(Cid cid, byte[] owned) {
        if (!isVerifiable(cid)) {
            throw new UnsupportedHashException(cid);
        }
        if (!cid.isStartOf(Hashes.hash(cid.hashFunction(), cid.digestLength(), owned))) {
            throw new CorruptBlockException(cid, owned.length + " bytes that hash to something else");
        }
        return new Block(cid, owned);
    }

    /** Returns the CID. */
    public Cid cid() {
        return cid;
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns the bytes without a copy, read-only. */
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
