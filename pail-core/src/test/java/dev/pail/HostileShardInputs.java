package dev.pail;

import static dev.pail.HostileCbor.NULL;
import static dev.pail.HostileCbor.array;
import static dev.pail.HostileCbor.hex;
import static dev.pail.HostileCbor.integer;
import static dev.pail.HostileCbor.join;
import static dev.pail.HostileCbor.link;
import static dev.pail.HostileCbor.map;
import static dev.pail.HostileCbor.text;
import static dev.pail.HostileShards.configured;
import static dev.pail.HostileShards.data;
import static dev.pail.HostileShards.entry;
import static dev.pail.HostileShards.sized;
import static dev.pail.HostileShards.v0;
import static dev.pail.HostileShards.v1;
import static dev.pail.HostileShards.v2;

import dev.pail.ipld.Block;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Rows H12, H13 and H16: sound CBOR that is no shard, or not in order, or oddly configured. */
final class HostileShardInputs {
    private static final byte[] SHARD_LINK =
            link(HostileShards.block(v0(entry("a"))).cid().toBytes());
    private static final byte[] SIZE = integer(HostileShards.MAX_SIZE);
    private static final byte[] LENGTH = integer(HostileShards.MAX_KEY_LENGTH);

    private final List<HostileInput> all = new ArrayList<>();

    private HostileShardInputs() {}

    static List<HostileInput> all() {
        HostileShardInputs inputs = new HostileShardInputs();
        inputs.addOtherItems();
        inputs.addV0Fields();
        inputs.addV1Fields();
        inputs.addEntries();
        inputs.addValues();
        inputs.addManyFields();
        inputs.addOrder();
        inputs.addConfigurations();
        return inputs.all;
    }

    private void root(String name, Supplier<byte[]> root) {
        all.add(HostileInput.noShard(name, root));
    }

    private void addOtherItems() {
        Map<String, byte[]> items = new LinkedHashMap<>();
        items.put("an empty map", map());
        items.put("an empty array", array());
        items.put("an array of the fields", array(array(entry("a")), SIZE, LENGTH));
        items.put("a text", text("entries"));
        items.put("a byte string", HostileCbor.bytes(v0()));
        items.put("an integer", integer(0));
        items.put("null", NULL);
        items.put("a link", SHARD_LINK);
        items.put("true", hex("f5"));
        items.put("a map of shards", map(text("a"), v0()));
        items.forEach((what, item) -> {
            root("H12 " + what + " as a root", () -> item);
            all.add(HostileInput.childOfV0("H12 " + what + " below v0", () -> item));
            all.add(HostileInput.childOfV1("H12 " + what + " below v1", () -> item));
        });
    }

    private void addV0Fields() {
        byte[][] fields = {text("entries"), array(entry("a")), text("maxSize"), SIZE, text("maxKeyLength"), LENGTH};
        addFields("v0", fields);
        root("H12 v0 with entries alone", () -> map(fields[0], fields[1]));
        root(
                "H12 v0 with a version",
                () -> map(
                        fields[0], fields[1], fields[2], fields[3], text("version"), integer(1), fields[4], fields[5]));
    }

    private void addV1Fields() {
        byte[][] fields = {
            text("prefix"),
            text(""),
            text("entries"),
            array(entry("a")),
            text("version"),
            integer(1),
            text("keyChars"),
            text("ascii"),
            text("maxKeySize"),
            integer(4096)
        };
        addFields("v1", fields);
        for (long version : new long[] {-1, 0, 3, 42, 1L << 32 | 1, Long.MAX_VALUE}) {
            root("H12 version " + version, () -> map(replaced(fields, 5, integer(version))));
        }
        root("H12 version 2^64-1", () -> map(replaced(fields, 5, HostileCbor.head(HostileCbor.UNSIGNED, -1))));
        root("H12 version in text", () -> map(replaced(fields, 5, text("1"))));
        root("H12 version 1.0", () -> map(replaced(fields, 5, hex("fb3ff0000000000000"))));
        for (String chars : List.of("", "utf8", "ASCII", "asci", "ascii\u0000")) {
            root("H16 keyChars \"" + chars.replace('\u0000', '0') + '"', () -> map(replaced(fields, 7, text(chars))));
        }
        root("H16 keyChars 1", () -> map(replaced(fields, 7, integer(1))));
        root("H12 prefix null", () -> map(replaced(fields, 1, NULL)));
        root("H12 prefix in bytes", () -> map(replaced(fields, 1, hex("40"))));
        root("H12 a v2 shard that is no root", () -> map(fields[0], fields[1], fields[2], fields[3]));
    }

