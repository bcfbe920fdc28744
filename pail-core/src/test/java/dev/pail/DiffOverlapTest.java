package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Diffs where shards of version 0 overlap (spec rule V0.7): their keys are not in the order of their links. */
class DiffOverlapTest {
    private static final List<String> KEYS = List.of("a", "aa", "aab", "ab", "b", "ba", "bab", "bb");
    private static final int[] CODE_POINTS = {'a', 0x1f600, 0x1f601, 0xff5e};

    private final MapBlocks blocks = new MapBlocks();

    @Test
    void shardsLinkedFromEverywhere() {
        long seed = Randomness.seed("DiffOverlapTest.shardsLinkedFromEverywhere");
        int overlapping = 0;
        int runs = Randomness.times(5_000, 500_000);
        for (int run = 0; run < runs; run++) {
            blocks.blocks.clear();
            List<Cid> pool = pool(blocks, Randomness.random(seed + run));
            Pail one = Pail.open(blocks, pool.get(pool.size() - 1));
            Pail two = Pail.open(blocks, pool.get(pool.size() - 2));
            Map<String, Cid> entriesOne = PlainDiff.overlapping(one);
            Map<String, Cid> entriesTwo = PlainDiff.overlapping(two);
            overlapping += ModelTest.isOverlapping(one) ? 1 : 0;
            ShardChanges shards = one.diff(two).shards();
            assertThat(one.diff(two).keys())
                    .as("-Dpail.seed=%s", seed + run)
                    .containsExactlyElementsOf(PlainDiff.keys(entriesOne, entriesTwo));
            assertThat(shards.removed())
                    .as("-Dpail.seed=%s", seed + run)
                    .isEqualTo(PlainDiff.without(PlainDiff.shards(one), PlainDiff.shards(two)));
            assertThat(shards.added())
                    .as("-Dpail.seed=%s", seed + run)
                    .isEqualTo(PlainDiff.without(PlainDiff.shards(two), PlainDiff.shards(one)));
        }
        assertThat(overlapping).isGreaterThan(runs / 4);
    }

