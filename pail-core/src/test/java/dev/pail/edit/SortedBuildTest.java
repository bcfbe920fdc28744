package dev.pail.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.MapBlocks;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.shard.ClockCache;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Layout;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardTree;
import dev.pail.shard.Shards;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Puts whose shards are made from the first one on, against an editor that puts key by key. */
class SortedBuildTest {
    @Test
    void everySetOfKeys() {
        List<String> keys = List.of("", "a", "aa", "aaa", "ab", "abc", "b", "bb", "bba", "c");
        for (int set = 1; set < 1 << keys.size(); set++) {
            List<String> chosen = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                if ((set >> i & 1) == 1) {
                    chosen.add(keys.get(i));
                }
            }
            compare(chosen);
        }
    }

    /** Keys come twice, and some come behind greater ones. */
    @Test
    void randomKeys() {
        Random random = new Random(Randomness.seed("SortedBuildTest.randomKeys"));
        int times = Randomness.times(300, 30_000);
        for (int n = 0; n < times; n++) {
            List<String> keys = new ArrayList<>();
            int count = 1 + random.nextInt(1 << random.nextInt(9));
            for (int i = 0; i < count; i++) {
                keys.add(Integer.toString(random.nextInt(1 << (1 + random.nextInt(20))), 2 + random.nextInt(5)));
            }
            keys.sort(null);
            for (int i = random.nextInt(4); i > 0; i--) {
                keys.add(random.nextInt(keys.size() + 1), Integer.toString(random.nextInt(100)));
            }
            compare(keys);
        }
    }

    @Test
    void refusesKeysBeforeTheLastOne() {
        GatheredPuts puts = puts(new MapBlocks());
        assertThat(puts.add(key("b"), value(1))).isTrue();
        assertThat(puts.add(key("a"), value(2))).isFalse();
        assertThat(puts.add(key("b"), value(3))).isTrue();
        assertThat(puts.add(key("ba"), value(4))).isTrue();
        assertThat(puts.add(key("b"), value(5))).isFalse();
    }

    private static void compare(List<String> keys) {
        MapBlocks blocks = new MapBlocks();
        Shards shards = shards(blocks);
        GatheredPuts puts = new GatheredPuts(shards, Editor.create(shards), 0);
        Shards plain = shards(new MapBlocks());
        Editor editor = new Editor(new ShardTree(plain, Editor.create(plain)));
        editor.delete(key("not there"));
        Editor rest = null;
        for (int i = 0; i < keys.size(); i++) {
            editor.put(key(keys.get(i)), value(i));
            if (rest == null && !puts.add(key(keys.get(i)), value(i))) {
                rest = new Editor(new ShardTree(shards, puts.finish()));
            }
            if (rest != null) {
                rest.put(key(keys.get(i)), value(i));
            }
        }
        ShardRef made = rest == null ? puts.finish() : rest.commit();
        assertThat(made.cid).as("%s", keys).isEqualTo(editor.commit().cid);
    }

    private static GatheredPuts puts(MapBlocks blocks) {
        Shards shards = shards(blocks);
        return new GatheredPuts(shards, Editor.create(shards), 0);
    }

    private static Shards shards(MapBlocks blocks) {
        return new Shards(blocks, Layout.named("v1"), ClockCache.ofDefaultWeight());
    }

    private static KeyBytes key(String text) {
        return KeyBytes.of(text);
    }

    private static Cid value(int i) {
        return Block.of(Cid.RAW, Integer.toString(i).getBytes(StandardCharsets.UTF_8))
                .cid();
    }
}
