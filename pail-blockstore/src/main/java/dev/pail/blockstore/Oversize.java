package dev.pail.blockstore;

import dev.pail.ipld.Block;
import java.util.Collection;

/** Blocks that no store takes, as none would give them back: nothing reads so many bytes for one (contract of the block store, 11). */
final class Oversize {
    private Oversize() {}

    /** @throws IllegalArgumentException if one of these is larger than a block may be */
    static void refuse(Collection<Block> blocks) {
        blocks.forEach(Oversize::refuse);
    }

    /** @throws IllegalArgumentException if it is larger than a block may be */
    static void refuse(Block block) {
        if (block.size() > Block.MAX_SIZE) {
            throw new IllegalArgumentException(
                    "a block has at most " + Block.MAX_SIZE + " bytes, and this more: " + block);
        }
    }
}
