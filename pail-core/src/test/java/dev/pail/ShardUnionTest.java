package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Unions of pails that were built in parts, against the pail that one process builds. */
class ShardUnionTest {
    private static final int SETS = Randomness.times(300, 10_000);
    private static final int MOST_PARTS = 64;
    private static final String HOT = "hot/".repeat(25);

    static List<ShardFormat> formats() {
        return List.of(ShardFormat.v1(), ShardFormat.v2());
    }

    private static Cid value(String key) {
        return Block.of(Cid.RAW, key.getBytes(StandardCharsets.UTF_8)).cid();
    }

    private static Pail build(BlockStore blocks, ShardFormat format, List<String> keys) {
        Batch batch = Pail.create(blocks, format).batch();
        keys.forEach(key -> batch.put(key, value(key)));
        return batch.commit();
    }

    /** Keys of a kind that a set of data has. */
    private static List<String> keys(Random random) {
        int kind = random.nextInt(5);
        int size = random.nextInt(1 << (1 + random.nextInt(11)));
        Set<String> keys = new TreeSet<>();
        for (int i = 0; i < size; i++) {
            keys.add(
                    switch (kind) {
                        case 0 -> Long.toString(random.nextLong() >>> 20, 36);
                        case 1 ->
                            random.nextInt(10) < 6
                                    ? HOT + Integer.toString(random.nextInt(1 << 20), 36)
                                    : Integer.toString(random.nextInt(1 << 20), 36);
                        // Each key may be the prefix of others.
                        case 2 -> nested(random);
                        case 3 -> "ab".repeat(random.nextInt(60)) + (random.nextBoolean() ? "" : "a");
                        default ->
                            "dir" + random.nextInt(3) + "/" + "sub".repeat(random.nextInt(4)) + random.nextInt(50);
                    });
        }
        return new ArrayList<>(keys);
    }

    private static String nested(Random random) {
        StringBuilder key = new StringBuilder();
        for (int length = random.nextInt(9); length > 0; length--) {
            key.append((char) ('a' + random.nextInt(2)));
        }
        return key.toString();
    }

    /** The parts of a list at random places: some are empty, and some places are before and behind a key that leads to others. */
    private static List<List<String>> split(List<String> keys, Random random) {
        int parts = 1 + random.nextInt(MOST_PARTS);
        List<Integer> places = new ArrayList<>();
        for (int i = 1; i < parts; i++) {
            places.add(random.nextInt(keys.size() + 1));
        }
        Collections.sort(places);
        places.add(keys.size());
        List<List<String>> split = new ArrayList<>();
        int from = 0;
        for (int place : places) {
            split.add(keys.subList(from, place));
            from = place;
        }
        return split;
    }

