package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Changes of version 0 pails that another implementation could have made, and this one would not, against the plain one. */
class ForeignChangesTest {
    private static final List<String> KEYS = List.of("a", "aa", "aab", "ab", "b", "ba", "bab", "bb");
    private static final Cid ONE = HostileShards.value(1);
    private static final Cid TWO = HostileShards.value(2);

    private final MapBlocks blocks = new MapBlocks();

    private Block shard(int maxSize, byte[]... entries) {
        Block shard = HostileShards.block(
                HostileShards.sized(HostileCbor.integer(maxSize), HostileCbor.integer(64), entries));
        blocks.put(shard);
        return shard;
    }

    private Pail pail(int maxSize, byte[]... entries) {
        return Pail.open(blocks, shard(maxSize, entries).cid());
    }

    private static byte[] entry(String key, int value) {
        return HostileShards.entry(key, HostileShards.data(value));
    }

    /** The same as trees of maps, in which a shard that is linked to twice is there twice. */
    private static PlainPail.Plain plain(ShardView shard) {
        PlainPail.Plain plain = new PlainPail.Plain();
        shard.items()
                .forEach(item -> plain.entries.put(
                        item.shardKey(),
                        new PlainPail.Value(
                                item.data().orElse(null),
                                item.shard().map(ForeignChangesTest::plain).orElse(null))));
        return plain;
    }

    private static PlainPail plain(Pail pail) {
        PlainPail plain = PlainPail.of(pail.format());
        plain.root = plain(pail.shard());
        return plain;
    }

    private static List<String> keys(Pail pail) {
        return pail.entries().map(Entry::key).toList();
    }

    @Test
    void aDeleteRemovesAKeyFromEachPlaceThatHasIt_V0_7() {
        Block below = shard(1000, entry("b", 1), entry("bb", 3));
        Pail pail = pail(1000, HostileShards.entry("a", below), entry("ab", 2), entry("abc", 3));
        Pail without = pail.delete("ab");

        assertThat(pail.get("ab")).contains(ONE);
        assertThat(without.get("ab")).isEmpty();
        assertThat(keys(without)).containsExactly("abb", "abc");
        assertThat(pail.diff(without).keys()).containsExactly(new KeyChange("ab", Optional.of(ONE), Optional.empty()));
        assertThat(Pail.merge(pail, pail.put("abc", TWO), without).entries())
                .containsExactly(new Entry("abb", HostileShards.value(3)), new Entry("abc", TWO));
        assertThat(keys(pail.batch().delete("ab").put("ab", TWO).commit())).containsExactly("ab", "abb", "abc");
    }

    @Test
    void aPutOfTheValueThatIsThereDoesNotSplitWhatIsTooLarge_P4() {
        Pail pail = pail(150, entry("aa", 1), entry("ab", 2), entry("b", 3));
        assertThat(pail.shard().size()).isGreaterThan(150);
        assertThat(pail.put("aa", ONE).root()).isEqualTo(pail.root());
        assertThat(pail.put("aa", TWO).shard().size()).isLessThan(150);
        Pail full = pail(100, entry("a", 1), entry("b", 2), entry("c", 3));
        assertThat(full.put("a", ONE).root()).isEqualTo(full.root());
        assertThatExceptionOfType(LimitException.class).isThrownBy(() -> full.put("a", TWO));
    }

    @Test
    void changesOfShardsThatLinkToAnyOthers() {
        long seed = Randomness.seed("ForeignChangesTest");
        int runs = Randomness.times(3_000, 300_000);
        int severalPlaces = 0;
        for (int run = 0; run < runs; run++) {
            Random random = Randomness.random(seed + run);
            blocks.blocks.clear();
            Pail pail = Pail.open(blocks, random(random));
            for (int i = 0; i < 6; i++) {
                PlainPail plain = plain(pail);
                Map<String, Cid> expected = entries(pail);
                String key = key(random, new ArrayList<>(expected.keySet()));
                assertThat(pail.get(key)).isEqualTo(Optional.ofNullable(expected.get(key)));
                Pail next;
                if (random.nextBoolean()) {
                    plain.delete(key);
                    next = pail.delete(key);
                    severalPlaces += expected.containsKey(key) && onlyFirst(pail, key) ? 1 : 0;
                    expected.remove(key);
                } else {
                    Cid value = random.nextBoolean() ? ONE : TWO;
                    try {
                        plain.put(key, value);
                    } catch (PlainPail.Limit e) {
                        Pail full = pail;
                        assertThatExceptionOfType(LimitException.class)
                                .as("-Dpail.seed=%s", seed + run)
                                .isThrownBy(() -> full.put(key, value));
                        continue;
                    }
                    next = pail.put(key, value);
                    expected.put(key, value);
                }
                assertThat(next.root()).as("-Dpail.seed=%s", seed + run).isEqualTo(plain.cid());
                assertThat(entries(next)).as("-Dpail.seed=%s", seed + run).isEqualTo(expected);
                pail = next;
            }
        }
        assertThat(severalPlaces).isGreaterThan(runs / 100);
    }

    /** Whether a key is still there without the first place where it is found. */
    private static boolean onlyFirst(Pail pail, String key) {
        PlainPail plain = plain(pail);
        plain.deleteFirst(key);
        return plain.holds(key);
    }

    private static Map<String, Cid> entries(Pail pail) {
        Map<String, Cid> entries = new TreeMap<>();
        Pail.open(pail.blocks(), pail.root()).entries().forEach(entry -> entries.put(entry.key(), entry.value()));
        return entries;
    }

    private static String key(Random random, List<String> known) {
        if (!known.isEmpty() && random.nextBoolean()) {
            return known.get(random.nextInt(known.size()));
        }
        StringBuilder key = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            key.append(KEYS.get(random.nextInt(KEYS.size())));
        }
        return key.toString();
    }

    /** A root that links to shards that link to others, by keys that are prefixes of others, too. */
    private Cid random(Random random) {
        int maxSize = random.nextBoolean() ? 10_000 : 100 + random.nextInt(300);
        List<Block> pool = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            List<String> keys = new ArrayList<>(KEYS);
            while (keys.size() > 1 + i / 2) {
                keys.remove(random.nextInt(keys.size()));
            }
            byte[][] entries = new byte[keys.size()][];
            for (int k = 0; k < entries.length; k++) {
                int value = 1 + random.nextInt(2);
                entries[k] = entry(keys.get(k), value);
                if (!pool.isEmpty() && random.nextInt(3) != 0) {
                    Cid linked = pool.get(random.nextInt(pool.size())).cid();
                    byte[] link = random.nextBoolean()
                            ? HostileShards.toShard(linked)
                            : HostileShards.toShardWithData(linked, value);
                    entries[k] = HostileShards.entry(keys.get(k), link);
                }
            }
            pool.add(shard(maxSize, entries));
        }
        return pool.get(pool.size() - 1).cid();
    }
}
