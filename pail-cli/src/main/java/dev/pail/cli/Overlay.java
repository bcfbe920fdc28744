package dev.pail.cli;

import dev.pail.BlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Optional;

/** The blocks of a store that is only read, with those that were put since, which are kept in memory. */
final class Overlay implements BlockStore {
    private final BlockStore below;
    private final MemoryBlockStore above = new MemoryBlockStore();

    /** @param below is not closed with this */
    Overlay(BlockStore below) {
        this.below = below;
    }

    @Override
    public Optional<Block> get(Cid cid) {
        Optional<Block> found = above.get(cid);
        return found.isPresent() ? found : below.get(cid);
    }

    /** A block that was put since. */
    Optional<Block> added(Cid cid) {
        return above.get(cid);
    }

    @Override
    public boolean has(Cid cid) {
        return above.has(cid) || below.has(cid);
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        above.putAll(blocks);
    }

    @Override
    public void close() {
        above.close();
    }
}
