package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.MapOperation;
import dev.pail.testkit.RandomOperations;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Ends and counts of ranges, many keys at once, paths of shards, and values as bytes. */
class PailConveniencesTest {
    private static final Cid VALUE = Vectors.value(1);
    private static final byte[] MILK = "milk".getBytes(StandardCharsets.UTF_8);

    private final MapBlocks blocks = new MapBlocks();

    private Pail pail(ShardFormat format, String... keys) {
        Batch batch = Pail.create(blocks, format).batch();
        for (String key : keys) {
            batch.put(key, VALUE);
        }
        return batch.commit();
    }

    @Test
    void randomMapsAnswerAsATreeMapDoes() {
        long seed = Randomness.seed("PailConveniencesTest");
        for (int i = 0; i < Randomness.times(500, 50_000); i++) {
            Random random = Randomness.random(seed + i);
            ShardFormat format = RandomOperations.format(random);
            RandomOperations source = new RandomOperations(random, format);
            ModelCheck check = new ModelCheck(format);
            List<String> keys = new ArrayList<>();
            for (int n = random.nextInt(80); n > 0; n--) {
                MapOperation operation = source.next();
                if (ModelTest.isAllowed(format, operation)) {
                    check.run(operation);
                }
                keys.add(source.key());
            }
            keys.addAll(check.model().keySet());
            compare(check, source, keys, "-Dpail.seed=" + (seed + i));
        }
    }

    /** A condition is that of a reader who commits the changes before it, and a batch whose condition fails is as before. */
    @Test
    void conditionsSeeTheChangesBeforeThem() {
        long seed = Randomness.seed("PailConveniencesTest.conditions");
        int whole = 0;
        int times = Randomness.times(300, 30_000);
        for (int i = 0; i < times; i++) {
            try {
                checkConditions(Randomness.random(seed + i), "-Dpail.seed=" + (seed + i));
                whole++;
            } catch (LimitException e) {
                assertThat(e).as("a small format has no room").hasMessageContaining("maxSize");
            }
        }
        assertThat(whole).isGreaterThan(times / 2);
    }

    private void checkConditions(Random random, String place) {
        ShardFormat format = RandomOperations.format(random);
        RandomOperations source = new RandomOperations(random, format);
        Pail base = pail(format);
        for (int n = random.nextInt(10); n > 0; n--) {
            MapOperation operation = source.next();
            base = ModelTest.isAllowed(format, operation) ? operation.applyTo(base) : base;
        }
        Map<String, Cid> model = new TreeMap<>();
        base.entries().forEach(entry -> model.put(entry.key(), entry.value()));
        Batch batch = base.batch();
        for (int n = random.nextInt(30); n > 0; n--) {
            MapOperation operation = source.next();
            String key = random.nextInt(3) > 0 && !model.isEmpty()
                    ? List.copyOf(model.keySet()).get(random.nextInt(model.size()))
                    : source.key();
            Optional<Cid> found = Optional.ofNullable(model.get(key));
            Optional<Cid> expected = random.nextInt(3) == 0 ? Optional.of(Vectors.value(1 + random.nextInt(3))) : found;
            if (expected.equals(found)) {
                batch.expect(key, expected);
            } else {
                assertThatThrownBy(() -> batch.expect(key, expected))
                        .as(place)
                        .isInstanceOfSatisfying(
                                ConditionFailedException.class,
                                e -> assertThat(e.found()).isEqualTo(found));
            }
            if (ModelTest.isAllowed(format, operation)) {
                operation.applyTo(batch);
                operation.applyTo(model);
            }
        }
        Map<String, Cid> entries = new TreeMap<>();
        batch.commit().entries().forEach(entry -> entries.put(entry.key(), entry.value()));
        assertThat(entries).as(place).isEqualTo(model);
    }

    @Test
    void aPutIfTheValueIsTheExpectedOne() {
        Pail pail = pail(ShardFormat.v1());
        Pail first = pail.putIf("a", Optional.empty(), VALUE);
        assertThat(first).isEqualTo(pail.put("a", VALUE));
        assertThat(first.putIf("a", Optional.of(VALUE), Vectors.value(2)).get("a"))
                .contains(Vectors.value(2));
        assertThatThrownBy(() -> first.putIf("a", Optional.empty(), VALUE))
                .isInstanceOf(ConditionFailedException.class)
                .hasMessage("the key \"a\" should have no value, and has the value " + VALUE);
        assertThatThrownBy(() -> first.putIf("a\ud800", Optional.empty(), VALUE))
                .isInstanceOf(KeyNotAllowedException.class);
    }