    private static int depth(Pail pail) {
        return PailStatistics.of(pail).depth();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void givesTheRootOfOneProcess_V1_6(ShardFormat format) {
        long seed = Randomness.seed("ShardUnionTest");
        for (int i = 0; i < SETS; i++) {
            Random random = Randomness.random(seed + i);
            try {
                unite(format, random);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("set " + i + " of seed " + seed, e);
            }
        }
    }

    private static void unite(ShardFormat format, Random random) {
        List<String> keys = keys(random);
        Pail whole = build(new MapBlocks(), format, keys);
        MapBlocks all = new MapBlocks();
        List<MapBlocks> spines = new ArrayList<>();
        List<Pail> parts = new ArrayList<>();
        int depth = depth(whole);
        for (List<String> some : split(keys, random)) {
            MapBlocks own = new MapBlocks();
            Pail part = build(own, format, some);
            all.blocks.putAll(own.blocks);
            // A machine that unites has no more than this.
            MapBlocks spine = new MapBlocks();
            spine.putAll(ShardUnion.spine(part));
            assertThat(spine.blocks.size()).isLessThanOrEqualTo(2 * depth);
            spines.add(spine);
            parts.add(Pail.open(spine, part.root()));
        }
        MapBlocks made = new MapBlocks();
        Pail union = ShardUnion.of(made, parts);

        assertThat(union.root()).isEqualTo(whole.root());
        assertThat(union.format()).isEqualTo(format);
        long reads = spines.stream().mapToLong(spine -> spine.reads.get()).sum();
        assertThat(reads).isLessThanOrEqualTo(2L * parts.size() * depth);
        assertThat(made.reads.get()).isZero();
        all.blocks.putAll(made.blocks);
        Pail read = Pail.open(all, union.root());
        assertThat(read.entries().map(Entry::key)).containsExactlyElementsOf(keys);
        assertThat(Verification.of(all, union.root()).isSound()).isTrue();
        assertThat(whole.blocks().has(union.root())).isTrue();
        made.blocks.keySet().forEach(cid -> assertThat(whole.blocks().has(cid)).isTrue());
    }

    /** Any border: each set of short keys, cut at each place. */
    @ParameterizedTest
    @MethodSource("formats")
    void anyBorderOfAnyKeys_V1_6(ShardFormat format) {
        List<String> some = List.of("", "a", "aa", "aab", "ab", "aba", "b", "bbb");
        for (int set = 0; set < 1 << some.size(); set++) {
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < some.size(); i++) {
                if ((set >> i & 1) == 1) {
                    keys.add(some.get(i));
                }
            }
            MapBlocks blocks = new MapBlocks();
            Cid whole = build(blocks, format, keys).root();
            for (int one = 0; one <= keys.size(); one++) {
                for (int two = one; two <= keys.size(); two++) {
                    List<Pail> parts = List.of(
                            build(blocks, format, keys.subList(0, one)),
                            build(blocks, format, keys.subList(one, two)),
                            build(blocks, format, keys.subList(two, keys.size())));
                    assertThat(ShardUnion.of(blocks, parts).root()).isEqualTo(whole);
                }
            }
        }
    }

