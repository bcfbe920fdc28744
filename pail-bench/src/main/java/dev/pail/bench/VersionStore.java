package dev.pail.bench;

import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.ShardView;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;

/**
 * A memory store that can forget the blocks of older versions, because ten thousand versions of a large shard fit no
 * memory. For one thread.
 */
final class VersionStore implements BlockStore {
    private static final long MUCH = 128L << 20;

    private final long much;
    private MemoryBlockStore blocks = new MemoryBlockStore();
    private long stored;

    VersionStore() {
        this(MUCH);
    }

    /** @param much how many bytes are stored before older versions are forgotten */
    VersionStore(long much) {
        this.much = much;
    }

    /** Keeps only the shards of some versions, if much was stored since the last time. */
    void prune(Collection<Cid> roots) {
        if (stored < much) {
            return;
        }
        MemoryBlockStore live = new MemoryBlockStore();
        Deque<ShardView> todo = new ArrayDeque<>();
        // Handles of their own, so that the measured one has nothing decoded through this.
        roots.forEach(root -> todo.add(Pail.open(blocks, root).shard()));
        while (!todo.isEmpty()) {
            ShardView shard = todo.remove();
            if (live.has(shard.cid())) {
                continue;
            }
            live.put(blocks.get(shard.cid()).orElseThrow());
            shard.items().forEach(item -> item.shard().ifPresent(todo::add));
        }
        blocks = live;
        stored = 0;
    }

    @Override
    public void putAll(Collection<Block> all) {
        blocks.putAll(all);
        all.forEach(block -> stored += block.size());
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return blocks.get(cid);
    }

    @Override
    public boolean has(Cid cid) {
        return blocks.has(cid);
    }

    @Override
    public void close() {
        blocks.close();
    }
}
