package dev.pail.segment.format;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.unsafe.UnsafeBlocks;
import org.jspecify.annotations.Nullable;

/** The bytes of a block in memory, and how many deltas made them. */
public final class CachedBlock {
    /** About how many bytes of memory it takes beside the bytes of the block. */
    public static final int OVERHEAD = 200;

    private final byte[] bytes;
    private final int chain;

    private final @Nullable Block block;

    public CachedBlock(byte[] bytes, int chain, @Nullable Block block) {
        this.bytes = bytes;
        this.chain = chain;
        this.block = block;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** How many deltas made the bytes. */
    public int chain() {
        return chain;
    }

    /** The block, if the bytes are known to match its CID. */
    @Nullable
    public Block block() {
        return block;
    }

    /** The block under a CID with the same multihash; null if the CID names another block. */
    @Nullable
    public Block as(Cid cid) {
        Block known = block;
        if (known == null || known.cid().equals(cid)) {
            return known;
        }
        return RecordHeader.isSame(known.cid(), cid) ? UnsafeBlocks.verified(cid, bytes) : null;
    }
}
