package dev.pail;

import static dev.pail.HostileCbor.integer;
import static dev.pail.HostileShards.entry;
import static dev.pail.HostileShards.sized;
import static dev.pail.HostileShards.toShardWithData;
import static dev.pail.HostileShards.v0;

import dev.pail.HostileInput.Expected;
import dev.pail.ipld.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Row H17 for v0 shards with links whose keys other keys start with, and H19 for changes that would split very much. */
final class HostileOverlapInputs {
    private final List<HostileInput> all = new ArrayList<>();

    private HostileOverlapInputs() {}

    static List<HostileInput> all() {
        HostileOverlapInputs inputs = new HostileOverlapInputs();
        for (int levels : new int[] {1, 3, 8, 16, 40, 300, 5_000}) {
            inputs.addTwoWays(levels);
        }
        inputs.addOneWay();
        inputs.addManyWays();
        inputs.addStaircases();
        inputs.addLongSiblings();
        inputs.addSplits();
        return inputs.all;
    }

    private void add(String name, Expected expected, Consumer<HostileBlocks> fill, String... keys) {
        all.add(HostileInput.pail(name, expected, () -> HostilePail.of(fill, keys)));
    }

    /** Every shard has two links to the next, and the key of one is a prefix of the other. */
    private void addTwoWays(int levels) {
        Expected expected = levels <= 8 ? Expected.ACCEPTED : Expected.BOUNDED;
        add(
                "H17 overlap, " + levels + " levels of a and aa",
                expected,
                blocks -> {
                    Block below = blocks.shard(v0(entry("x")));
                    for (int i = 0; i < levels; i++) {
                        below = blocks.shard(v0(entry("a", below), entry("aa", below)));
                    }
                },
                "a".repeat(levels) + "x",
                "a".repeat(2 * levels) + "x",
                "a".repeat(levels + levels / 2) + "x",
                "a".repeat(2 * levels),
                "a".repeat(levels) + "y");
        add(
                "H17 overlap, " + levels + " levels of a and aa with data",
                expected,
                blocks -> {
                    Block below = blocks.shard(v0(entry("x")));
                    for (int i = 0; i < levels; i++) {
                        below = blocks.shard(v0(entry("a", toShardWithData(below.cid(), 2 * i)), entry("aa", below)));
                    }
                },
                "a".repeat(levels) + "x",
                "a".repeat(2 * levels) + "x",
                "a".repeat(2 * levels) + "y");
    }

    /** One link, and a longer key beside it. */
    private void addOneWay() {
        for (int levels : new int[] {100, 5_000}) {
            add(
                    "H17 overlap, " + levels + " levels of a link and a longer key",
                    Expected.BOUNDED,
                    blocks -> {
                        Block below = blocks.shard(v0(entry("x")));
                        for (int i = 0; i < levels; i++) {
                            below = blocks.shard(v0(entry("a", below), entry("ab")));
                        }
                    },
                    "a".repeat(levels) + "x",
                    "a".repeat(levels) + "b",
                    "ab",
                    "a".repeat(levels / 2) + "ab");
        }
    }

    /** Ten links, of 1 to 10 characters. */
    private void addManyWays() {
        add(
                "H17 overlap, 40 levels of ten links",
                Expected.BOUNDED,
                blocks -> {
                    Block below = blocks.shard(v0(entry("x")));
                    for (int i = 0; i < 40; i++) {
                        below = blocks.shard(v0(staircase(below, 10)));
                    }
                },
                "a".repeat(40) + "x",
                "a".repeat(400) + "x",
                "a".repeat(200) + "x",
                "a".repeat(200) + "y");
    }

    private static byte[][] staircase(Block below, int steps) {
        byte[][] entries = new byte[steps][];
        for (int i = 0; i < steps; i++) {
            entries[i] = entry("a".repeat(i + 1), below);
        }
        return entries;
    }

    /** One shard with links under a, aa, aaa and so on, and perhaps others. */
    private void addStaircases() {
        byte[] longKeys = integer(4_096);
        for (int steps : new int[] {100, 2_000}) {
            for (int others : new int[] {0, 20_000}) {
                add(
                        "H17 overlap, links in " + steps + " steps, " + others + " other keys",
                        Expected.BOUNDED,
                        blocks -> {
                            Block leaf = blocks.shard(sized(integer(HostileShards.MAX_SIZE), longKeys, entry("x")));
                            List<byte[]> entries = new ArrayList<>(List.of(staircase(leaf, steps)));
                            for (int i = 0; i < others; i++) {
                                entries.add(entry("b" + (100_000 + i)));
                            }
                            blocks.shard(
                                    sized(integer(HostileShards.MAX_SIZE), longKeys, entries.toArray(byte[][]::new)));
                        },
                        "a".repeat(steps) + "x",
                        "a".repeat(steps) + "y",
                        "a".repeat(steps / 2));
            }
        }
    }

    /** Two ways on each level, and a long search among the siblings for each. */
    private void addLongSiblings() {
        byte[] size = integer(HostileShards.MAX_SIZE);
        String sibling = "a".repeat(4_096);
        add(
                "H17 overlap, 16 levels beside a long key",
                Expected.BOUNDED,
                blocks -> {
                    Block below = blocks.shard(sized(size, integer(4_096), entry("x")));
                    for (int i = 0; i < 16; i++) {
                        below = blocks.shard(
                                sized(size, integer(4_096), entry("a", below), entry("aa", below), entry(sibling)));
                    }
                },
                "a".repeat(9_000),
                "a".repeat(16) + "x",
                sibling);
    }

    /** Shards that are much larger than their pail allows: a put would have to split them, and split them again. */
    private void addSplits() {
        for (int maxSize : new int[] {64, 200, 1_000}) {
            addOverfull("30,000 pairs of keys", maxSize, () -> pairs(30_000));
            addOverfull("55,000 keys that share nothing", maxSize, () -> characters(55_000));
            addOverfull("1,000 keys, each a prefix of the next", maxSize, () -> prefixes(1_000));
        }
    }

    private void addOverfull(String what, int maxSize, Supplier<byte[][]> entries) {
        byte[] size = integer(maxSize);
        byte[] length = integer(4_096);
        add(
                "H19 a shard of " + what + " where maxSize is " + maxSize,
                Expected.BOUNDED,
                blocks -> {
                    Block large = blocks.shard(sized(size, length, entries.get()));
                    blocks.shard(sized(size, length, entry("z", large)));
                },
                "z5");
    }

    private static byte[][] characters(int count) {
        byte[][] entries = new byte[count][];
        for (int i = 0; i < count; i++) {
            entries[i] = entry(Character.toString(i + 1));
        }
        return entries;
    }

    private static byte[][] prefixes(int count) {
        byte[][] entries = new byte[count][];
        for (int i = 0; i < count; i++) {
            entries[i] = entry("5".repeat(i + 1));
        }
        return entries;
    }

    private static byte[][] pairs(int count) {
        byte[][] entries = new byte[2 * count][];
        for (int i = 0; i < count; i++) {
            entries[2 * i] = entry((10_000 + i) + "a");
            entries[2 * i + 1] = entry((10_000 + i) + "b");
        }
        return entries;
    }
}
