package dev.pail.dag;

import dev.pail.ipld.Block;
import java.util.Collection;

/** Refuses blocks that are too large to be read again, as each block store must (contract of the block store, 11). */
public final class Oversize {
    private Oversize() {}

    /**
     * Checks that a store takes all of these.
     *
     * @throws IllegalArgumentException if one is larger than a block may be
     */
    public static void refuse(Collection<Block> blocks) {
        blocks.forEach(Oversize::refuse);
    }

    private static void refuse(Block block) {
        if (block.size() > Block.MAX_SIZE) {
            throw new IllegalArgumentException(
                    "a block has at most " + Block.MAX_SIZE + " bytes, and this more: " + block);
        }
    }
}
