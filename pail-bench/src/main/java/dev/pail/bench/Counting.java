package dev.pail.bench;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Optional;

/** A block store that counts how many blocks are read. For one thread. */
final class Counting implements BlockStore {
    private final BlockStore store;
    private long reads;

    Counting(BlockStore store) {
        this.store = store;
    }

    /** How many blocks were asked for so far, one that was asked for twice as two. */
    long reads() {
        return reads;
    }

    @Override
    public Optional<Block> get(Cid cid) {
        reads++;
        return store.get(cid);
    }

    @Override
    public void putAll(Collection<Block> blocks) {
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
