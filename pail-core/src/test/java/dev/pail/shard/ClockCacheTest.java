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
}
