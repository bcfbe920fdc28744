package dev.pail.blockstore;

import dev.pail.BlockStore;
import dev.pail.repository.MemoryBlocks;
import dev.pail.testkit.BlockStoreContract;

class MemoryBlocksTest extends BlockStoreContract {
    @Override
    protected BlockStore newStore() {
        return new MemoryBlocks();
    }
}
