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
import dev.pail.update.BuildListener;
import dev.pail.update.UpdateBlocks;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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

    /** The versions that a listener asks for, against those of an editor that puts key by key. */
    @Test
    void versionsOnTheWay_M3() {
        Random random = Randomness.random("SortedBuildTest.versionsOnTheWay");
        int times = Randomness.times(300, 30_000);
        for (int n = 0; n < times; n++) {
            TreeMap<String, Integer> values = new TreeMap<>();
            List<String> keys = new ArrayList<>();
            for (int i = 1 + random.nextInt(1 << random.nextInt(8)); i > 0; i--) {
                keys.add(Integer.toString(random.nextInt(1 << (1 + random.nextInt(20))), 2 + random.nextInt(5)));
            }
            keys.sort(null);
            FollowedBlocks blocks = new FollowedBlocks(1 + random.nextInt(4));
            Shards shards = shards(blocks);
            GatheredPuts puts = new GatheredPuts(shards, Editor.create(shards), 0);
            for (int i = 0; i < keys.size(); i++) {
                assertThat(puts.add(key(keys.get(i)), value(i))).isTrue();
                values.put(keys.get(i), i);
            }
            Cid root = puts.finish().cid;
            Shards plain = shards(new MapBlocks());
            ShardRef version = Editor.create(plain);
            List<Cid> roots = new ArrayList<>();
            int count = 0;
            for (Map.Entry<String, Integer> each : values.entrySet()) {
                Editor editor = new Editor(new ShardTree(plain, version));
                editor.delete(key("not there"));
                editor.put(key(each.getKey()), value(each.getValue()));
                version = editor.commit();
                count++;
                if (count % blocks.each == 0 && count < values.size()) {
                    roots.add(version.cid);
                }
            }
            roots.add(root);
            assertThat(blocks.roots).as("%s", keys).isEqualTo(roots);
            assertThat(version.cid).isEqualTo(root);
            assertThat(blocks.keys).isEqualTo(List.copyOf(values.keySet()));
            assertThat(blocks.values)
                    .isEqualTo(
                            values.values().stream().map(SortedBuildTest::value).toList());
            blocks.roots.forEach(each -> new Editor(new ShardTree(shards, new ShardRef(each))).delete(key("a")));
        }
    }

    /** Follows versions, and asks for one each few keys. */
    private static final class FollowedBlocks extends MapBlocks implements UpdateBlocks, BuildListener {
        private final int each;
        private final List<Cid> roots = new ArrayList<>();
        private final List<String> keys = new ArrayList<>();
        private final List<Cid> values = new ArrayList<>();

        FollowedBlocks(int each) {
            this.each = each;
        }

        @Override
        public BuildListener buildListener() {
            return this;
        }

        @Override
        public boolean isFull(String key, Cid value) {
            return keys.size() % each == 0;
        }

        @Override
        public void version(Cid root) {
            assertThat(has(root)).isTrue();
            roots.add(root);
        }

        @Override
        public void put(String key, Cid value) {
            keys.add(key);
            values.add(value);
        }

        @Override
        public void end(Cid root) {
            version(root);
        }

        @Override
        public void checkInterrupted() {}
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
