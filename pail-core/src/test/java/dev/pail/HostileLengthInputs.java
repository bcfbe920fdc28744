package dev.pail;

import static dev.pail.HostileCbor.array;
import static dev.pail.HostileCbor.head;
import static dev.pail.HostileCbor.hex;
import static dev.pail.HostileCbor.integer;
import static dev.pail.HostileCbor.join;
import static dev.pail.HostileCbor.link;
import static dev.pail.HostileCbor.repeat;
import static dev.pail.HostileCbor.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rows H1 to H3: lengths that are not there, many of them, and nesting. */
final class HostileLengthInputs {
    private static final int CHAIN = 40_000;
    private static final int NARROW = 300;

    /** A bad item is put in the place of one of these, the rest follows behind it. */
    private static final List<byte[]> TOKENS = List.of(
            hex("a3"),
            text("entries"),
            hex("81"),
            hex("82"),
            text("a"),
            hex("82"),
            link(HostileShards.value(1).toBytes()),
            HostileCbor.LINK_TAG,
            Arrays.copyOfRange(link(HostileShards.value(2).toBytes()), 2, 41),
            text("maxSize"),
            integer(HostileShards.MAX_SIZE),
            text("maxKeyLength"),
            integer(HostileShards.MAX_KEY_LENGTH));

    private static final Map<String, Integer> PLACES = places();

    private HostileLengthInputs() {}

    private static Map<String, Integer> places() {
        Map<String, Integer> places = new LinkedHashMap<>();
        places.put("block", 0);
        places.put("entries", 2);
        places.put("entry", 3);
        places.put("key", 4);
        places.put("value", 5);
        places.put("link", 8);
        places.put("setting", 10);
        return places;
    }

    /** What a shard has before a place. */
    private static byte[] before(String place) {
        return join(TOKENS.subList(0, PLACES.get(place)).toArray(byte[][]::new));
    }

    /** What a shard has behind the item at a place. */
    private static byte[] behind(String place) {
        return join(TOKENS.subList(PLACES.get(place) + 1, TOKENS.size()).toArray(byte[][]::new));
    }

    static List<HostileInput> all() {
        List<HostileInput> all = new ArrayList<>();
        List.of("block", "entries", "key", "value", "link", "setting").forEach(place -> addHugeLengths(all, place));
        addHugePrefixes(all);
        addHugeAsEmpty(all);
        addChains(all);
        addNesting(all);
        return all;
    }

    private static void addHugeLengths(List<HostileInput> all, String place) {
        byte[] before = before(place);
        byte[] behind = behind(place);
        Map<String, Integer> kinds = new TreeMap<>(Map.of(
                "bytes",
                HostileCbor.BYTES,
                "text",
                HostileCbor.TEXT,
                "array",
                HostileCbor.ARRAY,
                "map",
                HostileCbor.MAP));
        kinds.forEach((kind, major) -> {
            int tooMany = (major == HostileCbor.MAP ? behind.length / 2 : behind.length) + 1;
            lengths(tooMany)
                    .forEach((name, length) -> all.add(HostileInput.malformed(
                            "H1 " + kind + " of " + name + " as " + place,
                            () -> join(before, head(major, length), behind))));
        });
    }

    private static Map<String, Long> lengths(int tooMany) {
        return new TreeMap<>(Map.of(
                "2^31-1",
                (1L << 31) - 1,
                "2^31",
                1L << 31,
                "2^63",
                Long.MIN_VALUE,
                "2^64-1",
                -1L,
                "one too many",
                (long) tooMany));
    }

    private static void addHugePrefixes(List<HostileInput> all) {
        byte[] before = join(hex("a5"), text("prefix"));
        byte[] shard = HostileShards.v1("", HostileShards.entry("a"));
        byte[] behind = Arrays.copyOfRange(shard, before.length + 1, shard.length);
        lengths(behind.length + 1).forEach((name, length) -> {
            byte[] prefix = head(HostileCbor.TEXT, length);
            all.add(HostileInput.malformed("H1 prefix of " + name, () -> join(before, prefix, behind)));
            all.add(HostileInput.childOfV1("H1 prefix of " + name + " below", () -> join(before, prefix, behind)));
        });
    }

    /** Lengths that are 0, or nearly so, in fewer or signed bits; and nothing is there. */
    private static void addHugeAsEmpty(List<HostileInput> all) {
        for (long length : new long[] {1L << 32, Long.MIN_VALUE, Long.MIN_VALUE | 1L << 32, -1L << 32, -1, -2}) {
            String name = "H1 0x" + Long.toHexString(length);
            byte[] noArray = head(HostileCbor.ARRAY, length);
            byte[] noText = join(hex("82"), head(HostileCbor.TEXT, length), TOKENS.get(6));
            byte[] empty = HostileShards.v0();
            byte[] settings = Arrays.copyOfRange(empty, 10, empty.length);
            all.add(HostileInput.malformed(
                    name + " entries, none there", () -> join(hex("a3"), text("entries"), noArray, settings)));
            all.add(HostileInput.malformed(name + " bytes of a key, none there", () -> HostileShards.v0(noText)));
            all.add(HostileInput.malformed(name + " fields, none there", () -> head(HostileCbor.MAP, length)));
        }
    }

    private static void addChains(List<HostileInput> all) {
        for (String place : List.of("block", "entries", "entry", "value", "setting")) {
            for (int major : new int[] {HostileCbor.ARRAY, HostileCbor.MAP}) {
                String kind = major == HostileCbor.MAP ? "maps" : "arrays";
                all.add(HostileInput.malformed(
                        "H2 " + kind + " as long as the rest, as " + place,
                        () -> join(before(place), chain(major), behind(place))));
            }
        }
    }

    /** CBOR headers that each claim to contain all following bytes. */
    private static byte[] chain(int major) {
        byte[] key = major == HostileCbor.MAP ? text("") : new byte[0];
        int perItem = major == HostileCbor.MAP ? 2 : 1;
        List<byte[]> parts = new ArrayList<>();
        int left = CHAIN;
        while (left > NARROW) {
            byte[] head = head(major, (left - 3) / perItem);
            parts.add(head);
            parts.add(key);
            left -= head.length + key.length;
        }
        parts.add(new byte[left]);
        return join(parts.toArray(byte[][]::new));
    }

    private static void addNesting(List<HostileInput> all) {
        for (String place : List.of("block", "entry", "value", "setting")) {
            for (int depth : new int[] {100, 1_000, 1_000_000}) {
                all.add(nested("arrays", place, depth));
                all.add(nested("maps", place, depth));
                all.add(nested("tags", place, depth));
            }
        }
        all.add(nested("arrays", "block", 10_000_000));
        all.add(nested("arrays", "value", 10_000_000));
        all.add(HostileInput.malformed(
                "H3 arrays, 100 deep, in another field",
                () -> join(hex("a4"), text("x"), deep("arrays", 100), hex("80"), TOKENS.get(1), array())));
    }

    private static HostileInput nested(String kind, String place, int depth) {
        return HostileInput.malformed(
                "H3 " + kind + ", " + depth + " deep, as " + place,
                () -> join(before(place), deep(kind, depth), behind(place)));
    }

    private static byte[] deep(String kind, int depth) {
        return switch (kind) {
            case "arrays" -> repeat(hex("81"), depth);
            case "maps" -> repeat(hex("a160"), depth);
            default -> repeat(HostileCbor.LINK_TAG, depth);
        };
    }
}