    @Test
    void equalByFormatAndRoot() {
        Cid value = Block.of(Cid.RAW, new byte[1]).cid();
        Pail first = Pail.create(new MapBlocks(), ShardFormat.v1()).put("a", value);
        Pail again = Pail.create(new MapBlocks(), ShardFormat.v1())
                .put("b", value)
                .put("a", value)
                .delete("b");
        Pail other = first.put("b", value);
        assertThat(Set.of(first, other)).contains(again).hasSize(2);
        assertThat(new HashSet<>(List.of(first, again))).hasSize(1);
        assertThat(first).isNotEqualTo(other).isNotEqualTo(Pail.create(new MapBlocks(), ShardFormat.v0()));
    }

    private static void compare(ModelCheck check, RandomOperations source, List<String> keys, String seed) {
        Pail pail = Pail.open(check.blocks(), check.pail().root());
        TreeMap<String, Cid> model = new TreeMap<>(check.model());
        assertThat(new ArrayList<>(pail.getAll(keys).entrySet())).as(seed).isEqualTo(new ArrayList<>(model.entrySet()));
        assertThat(pail.first().map(Entry::key))
                .as(seed)
                .isEqualTo(model.keySet().stream().findFirst());
        assertThat(pail.last().map(Entry::key))
                .as(seed)
                .isEqualTo(model.descendingKeySet().stream().findFirst());
        for (int n = 0; n < 5; n++) {
            KeyRange range = source.range();
            List<Entry> expected =
                    pail.entries().filter(entry -> range.contains(entry.key())).toList();
            assertThat(pail.count(range)).as(seed).isEqualTo(expected.size());
            assertThat(pail.first(range)).as(seed).isEqualTo(expected.stream().findFirst());
            assertThat(pail.last(range))
                    .as(seed)
                    .isEqualTo(expected.isEmpty() ? Optional.empty() : Optional.of(expected.get(expected.size() - 1)));
        }
        keys.forEach(key -> checkPath(pail, key, model.get(key), seed));
    }

    /** Each shard is linked to from the one before; the last one has the key, or no link that is a proper prefix of what is left of it. */
    private static void checkPath(Pail pail, String key, Cid value, String seed) {
        List<ShardView> path = pail.traverse(key);
        assertThat(path.get(0)).as(seed).isEqualTo(pail.shard());
        for (int i = 1; i < path.size(); i++) {
            ShardView shard = path.get(i);
            assertThat(key).startsWith(shard.prefix());
            assertThat(shard.depth()).isEqualTo(i);
            assertThat(path.get(i - 1).items().flatMap(item -> item.shard().stream()))
                    .as(seed)
                    .contains(shard);
        }
        ShardView last = path.get(path.size() - 1);
        String rest = key.substring(last.prefix().length());
        if (value == null) {
            assertThat(last.items().filter(item -> item.shard().isPresent()))
                    .as(seed)
                    .noneMatch(item -> rest.startsWith(item.shardKey()) && !rest.equals(item.shardKey()));
        }
        assertThat(last.items()
                        .filter(item -> item.shardKey().equals(rest))
                        .findFirst()
                        .flatMap(ShardView.Item::data))
                .as(seed)
                .isEqualTo(Optional.ofNullable(value));
    }

    @Test
    void traverseGivesThePathOfASpecifiedKey_S7() {
        Pail pail = pail(ShardFormat.v1(), "ab", "abc", "abd", "b");
        assertThat(pail.traverse("abd").stream().map(ShardView::prefix)).containsExactly("", "a", "ab");
        assertThat(pail.traverse("ab").stream().map(ShardView::prefix)).containsExactly("", "a");
        assertThat(pail.traverse("zzz").stream().map(ShardView::prefix)).containsExactly("");
        assertThat(pail.traverse("")).containsExactly(pail.shard());
    }

    /** A store that counts how often it is asked. */
    private static final class FarBlocks extends MapBlocks {
        int trips;

        @Override
        public Optional<Block> get(Cid cid) {
            trips++;
            return super.get(cid);
        }

        @Override
        public Map<Cid, Block> getAll(Collection<Cid> cids) {
            int before = trips;
            Map<Cid, Block> all = super.getAll(cids);
            trips = before + 1;
            return all;
        }
    }

