package dev.pail.ipld;

/**
 * Blocks without copying, for block stores and codecs. Whoever changes an array that went in or came out here breaks the
 * promise that a block matches its CID; {@link Block} has the safe forms of all three.
 */
public final class UnsafeBlocks {
    private UnsafeBlocks() {}

    /** As {@link Block#of}, taking over the array. */
    public static Block of(long codec, byte[] bytes) {
        return Block.computed(codec, bytes);
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
