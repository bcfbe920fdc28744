package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Ranges of version 0 pails whose shards overlap (spec rule V0.7), against a plain list. */
class RangeOverlapTest {
    private static final List<String> KEYS =
            List.of("a", "aa", "ab", "abb", "b", "\ud83d\ude00", "\ud83d\ude01", "\uff5e");

    private final MapBlocks blocks = new MapBlocks();

    private Block shard(SortedMap<String, byte[]> values) {
        List<byte[]> entries = new ArrayList<>();
        values.forEach((key, value) -> entries.add(HostileShards.entry(key, value)));
        Block shard = HostileShards.block(HostileShards.v0(entries.toArray(byte[][]::new)));
        blocks.put(shard);
        return shard;
    }

    @Test
    void rangesInBothDirections() {
        long seed = Randomness.seed("RangeOverlapTest");
        int overlapping = 0;
        int runs = Randomness.times(800, 200_000);
        for (int run = 0; run < runs; run++) {
            Random random = Randomness.random(seed + run);
            blocks.blocks.clear();
            Pail pail = Pail.open(blocks, random(random));
            overlapping += ModelTest.isOverlapping(pail) ? 1 : 0;
            List<Entry> all = new ArrayList<>();
            PlainDiff.overlapping(pail).forEach((key, value) -> all.add(new Entry(key, value)));
            assertThat(pail.entries()).as("-Dpail.seed=%s", seed + run).containsExactlyElementsOf(all);
            for (int i = 0; i < 10; i++) {
                Bounds bounds = bounds(random);
                KeyRange range = bounds.range;
                List<Entry> expected = new ArrayList<>(all.stream()
                        .filter(entry -> bounds.keys.test(entry.key()))
                        .toList());
                assertThat(pail.entries(range))
                        .as("-Dpail.seed=%s %s", seed + run, range)
                        .containsExactlyElementsOf(expected);
                assertThat(pail.count(range))
                        .as("-Dpail.seed=%s %s", seed + run, range)
                        .isEqualTo(expected.size());
                int place = random.nextInt(expected.size() + 1);
                assertThat(pail.entryAt(range, place))
                        .isEqualTo(expected.stream().skip(place).findFirst());
                List<String> doomed = expected.stream().map(Entry::key).toList();
                assertThat(pail.deleteRange(range).root())
                        .as("-Dpail.seed=%s %s", seed + run, range)
                        .isEqualTo(deleted(pail, doomed).root());
                List<String> some = Stream.concat(doomed.stream(), Stream.of("a", "abb", "zz"))
                        .distinct()
                        .toList();
                assertThat(pail.getAll(some)).isEqualTo(one(pail, some));
                Collections.reverse(expected);
                assertThat(pail.entries(range.descending()))
                        .as("-Dpail.seed=%s %s", seed + run, range)
                        .containsExactlyElementsOf(expected);
            }
        }
        assertThat(overlapping).isGreaterThan(runs / 4);
    }

    private static Pail deleted(Pail pail, List<String> keys) {
        Batch batch = pail.batch();
        keys.forEach(batch::delete);
        return batch.commit();
    }

    private static Map<String, Cid> one(Pail pail, List<String> keys) {
        Map<String, Cid> values = new TreeMap<>();
        keys.forEach(key -> pail.get(key).ifPresent(value -> values.put(key, value)));
        return values;
    }

    /** A root that links to shards that link to others, by keys that are prefixes of others, too. */
    private Cid random(Random random) {
        List<Block> pool = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            TreeMap<String, byte[]> entries = new TreeMap<>();
            for (int k = 0; k < 1 + i; k++) {
                byte[] data = HostileShards.data(random.nextInt(3));
                entries.put(
                        key(random, 2),
                        pool.isEmpty() || random.nextInt(3) == 0
                                ? data
                                : HostileShards.toShard(
                                        pool.get(random.nextInt(pool.size())).cid()));
            }
            pool.add(shard(entries));
        }
        return pool.get(pool.size() - 1).cid();
    }

    private static String key(Random random, int most) {
        StringBuilder key = new StringBuilder();
        for (int i = random.nextInt(most); i >= 0; i--) {
            key.append(KEYS.get(random.nextInt(KEYS.size())));
        }
        return key.toString();
    }

    /** A range, and which keys are in it. */
    private record Bounds(KeyRange range, Predicate<String> keys) {
        Bounds and(KeyRange narrower, Predicate<String> more) {
            return new Bounds(narrower, keys.and(more));
        }
    }

    private static Bounds bounds(Random random) {
        Bounds bounds = new Bounds(KeyRange.all(), key -> true);
        for (int i = random.nextInt(3); i >= 0; i--) {
            String bound = key(random, 4);
            KeyRange range = bounds.range;
            bounds = switch (random.nextInt(5)) {
                case 0 -> bounds.and(range.within(bound), key -> key.startsWith(bound));
                case 1 -> bounds.and(range.from(bound), key -> key.compareTo(bound) >= 0);
                case 2 -> bounds.and(range.after(bound), key -> key.compareTo(bound) > 0);
                case 3 -> bounds.and(range.through(bound), key -> key.compareTo(bound) <= 0);
                default -> bounds.and(range.before(bound), key -> key.compareTo(bound) < 0);
            };
        }
        return bounds;
    }
}
