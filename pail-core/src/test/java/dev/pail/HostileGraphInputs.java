package dev.pail;

import static dev.pail.HostileShards.entry;
import static dev.pail.HostileShards.toShardWithData;
import static dev.pail.HostileShards.v0;

import dev.pail.HostileInput.Expected;
import dev.pail.ipld.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Rows H17 and H18: few blocks that have many keys, and long chains. */
final class HostileGraphInputs {
    private static final int LONGEST = 4096;

    private interface Format {
        byte[] shard(String prefix, byte[]... entries);
    }

    private final List<HostileInput> all = new ArrayList<>();

    private HostileGraphInputs() {}

    static List<HostileInput> all() {
        HostileGraphInputs inputs = new HostileGraphInputs();
        for (int levels : new int[] {2, 40, 1_000}) {
            inputs.addBomb(levels);
            inputs.addPrefixedBomb("v1", HostileShards::v1, levels);
            inputs.addPrefixedBomb("v2", HostileShards::v2, levels);
        }
        inputs.addWideBomb();
        inputs.addManyLinks();
        inputs.addChains();
        inputs.addLegalChains();
        return inputs.all;
    }

    private void add(String name, Expected expected, Consumer<HostileBlocks> fill, String... keys) {
        all.add(HostileInput.pail(name, expected, () -> HostilePail.of(fill, keys)));
    }

    /** Every shard links twice to the next. */
    private void addBomb(int levels) {
        all.add(HostileInput.pail("H17 v0, " + levels + " levels of two links", Expected.ACCEPTED, () -> {
            HostilePail pail = HostilePail.of(
                    blocks -> bomb(blocks, levels),
                    "l".repeat(levels) + "k",
                    "r".repeat(levels) + "k",
                    "lr".repeat(levels / 2) + "k");
            return pail.withCheck(opened -> checkBomb(opened, pail.store(), levels));
        }));
    }

    private static void bomb(HostileBlocks blocks, int levels) {
        Block below = blocks.shard(v0(entry("k")));
        for (int i = 0; i < levels; i++) {
            below = blocks.shard(v0(entry("l", below), entry("r", below)));
        }
    }

    private static void checkBomb(Pail pail, HostileBlocks blocks, int levels) {
        long before = blocks.reads();
        PailStatistics statistics = PailStatistics.of(pail);
        long entries = levels < 63 ? 1L << levels : Long.MAX_VALUE;
        HostilePail.require(statistics.entries() == entries, "entries are counted, " + statistics);
        HostilePail.require(statistics.shards() == levels + 1L, "shards are counted once, " + statistics);
        HostilePail.require(statistics.depth() == levels + 1, "depth, " + statistics);
        Verification verification = Verification.of(blocks, pail.root());
        HostilePail.require(verification.shards() == levels + 1L, "shards are verified once, " + verification);
        long reads = blocks.reads() - before;
        HostilePail.require(reads <= 4 * (levels + 1L), "reads go with the blocks, " + reads);
        HostilePail.require(pail.entries().findFirst().isPresent(), "there is a first entry");
    }

    /** As above, but each shard has a prefix, which can be right for one of the two alone. */
    private void addPrefixedBomb(String name, Format format, int levels) {
        add(
                "H17 " + name + ", " + levels + " levels of two links",
                Expected.REFUSED_BELOW,
                blocks -> {
                    Block below = blocks.shard(format.shard("l".repeat(levels), entry("k")));
                    for (int i = levels - 1; i >= 0; i--) {
                        below = blocks.shard(format.shard("l".repeat(i), entry("l", below), entry("r", below)));
                    }
                },
                "rk");
    }

    private void addWideBomb() {
        add(
                "H17 v0, 8 levels of 1,000 links",
                Expected.ACCEPTED,
                blocks -> {
                    Block below = blocks.shard(v0(entry("k")));
                    for (int i = 0; i < 8; i++) {
                        below = blocks.shard(v0(links(below, 1_000)));
                    }
                },
                "0000".repeat(8) + "k");
    }

    private static byte[][] links(Block below, int count) {
        byte[][] entries = new byte[count][];
        for (int i = 0; i < count; i++) {
            entries[i] = entry(number(i), below);
        }
        return entries;
    }

    private static byte[][] values(int count) {
        byte[][] entries = new byte[count][];
        for (int i = 0; i < count; i++) {
            entries[i] = entry(number(i));
        }
        return entries;
    }

    /** Numbers as text, in order. */
    private static String number(int i) {
        return i < 10_000 ? Integer.toString(10_000 + i).substring(1) : "x" + Integer.toString(1_000_000 + i);
    }

