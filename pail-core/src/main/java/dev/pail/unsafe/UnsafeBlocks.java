package dev.pail.unsafe;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.lang.reflect.Constructor;
import java.security.MessageDigest;
import java.util.Objects;

/**
 * Blocks without copying and CIDs without checking, for the block stores and codecs of this project. Code that changes an array that went
 * in or came out here breaks the promise that a block matches its CID; {@link Block} and {@link Cid} have the safe forms. The package is
 * exported to modules of this project only.
 */
public final class UnsafeBlocks {
    private static final Access ACCESS = access();

    private UnsafeBlocks() {}

    /** What only the package of blocks can do. */
    public interface Access {
        /** See {@link UnsafeBlocks#of(long, byte[])}. */
        Block of(long codec, byte[] bytes);

        /** See {@link UnsafeBlocks#of(long, byte[], MessageDigest)}. */
        Block of(long codec, byte[] bytes, MessageDigest sha256);

        /** See {@link UnsafeBlocks#sha256()}. */
        MessageDigest sha256();

        /** See {@link UnsafeBlocks#cid(byte[], int, int)}. */
        Cid cid(byte[] bytes, int from, int to);

        /** See {@link UnsafeBlocks#verified(Cid, byte[])}. */
        Block verified(Cid cid, byte[] bytes);

        /** See {@link UnsafeBlocks#bytes(Block)}. */
        byte[] bytes(Block block);
    }

    /** The one implementation. It is not public, so that no user of the exported package finds it. */
    private static Access access() {
        try {
            Constructor<?> made = Class.forName("dev.pail.ipld.BlockAccess").getDeclaredConstructor();
            made.setAccessible(true);
            return (Access) made.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** As {@link Block#of}, taking over the array. */
    public static Block of(long codec, byte[] bytes) {
        return ACCESS.of(codec, bytes);
    }

    /**
     * As {@link Block#of}, taking over the array.
     *
     * @param sha256 from {@link #sha256}, fed with exactly these bytes; it is reset
     */
    public static Block of(long codec, byte[] bytes, MessageDigest sha256) {
        return ACCESS.of(codec, Objects.requireNonNull(bytes, "bytes"), sha256);
    }

    /** A digest of SHA2-256. */
    public static MessageDigest sha256() {
        return ACCESS.sha256();
    }

    /** As {@link Cid#fromBytes(byte[], int, int)}, for a range that was checked before. */
    public static Cid cid(byte[] bytes, int from, int to) {
        return ACCESS.cid(bytes, from, to);
    }

    /** As {@link Block#verified}, taking over the array. */
    public static Block verified(Cid cid, byte[] bytes) {
        return ACCESS.verified(cid, bytes);
    }

    /** As {@link Block#bytes}, but the block's own array. */
    public static byte[] bytes(Block block) {
        return ACCESS.bytes(block);
    }
}
