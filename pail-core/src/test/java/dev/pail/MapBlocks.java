package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Blocks in a map, with a count of what is read. */
public class MapBlocks implements BlockStore {
    public final Map<Cid, Block> blocks = new ConcurrentHashMap<>();
    public final AtomicLong reads = new AtomicLong();

    /** No blocks. */
    public MapBlocks() {}

    @Override
    public Optional<Block> get(Cid cid) {
        reads.incrementAndGet();
        return Optional.ofNullable(blocks.get(cid));
    }

    @Override
    public void put(Block block) {
        blocks.put(block.cid(), block);
    }

    @Override
    public void putAll(Collection<Block> all) {
        all.forEach(this::put);
    }

    @Override
    public boolean has(Cid cid) {
        return blocks.containsKey(cid);
    }

    @Override
    public void close() {}
}
