package dev.pail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.bench.Entries.Order;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoresTest {
    private static final Entries ENTRIES = Entries.of(KeySet.W2, 40, Order.GIVEN);

    private static Pail filled(VersionStore blocks) {
        Pail pail = Pail.create(blocks, ShardFormat.v1());
        for (int i = 0; i < ENTRIES.size(); i++) {
            pail = pail.put(ENTRIES.keys().get(i), ENTRIES.values().get(i));
        }
        return pail;
    }

    @Test
    void pruningLeavesTheWholeVersionAndNoOther() {
        VersionStore blocks = new VersionStore(1);
        Pail before = filled(blocks);
        Pail after = before.delete(ENTRIES.keys().get(0));

        Pail beside = before.delete(ENTRIES.keys().get(1));

        blocks.prune(List.of(after.root(), beside.root()));

        assertThat(blocks.has(before.root())).isFalse();
        assertThat(Pail.open(blocks, beside.root()).entries()).hasSize(ENTRIES.size() - 1);
        assertThat(Pail.open(blocks, after.root()).entries()).hasSize(ENTRIES.size() - 1);
        assertThat(after.put("more", ENTRIES.values().get(0)).entries()).hasSize(ENTRIES.size());
    }

    @Test
    void pruningWaitsUntilMuchIsStored() {
        VersionStore blocks = new VersionStore(1 << 20);
        Pail before = filled(blocks);
        Pail after = before.delete(ENTRIES.keys().get(0));

        blocks.prune(List.of(after.root()));

        assertThat(blocks.has(before.root())).isTrue();
    }

    @Test
    void aDiffIsFromTheVersionThatAStoreWentOnFrom() {
        Store base = PailStore.empty(ShardFormat.v0());
        base.batch(ENTRIES.first(30));
        Store store = base.fork();
        assertThat(store.diff()).isZero();
        assertThat(store.readsForEachNewShard()).isZero();

        store.batch(ENTRIES.after(30));
        store.put(ENTRIES.keys().get(0), ENTRIES.values().get(1));

        assertThat(store.diff()).isEqualTo(11);
        // One shard before, one after.
        assertThat(store.readsForEachNewShard()).isEqualTo(2);
        assertThat(base.fork().diff()).isZero();
    }

    @Test
    void aCountingStoreCountsEveryRead() {
        Counting counting = new Counting(new MemoryBlockStore());
        Block block = Block.of(Cid.RAW, new byte[10]);
        counting.put(block);
        assertThat(counting.has(block.cid())).isTrue();
        assertThat(counting.reads()).isZero();

        assertThat(counting.get(block.cid())).contains(block);
        counting.get(block.cid());
        assertThat(counting.get(Block.of(Cid.RAW, new byte[11]).cid())).isEmpty();

        assertThat(counting.reads()).isEqualTo(3);
    }

    @Test
    void aHashedStoreHashesEveryBlockOnce() {
        MemoryBlockStore blocks = new MemoryBlockStore();
        Hashing hashing = new Hashing(blocks);
        Block small = Block.of(Cid.RAW, new byte[10]);
        Block large = Block.of(Cid.RAW, new byte[2 << 20]);
        hashing.put(small);
        hashing.put(large);
        hashing.put(small);

        assertThat(hashing.nanos()).isPositive().isEqualTo(hashing.nanos());
        assertThat(hashing.hashedBytes()).isEqualTo(20 + (2 << 20));
        assertThat(blocks.get(large.cid())).contains(large);
    }
}
