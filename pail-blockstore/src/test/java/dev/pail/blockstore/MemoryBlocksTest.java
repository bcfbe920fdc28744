package dev.pail.blockstore;

import dev.pail.BlockStore;
import dev.pail.repository.MemoryBlocks;

class MemoryBlocksTest extends BlockStoreContractTest {
    @Override
    BlockStore newStore() {
        return new MemoryBlocks();
    }
}
