package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Blocks in a map, with a count of what is read. */
public class MapBlocks implements BlockStore {
    public final Map<Cid, Block> blocks = new ConcurrentHashMap<>();
    public final AtomicLong reads = new AtomicLong();

    /** No blocks. */
    public MapBlocks() {}

    /** Forgets all shards that are not of this version. */
    public void keepOnly(Pail pail) {
        Set<Cid> needed = new HashSet<>();
        Deque<ShardView> due = new ArrayDeque<>(List.of(pail.shard()));
        for (ShardView shard = due.poll(); shard != null; shard = due.poll()) {
            needed.add(shard.cid());
            shard.items().forEach(item -> item.shard().ifPresent(due::add));
        }
        blocks.keySet().retainAll(needed);
    }

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
