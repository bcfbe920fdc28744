package dev.pail.blockstore;

import dev.pail.BlockStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SegmentBlockStoreTest extends BlockStoreContractTest {
    @TempDir
    Path folder;

    @Override
    BlockStore newStore() {
        return SegmentBlockStore.open(folder.resolve("segments"));
    }
}
