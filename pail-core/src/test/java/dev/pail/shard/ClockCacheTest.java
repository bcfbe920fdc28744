package dev.pail.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which shard goes when there is no room for another. */
class ClockCacheTest {
    private static ShardRef ref(int number) {
        return new ShardRef(Block.of(Cid.DAG_CBOR, new byte[] {(byte) number}).cid());
    }

    /** A shard that was read since the last round of the hand is passed over, and the next one goes. */
    @Test
    void aShardThatWasReadStaysWhenAnotherGoes() {
        Shard shard = new Shard(new byte[1000], new int[] {0, 1}, null, false, Midstates.NONE);
        ClockCache cache = new ClockCache(3L * shard.weight());
        List<ShardRef> refs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            refs.add(ref(i));
            cache.put(refs.get(i), shard);
        }
        assertThat(refs).map(ref -> ref.shard != null).containsExactly(false, true, true, true);
        // Its place is the next one that the hand comes to.
        assertThat(refs.get(3).use()).isSameAs(shard);
        cache.put(ref(4), shard);
        assertThat(refs).map(ref -> ref.shard != null).containsExactly(false, false, true, true);
    }

    /** Shards that were replaced go first, from a quarter of the weight on, unless they were read since. */
    @Test
    void replacedShardsGoFromAQuarterOfTheWeightOn() {
        Shard shard = new Shard(new byte[1000], new int[] {0, 1}, null, false, Midstates.NONE);
        ClockCache cache = new ClockCache(12L * shard.weight());
        List<ShardRef> refs = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            refs.add(ref(i));
            cache.put(refs.get(i), shard);
            if (i < 3) {
                cache.retire(refs.get(i));
            }
            if (i == 1) {
                assertThat(refs.get(1).use()).isSameAs(shard);
            }
        }
        assertThat(refs)
                .map(ref -> ref.shard != null)
                .containsExactly(false, true, false, true, true, true, true, true);
        cache.retire(refs.get(5));
        assertThat(refs)
                .map(ref -> ref.shard != null)
                .containsExactly(false, true, false, true, true, false, true, true);
        // Those that are left are found by the hand as before.
        for (int i = 8; i < 40; i++) {
            refs.add(ref(i));
            cache.put(refs.get(i), shard);
        }
        assertThat(refs.stream().filter(ref -> ref.shard != null)).hasSize(12);
    }

    /** Of small shards that were replaced, the last ones are held, however light they are; and those that were read since. */
    @Test
    void ofManyReplacedShardsTheLastOnesAreHeld() {
        Shard shard = new Shard(new byte[10], new int[] {0, 1}, null, false, Midstates.NONE);
        ClockCache cache = new ClockCache(1 << 30);
        List<ShardRef> refs = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            refs.add(ref(i));
            cache.put(refs.get(i), shard);
            cache.retire(refs.get(i));
            if (i == 7) {
                assertThat(refs.get(7).use()).isSameAs(shard);
            }
        }
        for (int i = 0; i < 2000; i++) {
            assertThat(refs.get(i).shard != null).as("shard %d", i).isEqualTo(i == 7 || i >= 2000 - 1024);
        }
    }
}
