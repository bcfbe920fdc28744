package dev.pail;

import static dev.pail.HostileCbor.integer;
import static dev.pail.HostileShards.configured;
import static dev.pail.HostileShards.data;
import static dev.pail.HostileShards.entry;
import static dev.pail.HostileShards.sized;
import static dev.pail.HostileShards.toShardWithData;
import static dev.pail.HostileShards.v0;
import static dev.pail.HostileShards.v1;
import static dev.pail.HostileShards.v2;

import dev.pail.ipld.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Rows H14 and H15: sound shards in places that are not theirs, and entries that do not belong together. */
final class HostileLayoutInputs {
    private interface Format {
        byte[] shard(String prefix, byte[]... entries);
    }

    private final List<HostileInput> all = new ArrayList<>();

    private HostileLayoutInputs() {}

    static List<HostileInput> all() {
        HostileLayoutInputs inputs = new HostileLayoutInputs();
        inputs.addPrefixes("v1", HostileShards::v1);
        inputs.addPrefixes("v2", HostileShards::v2);
        inputs.addOtherFormats();
        inputs.addEmptyKeys();
        inputs.addSharedCharacters("v1", HostileShards::v1);
        inputs.addSharedCharacters("v2", HostileShards::v2);
        inputs.addKeysThatAreNotAllowed();
        return inputs.all;
    }

    /** Adds sound shards from the root down to the one at a prefix, whose bytes are given. */
    private static void path(HostileBlocks blocks, Format format, String prefix, byte[] last) {
        Block below = blocks.shard(last);
        for (int length = prefix.length() - 1; length >= 0; length--) {
            String link = prefix.substring(length, length + 1);
            below = blocks.shard(format.shard(prefix.substring(0, length), entry(link, below)));
        }
    }

    private void addPrefixes(String name, Format format) {
        all.add(HostileInput.noShard("H14 " + name + " root with a prefix", () -> v1("p", entry("a"))));
        for (String place : List.of("b", "bc", "bcd")) {
            for (String wrong :
                    new TreeSet<>(List.of("z", place + "b", place.substring(1), place.toUpperCase(Locale.ROOT), ""))) {
                if (wrong.isEmpty() && name.equals("v2")) {
                    continue;
                }
                all.add(HostileInput.below(
                        "H14 " + name + " shard of \"" + wrong + "\" at \"" + place + '"',
                        place + "a",
                        blocks -> path(blocks, format, place, format.shard(wrong, entry("a"), entry("c")))));
            }
        }
        all.add(HostileInput.below("H14 " + name + " shard in two places", "ca", blocks -> {
            Block leaf = blocks.shard(format.shard("b", entry("a")));
            blocks.shard(format.shard("", entry("b", leaf), entry("c", leaf)));
        }));
        all.add(HostileInput.pail(
                "H14 " + name + " shards where they belong",
                HostileInput.Expected.ACCEPTED,
                () -> HostilePail.of(blocks -> path(blocks, format, "bcd", format.shard("bcd", entry("a"))), "bcda")));
    }

    private void addOtherFormats() {
        childOfV0("H14 a v1 root", () -> v1("", entry("a")));
        childOfV0("H14 a v1 shard", () -> v1("b", entry("a")));
        childOfV0("H14 a v2 shard", () -> v2("b", entry("a")));
        childOfV0("H14 a shard with another maxSize", () -> sized(integer(64), integer(64), entry("a")));
        childOfV0("H14 a shard with another maxKeyLength", () -> sized(integer(512 << 10), integer(63), entry("a")));
        childOfV1("H14 a v0 shard", () -> v0(entry("a")));
        childOfV1("H14 a v2 shard", () -> v2("b", entry("a")));
        childOfV1("H14 a v2 root", () -> v2("", entry("a")));
        childOfV1("H14 a shard of version 2", () -> configured("b", 2, integer(4096), entry("a")));
        childOfV1("H14 a shard with another maxKeySize", () -> configured("b", 1, integer(4095), entry("a")));
        childOfV2("H14 a v0 shard", () -> v0(entry("a")));
        childOfV2("H14 a v1 shard", () -> v1("b", entry("a")));
        childOfV2("H14 a shard with configuration", () -> configured("b", 2, integer(4096), entry("a")));
    }

    private void childOfV0(String name, Supplier<byte[]> child) {
        all.add(HostileInput.childOfV0(name + " below v0", child));
    }

    private void childOfV1(String name, Supplier<byte[]> child) {
        all.add(HostileInput.childOfV1(name + " below v1", child));
    }

    private void childOfV2(String name, Supplier<byte[]> child) {
        all.add(HostileInput.below(
                name + " below v2", "ba", blocks -> path(blocks, HostileShards::v2, "b", child.get())));
    }

