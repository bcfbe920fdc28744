package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Layout;
import dev.pail.shard.LayoutV0;
import dev.pail.shard.Midstates;
import dev.pail.shard.ShardEncoder;
import dev.pail.shard.ShardValue;
import dev.pail.testkit.Randomness;
import dev.pail.unsafe.UnsafeBlocks;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done otherwise where shards are large: hashes resumed, searches by the heads of keys, shards ended at once. */
class LargeShardTest {
    private final Blocks blocks = new Blocks();

    /** Hashes each block anew when it comes in. */
    private static final class Blocks implements BlockStore {
        private final Map<Cid, Block> blocks = new HashMap<>();

        @Override
        public Optional<Block> get(Cid cid) {
            return Optional.ofNullable(blocks.get(cid));
        }

        @Override
        public void put(Block block) {
            blocks.put(block.cid(), Block.verified(block.cid(), block.bytes()));
        }

        @Override
        public void putAll(Collection<Block> all) {
            all.forEach(this::put);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.containsKey(cid);
        }

        @Override
        public void close() {}
    }

    /** A commit holds few of the new shards at a time. Each comes into the store after those that it links to. */
    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void aCommitOfManyShardsStoresThemInPortions(String name) {
        ShardFormat format = name.equals("v0") ? ShardFormat.v0() : ShardFormat.v1();
        List<Long> portions = new ArrayList<>();
        Map<Cid, Integer> order = new HashMap<>();
        MapBlocks store = new MapBlocks() {
            @Override
            public void putAll(Collection<Block> all) {
                portions.add(all.stream().mapToLong(Block::size).sum());
                for (Block block : all) {
                    order.putIfAbsent(block.cid(), order.size());
                    put(block);
                }
            }
        };
        Batch whole = Pail.create(store, format).batch();
        Pail plain = Pail.create(blocks, format);
        Cid value = Block.of(Cid.RAW, new byte[] {1}).cid();
        Batch part = plain.batch();
        for (int i = 0; i < 200_000; i++) {
            String key = Long.toString(i * 7_777_777_777_777L & Long.MAX_VALUE, 36) + i % 10;
            whole.put(key, value);
            part.put(key, value);
            if (i % 10_000 == 9_999) {
                plain = part.commit();
                part = plain.batch();
            }
        }
        portions.clear();
        Pail made = whole.commit();
        assertThat(made.root()).isEqualTo(plain.root());
        Deque<ShardView> due = new ArrayDeque<>(List.of(made.shard()));
        for (ShardView shard = due.poll(); shard != null; shard = due.poll()) {
            int place = order.get(shard.cid());
            shard.items()
                    .forEach(item -> item.shard().ifPresent(child -> {
                        assertThat(order.get(child.cid())).isLessThan(place);
                        due.add(child);
                    }));
        }
        assertThat(portions).hasSizeGreaterThan(1).allMatch(size -> size <= (8 << 20) + (512 << 10));
    }

    @Test
    void theShardsThatABatchHoldsAreCountedOnce() {
        Pail pail = Pail.create(blocks, ShardFormat.v1());
        Batch filling = pail.batch();
        Random random = new Random(1);
        Cid value = Block.of(Cid.RAW, new byte[] {1}).cid();
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            keys.add(Long.toString(random.nextLong(1L << 40), 36));
            filling.put(keys.get(i), value);
        }
        pail = Pail.open(blocks, filling.commit().root());
        PailStatistics statistics = PailStatistics.of(pail);
        assertThat(statistics.shards()).isGreaterThan(100);