    /** One field less, one more, or one of another kind. */
    private void addFields(String format, byte[][] fields) {
        for (int i = 0; i < fields.length; i += 2) {
            int field = i;
            root("H12 " + format + " without field " + i / 2, () -> map(without(fields, field)));
            root("H12 " + format + " with null as field " + i / 2, () -> map(replaced(fields, field + 1, NULL)));
            root("H12 " + format + " with a map as field " + i / 2, () -> map(replaced(fields, field + 1, map())));
        }
        for (byte[] value : List.of(integer(1), NULL, text("x"), array(), hex("f5"), SHARD_LINK)) {
            root(
                    "H12 " + format + " with another field, " + value.length + " bytes, " + value[0],
                    () -> join(
                            HostileCbor.head(HostileCbor.MAP, fields.length / 2 + 1), text("x"), value, join(fields)));
        }
    }

    private static byte[][] without(byte[][] fields, int at) {
        List<byte[]> rest = new ArrayList<>(List.of(fields));
        rest.subList(at, at + 2).clear();
        return rest.toArray(byte[][]::new);
    }

    private static byte[][] replaced(byte[][] fields, int at, byte[] value) {
        byte[][] copy = fields.clone();
        copy[at] = value;
        return copy;
    }

    private void addEntries() {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("null", NULL);
        entries.put("a text", text("a"));
        entries.put("a link", data(1));
        entries.put("an empty array", array());
        entries.put("a key alone", array(text("a")));
        entries.put("of three", array(text("a"), data(1), data(2)));
        entries.put("with a value first", array(data(1), text("a")));
        entries.put("in a map", map(text("a"), data(1)));
        entries.put("with null as key", array(NULL, data(1)));
        entries.put("with 1 as key", array(integer(1), data(1)));
        entries.put("with an array as key", array(array(text("a")), data(1)));
        entries.put("in an array more", array(entry("a")));
        addParts("an entry", entries);
        byte[] nested = array(text("a"), data(1), entry("b"));
        all.add(HostileInput.malformed(
                "H12 an entry within an entry, and counted",
                () -> join(
                        hex("a3"),
                        text("entries"),
                        hex("82"),
                        nested,
                        text("maxSize"),
                        SIZE,
                        text("maxKeyLength"),
                        LENGTH)));
    }

    private void addValues() {
        Map<String, byte[]> values = new LinkedHashMap<>();
        values.put("null", NULL);
        values.put("a text", text("bafy"));
        values.put("1", integer(1));
        values.put("true", hex("f5"));
        values.put("a byte string", hex("4100"));
        values.put("a map", map(text("/"), text("bafy")));
        values.put("an empty array", array());
        values.put("an array of null", array(NULL));
        values.put("an array of text", array(text("a")));
        values.put("an array of two nulls", array(NULL, NULL));
        values.put("a shard link and null", array(SHARD_LINK, NULL));
        values.put("null and data", array(NULL, data(1)));
        values.put("data alone in an array", array(data(1)));
        values.put("data before a shard link", array(data(1), SHARD_LINK));
        values.put("three links", array(SHARD_LINK, data(1), data(2)));
        values.put("an array in an array", array(array(SHARD_LINK)));
        values.put("a shard link and an array", array(SHARD_LINK, array(data(1))));
        Map<String, byte[]> entries = new LinkedHashMap<>();
        values.forEach((what, value) -> entries.put("with " + what, entry("a", value)));
        addParts("an entry", entries);
    }

    private void addParts(String part, Map<String, byte[]> parts) {
        parts.forEach((what, bytes) -> {
            root("H12 " + part + ' ' + what, () -> v0(bytes));
            all.add(HostileInput.childOfV1("H12 " + part + ' ' + what + ", below v1", () -> v1("b", bytes)));
        });
    }

