package dev.pail.blockstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.car.CountingBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.BlockStoreContract;
import dev.pail.testkit.LyingBlockStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CachingBlockStoreTest extends BlockStoreContract {
    @Override
    protected BlockStore newStore() {
        return new CachingBlockStore(new MemoryBlockStore(), 1 << 20);
    }

    @Test
    void whatIsHeldIsNotReadAgain() {
        MemoryBlockStore blocks = new MemoryBlockStore();
        CountingBlockStore counted = new CountingBlockStore(blocks);
        counted.put(block(1));
        try (BlockStore store = new CachingBlockStore(counted, 1 << 20)) {
            for (int i = 0; i < 10; i++) {
                assertThat(store.get(block(1).cid())).isPresent();
            }
            store.put(block(2));
            assertThat(store.get(block(2).cid())).isPresent();
            assertThat(blocks.has(block(2).cid())).isTrue();
        }
        assertThat(counted.reads()).isEqualTo(1);
    }

    /** Of ten blocks that are read twice, in turn, three at most need not be read again. */
    @Test
    void anotherBlockThanWasAskedForIsNotHeld() {
        MemoryBlockStore blocks = new MemoryBlockStore();
        blocks.putAll(List.of(block(1), block(2)));
        try (BlockStore store =
                new CachingBlockStore(new LyingBlockStore(blocks, block(1).cid(), block(2).cid()), 1 << 20)) {
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> store.get(block(1).cid()));
                assertThat(store.get(block(2).cid())).contains(block(2));
            }
        }
    }

    @Test
    void noMoreIsHeldThanWasSaid() {
        CountingBlockStore counted = new CountingBlockStore(new MemoryBlockStore());
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            byte[] bytes = new byte[10_000];
            bytes[0] = (byte) i;
            blocks.add(Block.of(Cid.RAW, bytes));
        }
        counted.putAll(blocks);
        try (BlockStore store = new CachingBlockStore(counted, 3 * 10_000 + 9_000)) {
            for (int times = 0; times < 2; times++) {
                for (Block block : blocks) {
                    assertThat(store.get(block.cid())).contains(block);
                }
            }
            assertThat(counted.reads()).isBetween(17L, 19L);
        }
    }
}
