package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.shard.ClockCache;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pails that share what they may take in memory for decoded shards. */
class ShardCacheTest {
    private static final int KEYS = 300;
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    /** A store that gives all pails the same. */
    private static final class Sharing extends MapBlocks implements SharedShards {
        private final ShardCache cache;

        Sharing(long maxWeight) {
            this.cache = new ShardCache(new ClockCache(maxWeight));
        }

        @Override
        public ShardCache shardCache() {
            return cache;
        }
    }

    private static List<Pail> filled(Sharing blocks) {
        MapBlocks made = new MapBlocks();
        List<Pail> pails = new ArrayList<>();
        for (ShardFormat format : List.of(ShardFormat.v0(1000, 16), ShardFormat.v1(), ShardFormat.v2())) {
            Batch batch = Pail.create(made, format).batch();
            for (int i = 0; i < KEYS; i++) {
                batch.put("key " + Integer.toString(i * 7, 3), VALUE);
            }
            Cid root = batch.commit().root();
            blocks.blocks.putAll(made.blocks);
            pails.add(Pail.open(blocks, root));
        }
        return pails;
    }

    private static long readsOfAll(MapBlocks blocks, Pail pail) {
        long before = blocks.reads.get();
        assertThat(pail.entries()).hasSize(KEYS);
        return blocks.reads.get() - before;
    }

    @Test
    void allThatIsHeldIsFoundByTheOneThatHasDecodedIt() {
        Sharing blocks = new Sharing(1 << 20);
        List<Pail> pails = filled(blocks);
        pails.forEach(pail -> readsOfAll(blocks, pail));
        assertThat(pails)
                .allSatisfy(pail -> assertThat(readsOfAll(blocks, pail)).isZero());
    }

    @Test
    void whatOneHoldsAnotherHasNoRoomFor() {
        Sharing blocks = new Sharing(50_000);
        List<Pail> pails = filled(blocks);
        Pail first = pails.get(0);
        readsOfAll(blocks, first);
        assertThat(readsOfAll(blocks, first)).isZero();
        pails.subList(1, pails.size()).forEach(pail -> readsOfAll(blocks, pail));
        assertThat(readsOfAll(blocks, first)).isPositive();
    }
}
