package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A batch of puts into an empty pail, against a batch whose first change was a delete, and so puts key by key. */
class GatheredPutsTest {
    private static final int LONGEST_FRONT = 40;
    private static final int MANY = 200_000;

    static List<ShardFormat> formats() {
        return List.of(ShardFormat.v1(), ShardFormat.v2());
    }

    /** What was handed to a block store at once. */
    private static final class Stored extends MapBlocks implements OriginHints {
        private final List<Cid> order = new ArrayList<>();
        private final Map<Cid, Cid> origins = new HashMap<>();

        @Override
        public void putAll(Collection<Block> all, Map<Cid, Cid> origin) {
            all.forEach(block -> order.add(block.cid()));
            origins.putAll(origin);
            super.putAll(all);
        }

        @Override
        public void putAll(Collection<Block> all) {
            putAll(all, Map.of());
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void everySetOfKeys(ShardFormat format) {
        List<String> keys = List.of("", "a", "aa", "ab", "abc", "b", "bb", "bba");
        for (int set = 0; set < 1 << keys.size(); set++) {
            List<String> chosen = new ArrayList<>();
            for (int i = keys.size() - 1; i >= 0; i--) {
                if ((set >> i & 1) == 1) {
                    chosen.add(keys.get(i));
                }
            }
            compare(format, chosen);
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void randomKeys(ShardFormat format) {
        Random random = new Random(Randomness.seed("GatheredPutsTest.randomKeys"));
        int batches = Randomness.times(300, 30_000);
        for (int i = 0; i < batches; i++) {
            compare(format, keys(random, random.nextInt(1 << random.nextInt(11))));
        }
    }

    @Test
    void ofEachKeyTheLastPutCounts() {
        Batch batch = Pail.create(new MapBlocks(), ShardFormat.v1()).batch();
        for (int i = 0; i < 1000; i++) {
            batch.put("key " + i % 10, value(i));
        }
        Pail pail = batch.commit();
        for (int i = 0; i < 10; i++) {
            assertThat(pail.get("key " + i)).contains(value(990 + i));
        }
    }

    @Test
    void deletesFindThePutsBefore() {
        Pail empty = Pail.create(new MapBlocks(), ShardFormat.v1());
        Pail pail = empty.batch()
                .put("ab", value(1))
                .put("ac", value(2))
                .put("a", value(3))
                .delete("ab")
                .put("ad", value(4))
                .delete("a")
                .commit();
        Pail single = empty.put("ab", value(1))
                .put("ac", value(2))
                .put("a", value(3))
                .delete("ab")
                .put("ad", value(4))
                .delete("a");
        assertThat(pail.root()).isEqualTo(single.root());
    }

    @Test
    void nothingPutIsTheSameVersion() {
        Pail empty = Pail.create(new MapBlocks(), ShardFormat.v1());
        assertThat(empty.batch().commit()).isSameAs(empty);
    }

    private static void compare(ShardFormat format, List<String> keys) {
        Stored gathered = new Stored();
        Stored plain = new Stored();
        Batch one = Pail.create(gathered, format).batch();
        Batch other = Pail.create(plain, format).batch().delete("not there");
        for (int i = 0; i < keys.size(); i++) {
            one.put(keys.get(i), value(i));
            other.put(keys.get(i), value(i));
        }
        Pail made = one.commit();
        assertThat(made.root()).as("%s", keys).isEqualTo(other.commit().root());
        assertThat(gathered.order).containsExactlyInAnyOrderElementsOf(plain.order);
        assertThat(gathered.origins).isEqualTo(plain.origins);
        List<Cid> below = new ArrayList<>();
        addBelow(made.shard(), below);
        if (!keys.isEmpty()) {
            assertThat(gathered.order.subList(1, gathered.order.size()))
                    .as("the shards below another come right before it")
                    .isEqualTo(below);
        }
    }

    /** The shards below a shard, in order, and then it. */
    private static void addBelow(ShardView shard, List<Cid> shards) {
        shard.items().forEach(item -> item.shard().ifPresent(linked -> addBelow(linked, shards)));
        shards.add(shard.cid());
    }

    /** Puts in order, some of whose shards are stored before the commit, and behind them other changes. */
    @Test
    void manyPutsInOrderAndThenOthers() {
        Random random = new Random(Randomness.seed("GatheredPutsTest.manyPutsInOrderAndThenOthers"));
        Stored stored = new Stored();
        Batch inOrder = Pail.create(stored, ShardFormat.v1()).batch();
        Batch plain = Pail.create(new MapBlocks(), ShardFormat.v1()).batch().delete("not there");
        TreeMap<String, Cid> model = new TreeMap<>();
        for (int i = 0; i < MANY; i++) {
            model.put(text(random, 10, 1 + random.nextInt(12)), value(i));
        }
        model.forEach((key, value) -> {
            inOrder.put(key, value);
            plain.put(key, value);
        });
        assertThat(inOrder.openedBytes())
                .as("what is stored is not held")
                .isLessThan(stored.order.size() * 1000L)
                .isLessThan(17 << 20);
        assertThat(stored.order.size()).isGreaterThan(10_000);
        for (String key : List.of(model.firstKey(), text(random, 10, 3), text(random, 10, 4))) {
            inOrder.put(key, value(-1));
            plain.put(key, value(-1));
            model.put(key, value(-1));
        }
        String gone = model.higherKey("5");
        inOrder.delete(gone);
        plain.delete(gone);
        assertThat(inOrder.commit().root()).isEqualTo(plain.commit().root());
    }

    /** Keys that share long and short fronts; some are there twice, and some are fronts of others. */
    private static List<String> keys(Random random, int count) {
        String front = text(random, LONGEST_FRONT, random.nextInt(LONGEST_FRONT + 1));
        int letters = 2 + random.nextInt(40);
        int longest = 1 + random.nextInt(20);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i > 0 && random.nextInt(8) == 0) {
                String other = keys.get(random.nextInt(i));
                keys.add(other.substring(0, random.nextInt(other.length() + 1)));
            } else {
                int kept = random.nextInt(4) == 0 ? random.nextInt(front.length() + 1) : front.length();
                keys.add(front.substring(0, kept) + text(random, letters, random.nextInt(longest)));
            }
        }
        return keys;
    }

    private static String text(Random random, int letters, int length) {
        return IntStream.range(0, length)
                .map(i -> '0' + random.nextInt(letters))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static Cid value(int i) {
        return Block.of(Cid.RAW, Integer.toString(i).getBytes(StandardCharsets.UTF_8))
                .cid();
    }
}
