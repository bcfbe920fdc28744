package example;

import dev.pail.BlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.testkit.BlockStoreContract;

class StoreTest extends BlockStoreContract {
    @Override
    protected BlockStore newStore() {
        return new MemoryBlockStore();
    }
}
