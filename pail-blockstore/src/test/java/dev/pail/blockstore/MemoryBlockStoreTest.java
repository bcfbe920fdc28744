package dev.pail.blockstore;

import dev.pail.BlockStore;
import dev.pail.testkit.BlockStoreContract;

class MemoryBlockStoreTest extends BlockStoreContract {
    @Override
    protected BlockStore newStore() {
        return new MemoryBlockStore();
    }
}
