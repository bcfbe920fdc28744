package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A store for what a remote sends. It reads from another store, which is the caller's; what it does with blocks that come is its own. */
abstract class ReceivingBlocks implements BlockStore {
    /** The store that is read. */
    final BlockStore blocks;

    ReceivingBlocks(BlockStore blocks) {
        this.blocks = blocks;
    }

    @Override
    public final Optional<Block> get(Cid cid) {
        return blocks.get(cid);
    }

    @Override
    public final Map<Cid, Block> getAll(Collection<Cid> cids) {
        return blocks.getAll(cids);
    }

    @Override
    public final boolean has(Cid cid) {
        return blocks.has(cid);
    }

    @Override
    public final Set<Cid> hasAll(Collection<Cid> cids) {
        return blocks.hasAll(cids);
    }

    @Override
    public final boolean isErased(Cid cid) {
        return blocks.isErased(cid);
    }

    @Override
    public final void close() {
        // The store is the caller's.
    }
}
