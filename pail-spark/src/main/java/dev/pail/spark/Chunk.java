package dev.pail.spark;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A few blocks in memory: those of a part of a pail, before they are written. For one thread. */
final class Chunk implements BlockStore {
    /** The most bytes that one put into a target has, if that is more than one block. */
    private static final int MOST_TOGETHER = 4 << 20;

    private final Map<Cid, Block> blocks = new LinkedHashMap<>();

    @Override
    public Optional<Block> get(Cid cid) {
        return Optional.ofNullable(blocks.get(cid));
    }

    @Override
    public boolean has(Cid cid) {
        return blocks.containsKey(cid);
    }

    @Override
    public void putAll(Collection<Block> made) {
        made.forEach(block -> blocks.put(block.cid(), block));
    }

    /** Writes all blocks to a target, several together. */
    void writeTo(BlockStore target) {
        List<Block> together = new ArrayList<>();
        long bytes = 0;
        for (Block block : blocks.values()) {
            if (!together.isEmpty() && bytes + block.size() > MOST_TOGETHER) {
                target.putAll(together);
                together.clear();
                bytes = 0;
            }
            together.add(block);
            bytes += block.size();
        }
        if (!together.isEmpty()) {
            target.putAll(together);
        }
    }

    @Override
    public void close() {
        // It holds no resource.
    }
}