        Batch batch = pail.batch();
        assertThat(batch.openedBytes()).isZero();
        batch.put(keys.get(0), value);
        long one = batch.openedBytes();
        assertThat(one).isBetween(1L, statistics.bytes() / 2);
        batch.delete(keys.get(0)).put(keys.get(0), value);
        assertThat(batch.openedBytes()).isEqualTo(one);
        keys.forEach(key -> batch.delete(key).put(key, value));
        assertThat(batch.openedBytes()).isBetween(statistics.bytes() / 2, 8 * statistics.bytes());
        assertThat(batch.commit().root()).isEqualTo(pail.root());
    }

    /** What was put into an empty pail is held until the commit, in every format. */
    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void putsIntoAnEmptyPailAreCounted(String format) {
        ShardFormat of =
                format.equals("v0") ? ShardFormat.v0() : format.equals("v1") ? ShardFormat.v1() : ShardFormat.v2();
        Batch batch = Pail.create(blocks, of).batch();
        assertThat(batch.openedBytes()).isZero();
        int keys = 1000;
        for (int i = 0; i < keys; i++) {
            batch.put(
                    "some key of 20 " + (10_000 + i),
                    Block.of(Cid.RAW, new byte[] {(byte) i, (byte) (i >> 8)}).cid());
        }
        long held = batch.openedBytes();
        assertThat(held).isBetween(160L * keys, 190L * keys);
        batch.put(
                "a longer key of 40 characters, no less: ",
                Block.of(Cid.RAW, new byte[1]).cid());
        assertThat(batch.openedBytes()).isEqualTo(held + held / keys + 20);
        batch.delete("some key of 20 10000");
        assertThat(batch.openedBytes()).as("what waited is held in shards now").isGreaterThan(held);
        assertThat(batch.commit().count(KeyRange.all())).isEqualTo(keys);
    }

    /** A draft with many changes lets go of the shard that it was opened from, and no longer sees that it is as it was. */
    @ParameterizedTest
    @ValueSource(strings = {"delete", "put"})
    void manyChangesThatChangeNothingStoreNothing_P4(String change) {
        MapBlocks counted = new MapBlocks();
        Batch filling = Pail.create(counted, ShardFormat.v1()).batch();
        for (char c = '!'; c < '~'; c++) {
            filling.put(c + "a", value(1)).put(c + "b", value(2));
        }
        Pail pail = filling.commit();
        counted.blocks.clear();
        Batch batch = pail.batch();
        for (char c = '!'; c < '~'; c++) {
            batch = change.equals("delete")
                    ? batch.delete(c + "zzz")
                    : batch.put(c + "zz", value(3)).delete(c + "zz");
        }
        assertThat(batch.commit()).isSameAs(pail);
        assertThat(counted.blocks).isEmpty();
    }

    private static Cid value(int number) {
        return Block.of(Cid.RAW, Integer.toString(number).getBytes(StandardCharsets.US_ASCII))
                .cid();
    }

    private static String key(Random random, String alphabet, String start) {
        int[] points = alphabet.codePoints().toArray();
        StringBuilder key = new StringBuilder(start);
        for (int length = random.nextInt(12); length >= 0; length--) {
            key.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return key.toString();
    }

    @Test
    void overwritingInALargeShardNamesTheBytesThatItStores() {
        Random random = new Random(Randomness.seed("LargeShardTest"));
        TreeMap<String, Cid> model = new TreeMap<>();
        Batch batch = Pail.create(blocks, ShardFormat.v0(8 << 20, 64)).batch();
        for (int i = 0; i < 4000; i++) {
            String key = "key " + i;
            batch.put(key, value(i));
            model.put(key, value(i));
        }
        Pail pail = batch.commit();
        List<String> keys = new ArrayList<>(model.keySet());
        for (int i = 0; i < 300; i++) {
            Batch changes = pail.batch();
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                String key = random.nextInt(10) == 0 ? "new " + i : keys.get(random.nextInt(keys.size()));
                changes.put(key, value(10_000 + i));
                model.put(key, value(10_000 + i));
            }
            pail = changes.commit();
        }
        Batch again = Pail.create(blocks, pail.format()).batch();
        model.forEach(again::put);
        assertThat(again.commit().root()).isEqualTo(pail.root());
        assertThat(Pail.open(blocks, pail.root()).entries().map(Entry::key)).containsExactlyElementsOf(model.keySet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab", "abcdefghijklmnopqrstuvwxyz0123456789", "a\u00e9\u4e2d\ue000\uffff\ud83d\ude00"})
    void manySearchesFindWhatFewDo(String alphabet) {
        Random random = new Random(Randomness.seed("LargeShardTest"));
        for (String start : List.of("", "common front/", "\ud83d\ude00\uffff")) {
            TreeMap<String, Cid> model = new TreeMap<>();
            Batch batch = Pail.create(blocks, ShardFormat.v0(8 << 20, 64)).batch();
            for (int i = 0; i < 3000; i++) {
                String key = key(random, alphabet, start);
                batch.put(key, value(i));
                model.put(key, value(i));
            }
            Pail pail = batch.commit();
            for (int i = 0; i < 20_000; i++) {
                String key = key(random, alphabet, random.nextInt(8) == 0 ? "" : start);
                assertThat(pail.get(key)).as(key).isEqualTo(Optional.ofNullable(model.get(key)));
            }
            model.forEach((key, value) -> assertThat(pail.get(key)).contains(value));
        }
    }

    /** No format writes such shards, but another program may: the offset of an entry takes more than three bytes. */
    @Test
    void searchesOfAShardOfMoreThanSixteenMebibytes() {
        Layout layout = new LayoutV0(8 << 20, 64);
        byte[] head = layout.header(KeyBytes.EMPTY);
        byte[] tail = layout.trailer(KeyBytes.EMPTY);
        int count = 300_000;
        ShardValue value = new ShardValue(value(0), null);
        IntFunction<KeyBytes> keys = i -> KeyBytes.of(String.format("%016d", i));
        int size = head.length + 5 + count * ShardEncoder.size(keys.apply(0), value) + tail.length;
        ShardEncoder encoder = new ShardEncoder(head, count, size, tail.length, false);
        for (int i = 0; i < count; i++) {
            encoder.write(keys.apply(i), value);
        }
        Block block = encoder.finish(tail, false, Midstates.NONE, 0, null, UnsafeBlocks.sha256())
                .block();
        assertThat(block.size()).isGreaterThan(1 << 24);
        blocks.put(block);
        Pail pail = Pail.open(blocks, block.cid());
        for (int i = 0; i < count; i += 7) {
            assertThat(pail.get(keys.apply(i).toString())).contains(value(0));
            assertThat(pail.get(keys.apply(i) + "0")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void aLargeBatchMakesWhatSinglePutsMake_P6(String name) {
        ShardFormat format =
                name.equals("v0") ? ShardFormat.v0(4000, 8) : name.equals("v1") ? ShardFormat.v1() : ShardFormat.v2();
        Random random = new Random(Randomness.seed("LargeShardTest"));
        Pail empty = Pail.create(blocks, format);
        Pail single = empty;
        Batch batch = empty.batch();
        for (int i = 0; i < 5000; i++) {
            String key = key(random, "abcdefghijklmnopqrstuvwxyz", "");
            single = single.put(key, value(i));
            batch.put(key, value(i));
        }
        assertThat(batch.commit().root()).isEqualTo(single.root());
    }

    @Test
    void whereThereIsNoChoiceManySearchesFindWhatFewDo() {
        Random random = new Random(Randomness.seed("LargeShardTest"));
        String front = "one two three four five six seven eight nine ten eleven twelve thirteen ".repeat(2);
        TreeMap<String, Cid> model = new TreeMap<>();
        Batch batch = Pail.create(blocks, ShardFormat.v1()).batch();
        for (int i = 0; i < 200; i++) {
            String key = front.substring(0, random.nextInt(front.length())) + key(random, "ab", "");
            batch.put(key, value(i));
            model.put(key, value(i));
        }
        Pail pail = Pail.open(blocks, batch.commit().root());
        for (int i = 0; i < 5000; i++) {
            String start = front.substring(0, random.nextInt(front.length() + 1));
            String key = random.nextBoolean() ? start : start + key(random, "ab ", "");
            assertThat(pail.get(key)).as(key).isEqualTo(Optional.ofNullable(model.get(key)));
        }
        for (int pass = 0; pass < 4; pass++) {
            model.forEach((key, value) -> assertThat(pail.get(key)).contains(value));
        }
    }
}
