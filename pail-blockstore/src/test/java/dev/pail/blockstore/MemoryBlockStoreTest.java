package dev.pail.blockstore;

import dev.pail.BlockStore;

class MemoryBlockStoreTest extends BlockStoreContractTest {
    @Override
    BlockStore newStore() {
        return new MemoryBlockStore();
    }
}
