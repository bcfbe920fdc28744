package dev.pail.ipld;

import dev.pail.unsafe.UnsafeBlocks;
import java.security.MessageDigest;

/** Gives {@link UnsafeBlocks} what is private to this package. Found by its name. */
final class BlockAccess implements UnsafeBlocks.Access {
    @Override
    public Block of(long codec, byte[] bytes) {
        return Block.computed(codec, bytes);
    }

    @Override
    public Block of(long codec, byte[] bytes, MessageDigest sha256) {
        return Block.computed(codec, bytes, sha256);
    }

    @Override
    public MessageDigest sha256() {
        return Hashes.sha256();
    }

    @Override
    public Cid cid(byte[] bytes, int from, int to) {
        return Cid.checked(bytes, from, to);
    }

    @Override
    public Block verified(Cid cid, byte[] bytes) {
        return Block.checked(cid, bytes);
    }

    @Override
    public byte[] bytes(Block block) {
        return block.ownBytes();
    }
}