    /** Two pails with overlapping ranges are refused, and the message has the keys. */
    @ParameterizedTest
    @MethodSource("formats")
    void refusesRangesThatMeet_V1_6(ShardFormat format) {
        List<String> some = List.of("", "a", "aa", "aab", "ab", "b");
        MapBlocks blocks = new MapBlocks();
        List<List<String>> sets = new ArrayList<>();
        for (int set = 1; set < 1 << some.size(); set++) {
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < some.size(); i++) {
                if ((set >> i & 1) == 1) {
                    keys.add(some.get(i));
                }
            }
            sets.add(keys);
        }
        List<Pail> pails =
                sets.stream().map(keys -> build(blocks, format, keys)).toList();
        int refused = 0;
        for (int one = 0; one < sets.size(); one++) {
            for (int two = 0; two < sets.size(); two++) {
                String last = sets.get(one).get(sets.get(one).size() - 1);
                String first = sets.get(two).get(0);
                List<Pail> parts = List.of(pails.get(one), Pail.create(blocks, format), pails.get(two));
                if (last.compareTo(first) < 0) {
                    assertThat(ShardUnion.of(blocks, parts).entries().count())
                            .isEqualTo(sets.get(one).size() + sets.get(two).size());
                    continue;
                }
                refused++;
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> ShardUnion.of(blocks, parts))
                        .withMessage("the parts of a union have disjoint ranges of keys, in order: part 0 has \"" + last
                                + "\", and part 2 has \"" + first + "\"");
            }
        }
        assertThat(refused).isGreaterThan(2000);
    }

    @Test
    void refusesVersion0AndOtherFormats() {
        MapBlocks blocks = new MapBlocks();
        Pail v0 = Pail.create(blocks);
        Pail v1 = Pail.create(blocks, ShardFormat.v1());
        Pail v2 = Pail.create(blocks, ShardFormat.v2());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardUnion.of(blocks, List.of(v0)))
                .withMessageStartingWith("pails of version 0 cannot be united, as their layout depends on the order");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardUnion.of(blocks, List.of(v1, v2)))
                .withMessageContaining("v1")
                .withMessageContaining("v2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardUnion.of(blocks, List.of(v1, Pail.create(blocks, ShardFormat.v1(10)))));
        assertThatIllegalArgumentException().isThrownBy(() -> ShardUnion.of(blocks, List.of()));
    }

    @Test
    void aUnionOfPailsWithoutKeysIsEmpty() {
        MapBlocks blocks = new MapBlocks();
        Pail empty = Pail.create(blocks, ShardFormat.v1());
        assertThat(ShardUnion.of(new MapBlocks(), List.of(empty, empty)).root()).isEqualTo(empty.root());
        assertThat(ShardUnion.of(new MapBlocks(), List.of(empty)).root()).isEqualTo(empty.root());
        assertThat(ShardUnion.spine(empty)).extracting(Block::cid).containsExactly(empty.root());
        Pail one = empty.put("a", value("a"));
        assertThat(ShardUnion.of(new MapBlocks(), List.of(empty, one, empty)).root())
                .isEqualTo(one.root());
    }

    /** A shard that a delete has left with one entry stays, as it does in one pail (rule V1.5). */
    @Test
    void partsWithDeletesAreUnitedAsTheyAre() {
        MapBlocks blocks = new MapBlocks();
        Pail low = build(blocks, ShardFormat.v1(), List.of("aa", "ab", "ba")).delete("ab");
        Pail high = build(blocks, ShardFormat.v1(), List.of("bb", "bc", "ca", "cb"))
                .delete("bc")
                .delete("cb");
        Pail union = ShardUnion.of(blocks, List.of(low, high));
        assertThat(union.entries().map(Entry::key)).containsExactly("aa", "ba", "bb", "ca");
        assertThat(union.traverse("ca")).hasSize(2);
        assertThat(Verification.of(blocks, union.root()).isSound()).isTrue();
    }

    @Test
    void aMissingShardOfASpineIsNamed() {
        MapBlocks blocks = new MapBlocks();
        Pail low = build(blocks, ShardFormat.v1(), List.of("xa", "xb", "xc"));
        Pail high = build(blocks, ShardFormat.v1(), List.of("xd", "xe"));
        Cid missing = low.traverse("xa").get(1).cid();
        MapBlocks without = new MapBlocks();
        without.blocks.putAll(blocks.blocks);
        without.blocks.remove(missing);
        MapBlocks made = new MapBlocks();
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() ->
                        ShardUnion.of(made, List.of(Pail.open(without, low.root()), Pail.open(without, high.root()))))
                .satisfies(e -> assertThat(e.cid()).isEqualTo(missing));
        assertThat(made.blocks).isEmpty();
    }

    @Test
    void shardsThatNoOtherMeetsAreNotRead() {
        MapBlocks blocks = new MapBlocks();
        List<String> keys = new ArrayList<>();
        for (int i = 1000; i < 3000; i++) {
            keys.add(Integer.toString(i));
        }
        Pail low = build(blocks, ShardFormat.v1(), keys.subList(0, 1000));
        Pail high = build(blocks, ShardFormat.v1(), keys.subList(1000, 2000));
        Set<Cid> only = new HashSet<>(Set.of(low.root(), high.root()));
        MapBlocks roots = new MapBlocks();
        only.forEach(cid -> roots.put(blocks.blocks.get(cid)));
        Pail union = ShardUnion.of(roots, List.of(Pail.open(roots, low.root()), Pail.open(roots, high.root())));
        assertThat(roots.blocks).hasSize(3);
        assertThat(union.root()).isEqualTo(build(blocks, ShardFormat.v1(), keys).root());

        // A key beside the link to the shard with the longer ones does not meet that shard.
        Pail key = build(roots, ShardFormat.v1(), List.of("c"));
        Pail longer = build(blocks, ShardFormat.v1(), List.of("ca", "cb"));
        roots.put(blocks.blocks.get(longer.root()));
        assertThat(ShardUnion.of(roots, List.of(key, Pail.open(roots, longer.root())))
                        .root())
                .isEqualTo(longer.put("c", value("c")).root());
    }
}
