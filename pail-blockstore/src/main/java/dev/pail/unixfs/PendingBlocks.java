package dev.pail.unixfs;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import java.util.ArrayList;
import java.util.List;

/** Blocks that wait for being stored together, so that a store can sync them at once: at most some 8 MiB. */
final class PendingBlocks {
    private static final int MOST = 8 << 20;

    private final BlockStore blocks;
    private final List<Block> waiting = new ArrayList<>();
    private int size;

    PendingBlocks(BlockStore blocks) {
        this.blocks = blocks;
    }

    void add(Block block) {
        waiting.add(block);
        size += block.size();
        if (size >= MOST) {
            flush();
        }
    }

    void flush() {
        blocks.putAll(waiting);
        waiting.clear();
        size = 0;
    }
}