    @Test
    void getAllFetchesTheShardsOfALevelTogether() {
        FarBlocks far = new FarBlocks();
        Batch batch = Pail.create(far, ShardFormat.v1()).batch();
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            keys.add(String.format("%03d", i));
        }
        keys.forEach(key -> batch.put(key, VALUE));
        Pail pail = Pail.open(far, batch.commit().root());
        far.trips = 0;
        assertThat(pail.getAll(keys).keySet()).containsExactlyElementsOf(keys);
        // 10 shards below the root, then 100 in groups of 32.
        assertThat(far.trips).isEqualTo(1 + 4);
        assertThat(pail.getAll(List.of())).isEmpty();
        assertThat(pail.getAll(List.of("", "9", "9999"))).isEmpty();
    }

    @Test
    void getAllNamesTheShardThatIsMissing() {
        Pail pail = pail(ShardFormat.v1(), "aa", "ab", "ba", "bb");
        Cid lost = pail.traverse("aa").get(1).cid();
        blocks.blocks.remove(lost);
        Pail again = Pail.open(blocks, pail.root());
        assertThatThrownBy(() -> again.getAll(List.of("aa", "ba")))
                .isInstanceOfSatisfying(
                        MissingBlockException.class, e -> assertThat(e.cid()).isEqualTo(lost));
        assertThat(again.getAll(List.of("ba", "bc"))).containsOnlyKeys("ba");
    }

    @Test
    void bytesAreStoredAsOneRawBlock() throws Exception {
        Pail pail = pail(ShardFormat.v1()).putBytes("note", MILK);
        Block block = Block.of(Cid.RAW, MILK);
        assertThat(pail.get("note")).contains(block.cid());
        assertThat(blocks.get(block.cid())).contains(block);
        assertThat(pail.getBytes("note")).contains(MILK);
        assertThat(pail.getBytes("none")).isEmpty();
        assertThat(pail.putBytes("empty", new byte[0]).getBytes("empty")).contains(new byte[0]);
        blocks.blocks.remove(block.cid());
        assertThatThrownBy(() -> pail.getBytes("note")).isInstanceOf(MissingBlockException.class);
    }

    @Test
    void bytesOfAnIdentityCidAreInIt() {
        Cid inline = Cid.fromBytes(new byte[] {1, 0x55, 0, 4, 'm', 'i', 'l', 'k'});
        Pail pail = pail(ShardFormat.v1()).requiringBlocks().put("note", inline);
        assertThat(pail.getBytes("note")).contains(MILK);
    }

    @Test
    void refusedBytesAreNotStored() {
        Pail pail = pail(ShardFormat.v1(4));
        int before = blocks.blocks.size();
        assertThatThrownBy(() -> pail.putBytes("größe", MILK)).isInstanceOf(KeyNotAllowedException.class);
        assertThatThrownBy(() -> pail.putBytes("big", new byte[Block.MAX_SIZE + 1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"big\"");
        Pail small = Pail.create(blocks, ShardFormat.v0(64, 64));
        int after = blocks.blocks.size();
        assertThatThrownBy(() -> small.putBytes("a".repeat(60), MILK)).hasMessageStartingWith("shard limit reached: ");
        assertThat(blocks.blocks).hasSize(after).hasSize(before + 1);
    }

    @Test
    void aBatchStoresBytesTogetherBeforeItsShards() {
        List<Integer> puts = new ArrayList<>();
        List<Boolean> raw = new ArrayList<>();
        MapBlocks recording = new MapBlocks() {
            @Override
            public void putAll(Collection<Block> all) {
                puts.add(all.size());
                raw.add(all.iterator().next().cid().codec() == Cid.RAW);
                super.putAll(all);
            }
        };
        Batch batch = Pail.create(recording, ShardFormat.v1()).batch();
        puts.clear();
        raw.clear();
        for (int i = 0; i < 100; i++) {
            batch.putBytes("k" + i, new byte[] {(byte) i});
        }
        assertThat(puts).isEmpty();
        assertThat(batch.commit().getBytes("k7")).contains(new byte[] {7});
        assertThat(puts.get(0)).isEqualTo(100);
        assertThat(raw).containsExactly(true, false);
        Batch large = Pail.create(recording, ShardFormat.v1()).batch();
        puts.clear();
        for (int i = 0; i < 3; i++) {
            byte[] bytes = new byte[Block.MAX_SIZE];
            bytes[0] = (byte) i;
            large.putBytes("k" + i, bytes);
        }
        assertThat(puts).containsExactly(3);
    }

    @Test
    void requiringBlocksRefusesAValueThatIsNotHere() {
        Pail pail = pail(ShardFormat.v1(), "old").requiringBlocks();
        assertThat(pail.requiringBlocks()).isSameAs(pail);
        assertThatThrownBy(() -> pail.put("new", VALUE))
                .isInstanceOfSatisfying(
                        MissingBlockException.class, e -> assertThat(e.cid()).isEqualTo(VALUE));
        Block milk = Block.of(Cid.RAW, MILK);
        Batch batch = pail.batch();
        assertThatThrownBy(() -> batch.put("new", VALUE)).isInstanceOf(MissingBlockException.class);
        // The batch is as it was, and knows the bytes that wait in it.
        Pail next = batch.putBytes("note", MILK).put("copy", milk.cid()).commit();
        assertThat(next.getAll(List.of("copy", "new"))).containsOnlyKeys("copy");
        assertThatThrownBy(() -> next.delete("old").in(blocks).put("new", VALUE))
                .isInstanceOf(MissingBlockException.class);
        assertThatThrownBy(() -> next.namespace("n").put("new", VALUE)).isInstanceOf(MissingBlockException.class);
        assertThat(Pail.open(blocks, next.root()).put("new", VALUE).get("new")).contains(VALUE);
    }
}
