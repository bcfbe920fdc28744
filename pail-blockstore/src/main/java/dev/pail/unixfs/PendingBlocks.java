package dev.pail.unixfs;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import java.util.ArrayList;
import java.util.List;

/** Blocks that wait for being stored together, so that a store can sync them at once: at most some 8 MiB, and less in a small heap. */
final class PendingBlocks {
    private static final int MOST = 8 << 20;
    private static final int LEAST = 1 << 20;

    /** Stores have copies of what they write. */
    private static final int PART_OF_HEAP = 32;

    private final int most = portion();

    private final BlockStore blocks;
    private final List<Block> waiting = new ArrayList<>();
    private int size;

    PendingBlocks(BlockStore blocks) {
        this.blocks = blocks;
    }

    /** How many bytes of blocks to store together. */
    static int portion() {
        return (int) Math.max(LEAST, Math.min(MOST, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    void add(Block block) {
        waiting.add(block);
        size += block.size();
        if (size >= most) {
            flush();
        }
    }

    void flush() {
        blocks.putAll(waiting);
        waiting.clear();
        size = 0;
    }
}
