package dev.pail.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.HostileShards;
import dev.pail.MapBlocks;
import dev.pail.ipld.Block;
import dev.pail.shard.ClockCache;
import dev.pail.shard.Cut;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Layout;
import dev.pail.shard.Shard;
import dev.pail.shard.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which entries of a shard are within bounds. */
class EntryLevelTest {
    private static Block block(SortedMap<String, byte[]> values) {
        List<byte[]> entries = new ArrayList<>();
        values.forEach((key, value) -> entries.add(HostileShards.entry(key, value)));
        return HostileShards.block(HostileShards.v0(entries.toArray(byte[][]::new)));
    }

    /** Whether shards overlap elsewhere does not matter to a range: it begins where its keys can be. */
    @Test
    void aRangeBeginsAtTheOutermostLinkThatCanHaveKeysOfIt() {
        TreeMap<String, byte[]> entries = new TreeMap<>();
        for (char c = 'a'; c <= 'z'; c++) {
            entries.put("k" + c, HostileShards.data(1));
        }
        byte[] link = HostileShards.toShard(block(entries).cid());
        entries.put("kf", link);
        entries.put("kfa", HostileShards.data(1));
        entries.put("kfb", link);
        entries.put("kfbx", HostileShards.data(1));
        Block block = block(entries);
        Shard shard = new Shards(new MapBlocks(), Layout.detect(block), ClockCache.ofDefaultWeight())
                .decode(block, KeyBytes.EMPTY);
        List<String> keys = List.copyOf(entries.keySet());
        for (String[] firstAndBound : new String[][] {
            {"ka", "ka"}, {"kb", "kc"}, {"kf", "kfa"}, {"kf", "kfb"}, {"kf", "kfbz"}, {"kf", "kg"}, {"ks", "kt"}
        }) {
            Cut low = Cut.before(KeyBytes.of(firstAndBound[1]));
            EntryLevel level = new EntryLevel(shard, null, 0, low, null, Direction.ASCENDING);
            assertThat(keys.get(level.entry)).as(firstAndBound[1]).isEqualTo(firstAndBound[0]);
        }
    }
}
