package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Another block store, and what was asked of it. */
public class CountingBlockStore implements BlockStore {
    private final BlockStore store;
    private long reads;

    /** The sizes in bytes and in blocks of each call of {@code putAll}. */
    final List<long[]> batches = new ArrayList<>();

    public CountingBlockStore(BlockStore store) {
        this.store = store;
    }

    /** How many blocks were asked for. */
    public long reads() {
        return reads;
    }

    @Override
    public Optional<Block> get(Cid cid) {
        reads++;
        return store.get(cid);
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        batches.add(new long[] {blocks.stream().mapToLong(Block::size).sum(), blocks.size()});
        store.putAll(blocks);
    }

    @Override
    public boolean has(Cid cid) {
        return store.has(cid);
    }

    @Override
    public void close() {
        store.close();
    }
}
