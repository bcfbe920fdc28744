package dev.pail.blockstore;

import dev.pail.BlockStore;
import dev.pail.dag.Oversize;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store in memory, which finds each block only under its own CID.
 *
 * <pre>{@code
 * MemoryBlockStore store = new MemoryBlockStore();
 * Pail version = Pail.create(store, ShardFormat.v1()).putBytes("title", new byte[] {1});
 * int count = store.size(); // 3: the empty root, the value, the new root
 * }</pre>
 */
public final class MemoryBlockStore implements BlockStore {
    private final Map<Cid, Block> blocks = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** An empty store. */
    public MemoryBlockStore() {}

    private Map<Cid, Block> open() {
        if (closed) {
            throw new IllegalStateException("the block store is closed");
        }
        return blocks;
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return Optional.ofNullable(open().get(cid));
    }

    @Override
    public void putAll(Collection<Block> all) {
        Map<Cid, Block> into = open();
        Oversize.refuse(all);
        all.forEach(block -> into.putIfAbsent(block.cid(), block));
    }

    @Override
    public boolean isNear() {
        return true;
    }

    @Override
    public boolean has(Cid cid) {
        return open().containsKey(cid);
    }

    /** The number of blocks. */
    public int size() {
        return open().size();
    }

    @Override
    public void close() {
        closed = true;
    }
}