    /** The same shards and the same links between them, but for a few values, in two configurations: so all have other names. */
    @Test
    void shardsThatHaveTheSameKeysAndValuesInManyPlaces() {
        long seed = Randomness.seed("DiffOverlapTest.shardsThatHaveTheSameKeysAndValuesInManyPlaces");
        int empty = 0;
        int runs = Randomness.times(5_000, 500_000);
        for (int run = 0; run < runs; run++) {
            blocks.blocks.clear();
            Random random = Randomness.random(seed + run);
            int often = 1 + random.nextInt(20);
            List<Cid> pool = new ArrayList<>();
            List<Cid> otherPool = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                List<String> keys = new ArrayList<>(List.of("a", "ab", "b", "c", "d"));
                while (keys.size() > 2) {
                    keys.remove(random.nextInt(keys.size()));
                }
                List<byte[]> entries = new ArrayList<>();
                List<byte[]> others = new ArrayList<>();
                for (String key : keys) {
                    if (pool.isEmpty() || random.nextInt(4) == 0) {
                        int value = random.nextInt(2);
                        entries.add(HostileShards.entry(key, HostileShards.data(value)));
                        int other = random.nextInt(often) == 0 ? 2 : value;
                        others.add(HostileShards.entry(key, HostileShards.data(other)));
                    } else {
                        int linked = random.nextInt(pool.size());
                        entries.add(HostileShards.entry(key, HostileShards.toShard(pool.get(linked))));
                        int other = random.nextInt(often) == 0 ? random.nextInt(pool.size()) : linked;
                        others.add(HostileShards.entry(key, HostileShards.toShard(otherPool.get(other))));
                    }
                }
                pool.add(sized(1000, entries));
                otherPool.add(sized(1001, others));
            }
            Pail one = Pail.open(blocks, pool.get(pool.size() - 1));
            Pail two = Pail.open(blocks, otherPool.get(pool.size() - 1));
            List<KeyChange> changes = PlainDiff.keys(PlainDiff.overlapping(one), PlainDiff.overlapping(two));
            empty += changes.isEmpty() ? 1 : 0;
            assertThat(one.diff(two).keys()).as("-Dpail.seed=%s", seed + run).containsExactlyElementsOf(changes);
        }
        assertThat(empty).isBetween(runs / 20, runs * 9 / 10);
    }

    private Cid sized(int maxSize, List<byte[]> entries) {
        Block block = HostileShards.block(HostileShards.sized(
                HostileCbor.integer(maxSize), HostileCbor.integer(64), entries.toArray(byte[][]::new)));
        blocks.put(block);
        return block.cid();
    }

    /** Shards with two links each to the next, so that there are more places than anybody could go through. */
    @Test
    void bombsOfTheSameKeysAreComparedOnceForEachShard() {
        Cid one = sized(1000, List.of(HostileShards.entry("x")));
        Cid two = sized(1001, List.of(HostileShards.entry("x")));
        for (int level = 0; level < 60; level++) {
            byte[] link = HostileShards.toShard(one);
            byte[] otherLink = HostileShards.toShard(two);
            one = sized(1000, List.of(HostileShards.entry("a", link), HostileShards.entry("b", link)));
            two = sized(1001, List.of(HostileShards.entry("a", otherLink), HostileShards.entry("b", otherLink)));
        }
        MapBlocks few = new MapBlocks() {
            @Override
            public Optional<Block> get(Cid cid) {
                assertThat(reads.get()).as("reads").isLessThan(200);
                return super.get(cid);
            }
        };
        few.blocks.putAll(blocks.blocks);
        assertThat(Pail.open(few, one).diff(Pail.open(few, two)).isEmpty()).isTrue();
    }

    private Cid doubled(int maxSize, Cid below, String... keys) {
        byte[] link = HostileShards.toShard(below);
        return sized(
                maxSize,
                Stream.of(keys).map(key -> HostileShards.entry(key, link)).toList());
    }

    private void assertRefused(Cid one, Cid two) {
        PailDiff diff = Pail.open(blocks, one).diff(Pail.open(blocks, two));
        assertThatExceptionOfType(MalformedBlockException.class)
                .isThrownBy(diff::isEmpty)
                .withMessageContaining("(X3)");
    }

    /** The same keys again, but where the one goes from shard to shard, the other is in the midst of one. */
    @Test
    void bombsThatDoNotLineUpAreRefused_X3() {
        String[] two = {"aa", "ab", "ba", "bb"};
        Cid one = sized(1000, List.of(HostileShards.entry("ax"), HostileShards.entry("bx")));
        Cid other = sized(1001, List.of(HostileShards.entry("x")));
        for (int level = 0; level < 30; level++) {
            one = doubled(1000, one, two);
            other = doubled(1001, other, two);
        }
        assertRefused(one, doubled(1001, other, "a", "b"));
    }

    @Test
    void bombsInAnOverlapAreRefused() {
        Cid bomb = sized(1000, List.of(HostileShards.entry("x")));
        for (int level = 0; level < 60; level++) {
            bomb = doubled(1000, bomb, "a", "b");
        }
        byte[] link = HostileShards.entry("a", HostileShards.toShard(bomb));
        Cid one = sized(1000, List.of(link, HostileShards.entry("az", HostileShards.data(1))));
        Cid other = sized(1000, List.of(link, HostileShards.entry("az", HostileShards.data(2))));
        assertRefused(one, other);
    }

    /** Long keys that end alike share a shard for their ends: what is in many places is not refused for that. */
    @Test
    void shardsInManyPlacesThatDoNotLineUpAreCompared() {
        Map<String, Cid> map = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
            map.put("user/%05d/%s".formatted(i, "settings/".repeat(8)), ModelCheck.value(1));
        }
        Pail one = pail(ShardFormat.v0(20_000, 64), map);
        Pail other = pail(ShardFormat.v0(10_000, 40), map);
        assertThat(one.diff(other).keys()).isEmpty();
        map.put("user/19999/x", ModelCheck.value(2));
        assertThat(one.diff(pail(ShardFormat.v0(10_000, 40), map)).keys()).hasSize(1);
    }

    /** Shards that link to any of those before them, by keys that are prefixes of others, too. */
    static List<Cid> pool(MapBlocks blocks, Random random) {
        List<Cid> pool = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            List<String> keys = new ArrayList<>(KEYS);
            while (keys.size() > 1 + i / 2) {
                keys.remove(random.nextInt(keys.size()));
            }
            DagCborWriter out = new DagCborWriter().map(3).text("entries").array(keys.size());
            for (String key : keys) {
                entry(out.array(2).text(key), pool, random);
            }
            out.text("maxSize").integer(512 * 1024).text("maxKeyLength").integer(64);
            Block block = Block.of(Cid.DAG_CBOR, out.toByteArray());
            blocks.put(block);
            pool.add(block.cid());
        }
        return pool;
    }

    /** A key of these shards. */
    static String key(Random random) {
        return KEYS.get(random.nextInt(KEYS.size()));
    }

    private static void entry(DagCborWriter out, List<Cid> pool, Random random) {
        Cid value = ModelCheck.value(random.nextInt(2));
        if (pool.isEmpty() || random.nextInt(3) == 0) {
            out.link(value);
            return;
        }
        Cid shard = pool.get(random.nextInt(pool.size()));
        if (random.nextBoolean()) {
            out.array(1).link(shard);
        } else {
            out.array(2).link(shard).link(value);
        }
    }

    @Test
    void keysThatAreNotCutInsideACodePoint() {
        long seed = Randomness.seed("DiffOverlapTest.keysThatAreNotCutInsideACodePoint");
        int overlapping = 0;
        int runs = Randomness.times(2_000, 200_000);
        for (int run = 0; run < runs; run++) {
            blocks.blocks.clear();
            Random random = Randomness.random(seed + run);
            ShardFormat format = ShardFormat.v0(1_000 + random.nextInt(5_000), 2 + random.nextInt(4));
            Map<String, Cid> before = map(random, new TreeMap<>(), 40);
            Map<String, Cid> after = map(random, before, 1 + random.nextInt(5));
            Pail one = pail(format, before);
            Pail two = random.nextBoolean() ? pail(format, after) : changed(one, before, after);
            overlapping += ModelTest.isOverlapping(two) ? 1 : 0;
            assertThat(one.diff(two).keys())
                    .as("-Dpail.seed=%s", seed + run)
                    .containsExactlyElementsOf(PlainDiff.keys(before, after));
        }
        assertThat(overlapping).isGreaterThan(runs / 4);
    }

    /** Links whose keys have the same hash as texts and as bytes, each with a longer key beside it, all within one overlap. */
    @Test
    void manyOverlapsAtPrefixesOfOneHash() {
        Block leaf = HostileShards.block(HostileShards.v0(HostileShards.entry("z")));
        blocks.put(leaf);
        List<byte[]> entries = new ArrayList<>(List.of(HostileShards.entry("x", leaf)));
        List<String> keys = new ArrayList<>(List.of("xz"));
        for (int i = 0; i < 1 << 10; i++) {
            StringBuilder key = new StringBuilder("x");
            for (int bit = 9; bit >= 0; bit--) {
                key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            entries.add(HostileShards.entry(key.toString(), leaf));
            entries.add(HostileShards.entry(key + "y"));
            keys.add(key + "y");
            keys.add(key + "z");
        }
        keys.sort(null);
        Block root = HostileShards.block(HostileShards.v0(entries.toArray(byte[][]::new)));
        blocks.put(root);
        Pail pail = Pail.open(blocks, root.cid());
        assertThat(pail.entries().map(Entry::key)).containsExactlyElementsOf(keys);
        Collections.reverse(keys);
        assertThat(pail.entries(KeyRange.all().descending()).map(Entry::key)).containsExactlyElementsOf(keys);
    }

    @Test
    void overlapsThatAreTheSameAreNotReadAndOthersDoNotSuffer_X4() {
        String piece = "x".repeat(63);
        Pail before = Pail.create(blocks)
                .put(piece + "y", ModelCheck.value(1))
                .put(piece + "\ud83d\ude00 long", ModelCheck.value(0))
                .put("z".repeat(64) + " long", ModelCheck.value(2));
        assertThat(ModelTest.isOverlapping(before)).isTrue();
        Pail after = before.put("a", ModelCheck.value(3)).put("z".repeat(64) + " other", ModelCheck.value(4));
        Pail one = Pail.open(blocks, before.root());
        Pail two = Pail.open(blocks, after.root());
        long reads = blocks.reads.get();
        assertThat(one.diff(two).keys()).extracting(KeyChange::key).containsExactly("a", "z".repeat(64) + " other");
        assertThat(blocks.reads.get() - reads).isEqualTo(2);
    }

    private static Map<String, Cid> map(Random random, Map<String, Cid> from, int changes) {
        Map<String, Cid> map = new TreeMap<>(from);
        List<String> keys = new ArrayList<>(from.keySet());
        for (int i = 0; i < changes; i++) {
            if (!keys.isEmpty() && random.nextBoolean()) {
                map.remove(keys.get(random.nextInt(keys.size())));
            }
            StringBuilder key = new StringBuilder();
            for (int length = random.nextInt(8); length > 0; length--) {
                key.appendCodePoint(CODE_POINTS[random.nextInt(CODE_POINTS.length)]);
            }
            map.put(key.toString(), ModelCheck.value(random.nextInt(2)));
        }
        return map;
    }

    private Pail pail(ShardFormat format, Map<String, Cid> map) {
        return changed(Pail.create(blocks, format), Map.of(), map);
    }

    private static Pail changed(Pail from, Map<String, Cid> before, Map<String, Cid> after) {
        Batch batch = from.batch();
        PlainDiff.keys(before, after)
                .forEach(change -> change.after()
                        .ifPresentOrElse(value -> batch.put(change.key(), value), () -> batch.delete(change.key())));
        return batch.commit();
    }
}
