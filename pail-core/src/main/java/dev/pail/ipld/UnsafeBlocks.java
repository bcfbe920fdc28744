package dev.pail.ipld;

import java.security.MessageDigest;
import java.util.Objects;

/**
 * Blocks without copying and CIDs without checking, for block stores and codecs. Whoever changes an array that went in or
 * came out here breaks the promise that a block matches its CID; {@link Block} and {@link Cid} have the safe forms.
 */
public final class UnsafeBlocks {
    private UnsafeBlocks() {}

    /** As {@link Block#of}, taking over the array. */
    public static Block of(long codec, byte[] bytes) {
        return Block.computed(codec, bytes);
    }

    /**
     * As {@link Block#of}, taking over the array.
     *
     * @param sha256 from {@link #sha256}, fed with exactly these bytes; it is reset
     */
    public static Block of(long codec, byte[] bytes, MessageDigest sha256) {
        return Block.computed(codec, Objects.requireNonNull(bytes), sha256);
    }

    /** A digest of SHA2-256. */
    public static MessageDigest sha256() {
        return Hashes.sha256();
    }

    /** As {@link Cid#fromBytes(byte[], int, int)}, for a range that was checked before. */
    public static Cid cid(byte[] bytes, int from, int to) {
        return Cid.checked(bytes, from, to);
    }

    /** As {@link Block#verified}, taking over the array. */
    public static Block verified(Cid cid, byte[] bytes) {
        return Block.checked(cid, bytes);
    }

    /** As {@link Block#bytes}, but the block's own array. */
    public static byte[] bytes(Block block) {
        return block.ownBytes();
    }
}