    private void root(String name, Supplier<byte[]> root) {
        all.add(HostileInput.noShard(name, root));
    }

    private void addEmptyKeys() {
        Block leaf = HostileShards.block(v0(entry("a")));
        root("H15 v0, a link under the empty key", () -> v0(entry("", leaf)));
        root("H15 v0, data and a link under the empty key", () -> v0(entry("", toShardWithData(leaf.cid(), 1))));
        root("H15 v1, a link under the empty key", () -> v1("", entry("", leaf)));
        root("H15 v2, a link under the empty key", () -> v2("", entry("", leaf)));
        childOfV0("H15 the empty key", () -> v0(entry("")));
        childOfV0("H15 a link under the empty key", () -> v0(entry("", leaf)));
        childOfV0("H15 no entries", HostileShards::v0);
        childOfV1("H15 the empty key", () -> v1("b", entry("")));
        childOfV1("H15 the empty key beside another", () -> v1("b", entry(""), entry("a")));
        childOfV1("H15 a link under the empty key", () -> v1("b", entry("", leaf)));
        childOfV1("H15 no entries", () -> v1("b"));
        childOfV2("H15 the empty key", () -> v2("b", entry("")));
        childOfV2("H15 no entries", () -> v2("b"));
        all.add(HostileInput.soundRoot("H15 v0, the empty key in the root", "", () -> v0(entry(""), entry("a"))));
        all.add(HostileInput.soundRoot("H15 v1, the empty key in the root", "", () -> v1("", entry(""), entry("a"))));
        all.add(HostileInput.soundRoot("H15 v0, a root without entries", "", HostileShards::v0));
        all.add(HostileInput.soundRoot("H15 v1, a root without entries", "", () -> v1("")));
        all.add(HostileInput.pail(
                "H15 20,000 shards under empty keys",
                HostileInput.Expected.REFUSED,
                () -> HostilePail.of(
                        blocks -> {
                            Block below = blocks.shard(v0(entry("a")));
                            for (int i = 0; i < 20_000; i++) {
                                below = blocks.shard(v0(entry("", below)));
                            }
                        },
                        "a")));
    }

    private void addSharedCharacters(String name, Format format) {
        Block leaf = HostileShards.block(format.shard("ba", entry("a")));
        add(name, "two keys of the same first character", format, entry("ab"), entry("ac"));
        add(name, "a key and one that it is a prefix of", format, entry("a"), entry("ab"));
        add(name, "a link beside a key of the same character", format, entry("a", leaf), entry("ab"));
        add(name, "a link under two characters", format, entry("ab", leaf));
        add(name, "data and a link under two characters", format, entry("ab", toShardWithData(leaf.cid(), 1)));
        add(name, "a shared character at the end", format, entry("a"), entry("b"), entry("yx"), entry("yy"));
    }

    private void add(String name, String what, Format format, byte[]... entries) {
        root("H15 " + name + ", " + what, () -> format.shard("", entries));
        all.add(HostileInput.below(
                "H15 " + name + " below, " + what,
                "ba",
                blocks -> path(blocks, format, "b", format.shard("b", entries))));
    }

    private void addKeysThatAreNotAllowed() {
        for (String key : List.of("\u0000", "a\u001f", "\u007f", "\u0080", "\u00e9", "\ud83d\ude00")) {
            String name = Escapes.escape(key);
            root("H15 v1, the key " + name, () -> v1("", entry(key)));
            childOfV1("H15 the key " + name, () -> v1("b", entry(key)));
        }
        root("H15 v1, a key of 4,097 bytes", () -> v1("", entry("a".repeat(4097))));
        childOfV1("H15 a key of 4,097 bytes with its prefix", () -> v1("b", entry("a".repeat(4096))));
        root("H15 v1, a key over maxKeySize", () -> configured("", 1, integer(3), entry("abcd")));
        root(
                "H15 v1, a link under a character that is not allowed",
                () -> v1("", entry("\n", HostileShards.block(v1("\n", entry("a"))))));
        root("H15 v0, a key of 65 characters", () -> v0(entry("a".repeat(65))));
        root("H15 v0, a key of 33 characters that are two units each", () -> v0(entry("\ud83d\ude00".repeat(33))));
        root(
                "H15 v0, a key of 65,536 bytes",
                () -> sized(integer(512 << 10), integer(4096), entry("a".repeat(65_536))));
        root(
                "H15 v0, a key of 16,385 bytes",
                () -> sized(integer(512 << 10), integer(4096), entry("a".repeat(16_385))));
        childOfV0("H15 a key of 65 characters", () -> v0(entry("a".repeat(65))));
        all.add(HostileInput.soundRoot(
                "H15 v0, a key of 64 characters", "a".repeat(64), () -> v0(entry("a".repeat(64), data(1)))));
    }
}