    /** Many links to one shard, which is costly to look at, or not there. */
    private void addManyLinks() {
        add(
                "H17 v0, 9,000 links to one shard of 8,000 entries",
                Expected.BOUNDED,
                blocks -> {
                    Block large = blocks.shard(v0(values(8_000)));
                    blocks.shard(v0(links(large, 9_000)));
                },
                "00000000");
        add(
                "H17 v0, 90,000 links to one shard that is missing",
                Expected.BOUNDED,
                blocks -> {
                    Block missing = HostileShards.block(v0(entry("k")));
                    blocks.shard(v0(links(missing, 90_000)));
                },
                "0000k");
        add(
                "H17 v0, 9,000 links behind a prefix of 64,000 characters",
                Expected.BOUNDED,
                blocks -> {
                    Block leaf = blocks.shard(v0(entry("k")));
                    chain(blocks, blocks.shard(v0(links(leaf, 9_000))), 1_000, "p".repeat(64));
                },
                "p".repeat(64_000) + "0000k");
        add(
                "H17 v0, 9,000 values behind a prefix of 64,000 characters",
                Expected.BOUNDED,
                blocks -> chain(blocks, blocks.shard(v0(values(9_000))), 1_000, "p".repeat(64)),
                "p".repeat(64_000) + "0000");
    }

    /** Puts a chain of shards above one. */
    private static void chain(HostileBlocks blocks, Block last, int length, String key) {
        Block below = last;
        for (int i = 0; i < length; i++) {
            below = blocks.shard(v0(entry(key, below)));
        }
    }

    private void addChains() {
        for (int length : new int[] {100, 5_000, 20_000}) {
            add(
                    "H18 v0, a chain of " + length,
                    Expected.ACCEPTED,
                    blocks -> chain(blocks, blocks.shard(v0(entry("z"))), length, "a"),
                    "a".repeat(length) + "z",
                    "a".repeat(length),
                    "a");
        }
        add(
                "H18 v0, a chain of 20,000 with data beside each link",
                Expected.ACCEPTED,
                blocks -> {
                    Block below = blocks.shard(v0(entry("z")));
                    for (int i = 0; i < 20_000; i++) {
                        below = blocks.shard(v0(entry("a", toShardWithData(below.cid(), i))));
                    }
                },
                "a".repeat(20_000) + "z",
                "a".repeat(10_000));
        add(
                "H18 v0, a chain of 20,000 keys of 64 characters",
                Expected.BOUNDED,
                blocks -> chain(blocks, blocks.shard(v0(entry("z"))), 20_000, "p".repeat(64)),
                "p".repeat(1_280_000) + "z");
        add(
                "H18 v0, a chain of 20,000 that ends in nothing",
                Expected.REFUSED_BELOW,
                blocks -> chain(blocks, HostileShards.block(v0(entry("z"))), 20_000, "a"),
                "a".repeat(20_000) + "z");
    }

    /** Two keys of 4,096 characters that differ in the last one. */
    private void addLegalChains() {
        addLegalChain("v1", HostileShards::v1);
        addLegalChain("v2", HostileShards::v2);
        add(
                "H18 v1, one level more than a key may have",
                Expected.REFUSED_BELOW,
                blocks -> prefixed(blocks, HostileShards::v1, LONGEST, entry("x")),
                "a".repeat(LONGEST) + "x");
    }

    private void addLegalChain(String name, Format format) {
        String shared = "a".repeat(LONGEST - 1);
        all.add(HostileInput.pail(
                "H18 " + name + ", 4,096 levels",
                Expected.ACCEPTED,
                () -> HostilePail.of(
                                blocks -> prefixed(blocks, format, LONGEST - 1, entry("x"), entry("y")),
                                shared + "x",
                                shared + "y",
                                shared)
                        .withFresh("a".repeat(4_000) + "~")
                        .withCheck(HostileGraphInputs::checkLegalChain)));
    }

    private static void checkLegalChain(Pail pail) {
        PailStatistics statistics = PailStatistics.of(pail);
        HostilePail.require(statistics.entries() == 2 && statistics.depth() == LONGEST, "statistics, " + statistics);
        HostilePail.require(pail.entries().count() == 2, "two entries");
    }

    private static void prefixed(HostileBlocks blocks, Format format, int length, byte[]... entries) {
        Block below = blocks.shard(format.shard("a".repeat(length), entries));
        for (int i = length - 1; i >= 0; i--) {
            below = blocks.shard(format.shard("a".repeat(i), entry("a", below)));
        }
    }
}
