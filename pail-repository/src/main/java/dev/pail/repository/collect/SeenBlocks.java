package dev.pail.repository.collect;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.SweptBlocks;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The blocks as a garbage collector sees them: reading changes nothing, and what is put is held in memory. */
public record SeenBlocks(SweptBlocks blocks, Map<Cid, Block> made) implements BlockStore {
    public SeenBlocks(SweptBlocks blocks) {
        this(blocks, new ConcurrentHashMap<>());
    }

    @Override
    public Optional<Block> get(Cid cid) {
        Block known = made.get(cid);
        return known == null ? blocks.look(cid) : Optional.of(known);
    }

    @Override
    public boolean has(Cid cid) {
        return get(cid).isPresent();
    }

    @Override
    public void putAll(Collection<Block> all) {
        all.forEach(block -> made.put(block.cid(), block));
    }

    @Override
    public void close() {
        // The blocks are not its own.
    }
}