    /** A root may not make its reader keep what it does not know. */
    private void addManyFields() {
        root("H12 a million and more other fields", () -> {
            int fields = 1_300_000;
            byte[] all = new byte[5 + 6 * fields];
            System.arraycopy(HostileCbor.head(HostileCbor.MAP, fields), 0, all, 0, 5);
            for (int i = 0; i < fields; i++) {
                int at = 5 + 6 * i;
                all[at] = 0x64;
                for (int k = 0; k < 4; k++) {
                    all[at + 1 + k] = (byte) (0x20 + ((i >>> (6 * (3 - k))) & 63));
                }
            }
            return all;
        });
    }

    private void addOrder() {
        Map<String, byte[][]> orders = new LinkedHashMap<>();
        orders.put("unsorted", new byte[][] {entry("b"), entry("a")});
        orders.put("a longer key before its prefix", new byte[][] {entry("ab"), entry("a")});
        orders.put("a key twice", new byte[][] {entry("a"), entry("a")});
        orders.put("a key twice, with other data", new byte[][] {entry("a", data(1)), entry("a", data(2))});
        orders.put("unsorted at the end", new byte[][] {entry("a"), entry("b"), entry("d"), entry("c")});
        orders.put("shorter keys first", new byte[][] {entry("b"), entry("ab")});
        orders.put("the empty key last", new byte[][] {entry("a"), entry("")});
        orders.forEach((what, entries) -> {
            root("H13 v0, " + what, () -> v0(entries));
            root("H13 v1, " + what, () -> v1("", entries));
            root("H13 v2, " + what, () -> v2("", entries));
            all.add(HostileInput.childOfV0("H13 v0 below, " + what, () -> v0(entries)));
            all.add(HostileInput.childOfV1("H13 v1 below, " + what, () -> v1("b", entries)));
        });
        root("H13 v0 in the order of code points", () -> v0(entry("\uff5e"), entry("\ud83d\ude00")));
        all.add(HostileInput.soundRoot(
                "H13 v0 in the order of UTF-16", "\uff5e", () -> v0(entry("\ud83d\ude00"), entry("\uff5e"))));
        Block child = HostileShards.block(v0(entry("x")));
        root("H13 v0, a key with data and again with a link", () -> v0(entry("a"), entry("a", child)));
    }

    private void addConfigurations() {
        byte[] huge = HostileCbor.head(HostileCbor.UNSIGNED, -1);
        Map<String, byte[]> never = new LinkedHashMap<>();
        for (long value : new long[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1L << 32 | 64, 1_000_000_000}) {
            never.put(Long.toString(value), integer(value));
        }
        never.put("2^64-1", huge);
        never.put("-2^64", HostileCbor.head(HostileCbor.NEGATIVE, -1));
        never.put("64.0", hex("fb4050000000000000"));
        never.put("0.0001", hex("fb3f1a36e2eb1c432d"));
        never.put("true", hex("f5"));
        never.put("in text", text("64"));
        never.forEach((what, value) -> {
            root("H16 maxSize " + what, () -> sized(value, LENGTH));
            root("H16 maxKeyLength " + what, () -> sized(SIZE, value));
            root("H16 v1 maxKeySize " + what, () -> configured("", 1, value));
            root("H16 v2 maxKeySize " + what, () -> configured("", 2, value));
        });
        bounds("maxSize", 64, 8 << 20, value -> sized(value, LENGTH));
        bounds("maxKeyLength", 1, 4096, value -> sized(SIZE, value));
        bounds("maxKeySize", 1, 4096, value -> configured("", 1, value));
    }

    private interface Configured {
        byte[] with(byte[] value);
    }

    private void bounds(String setting, int least, int most, Configured shard) {
        root("H16 " + setting + " just too small", () -> shard.with(integer(least - 1)));
        root("H16 " + setting + " just too large", () -> shard.with(integer(most + 1)));
        for (int value : new int[] {least, most}) {
            all.add(HostileInput.pail(
                    "H16 " + setting + ' ' + value,
                    HostileInput.Expected.BOUNDED,
                    () -> HostilePail.of(shard.with(integer(value)), "a")));
        }
    }
}
