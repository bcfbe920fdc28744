package dev.pail;

import static dev.pail.HostileCbor.array;
import static dev.pail.HostileCbor.bytes;
import static dev.pail.HostileCbor.hex;
import static dev.pail.HostileCbor.integer;
import static dev.pail.HostileCbor.join;
import static dev.pail.HostileCbor.map;
import static dev.pail.HostileCbor.text;
import static dev.pail.HostileCbor.wideHead;
import static dev.pail.HostileShards.data;
import static dev.pail.HostileShards.entry;
import static dev.pail.HostileShards.sized;
import static dev.pail.HostileShards.v0;
import static dev.pail.HostileShards.v1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Rows H4 and H5: CBOR that is not canonical, and text that is not UTF-8. */
final class HostileFormInputs {
    private static final byte[] ENTRIES = text("entries");
    private static final byte[] SIZE = text("maxSize");
    private static final byte[] KEY_LENGTH = text("maxKeyLength");
    private static final byte[] EMPTY = array();
    private static final byte[] SIZE_VALUE = integer(HostileShards.MAX_SIZE);
    private static final byte[] KEY_LENGTH_VALUE = integer(HostileShards.MAX_KEY_LENGTH);

    private static final List<String> NOT_UTF8 = List.of(
            "c080",
            "c1bf",
            "e08080",
            "e09fbf",
            "f0808080",
            "f08fbfbf",
            "eda080",
            "edbfbf",
            "eda0bdedb880",
            "f4908080",
            "f5808080",
            "80",
            "ff",
            "fe",
            "c3",
            "e282",
            "f09f98",
            "c328");

    private final List<HostileInput> all = new ArrayList<>();

    private HostileFormInputs() {}

    static List<HostileInput> all() {
        HostileFormInputs inputs = new HostileFormInputs();
        inputs.mapKeys();
        inputs.wideHeads();
        inputs.indefiniteLengths();
        inputs.tags();
        inputs.simpleValues();
        inputs.ends();
        inputs.badText();
        return inputs.all;
    }

    private void root(String name, Supplier<byte[]> root) {
        all.add(HostileInput.malformed(name, root));
    }

    private static byte[] withSize(byte[] size) {
        return sized(size, KEY_LENGTH_VALUE, entry("a"));
    }

    private void mapKeys() {
        byte[] reversed = map(KEY_LENGTH, KEY_LENGTH_VALUE, SIZE, SIZE_VALUE, ENTRIES, EMPTY);
        root("H4 fields in reverse order", () -> reversed);
        root("H4 fields in another order", () -> map(ENTRIES, EMPTY, KEY_LENGTH, KEY_LENGTH_VALUE, SIZE, SIZE_VALUE));
        root("H4 a field twice", () -> map(ENTRIES, EMPTY, SIZE, SIZE_VALUE, SIZE, SIZE_VALUE));
        root(
                "H4 all fields and one twice",
                () -> join(
                        hex("a4"), ENTRIES, EMPTY, SIZE, SIZE_VALUE, SIZE, SIZE_VALUE, KEY_LENGTH, KEY_LENGTH_VALUE));
        root(
                "H4 entries twice",
                () -> join(hex("a4"), ENTRIES, EMPTY, ENTRIES, EMPTY, SIZE, SIZE_VALUE, KEY_LENGTH, KEY_LENGTH_VALUE));
        List.of("00", "20", "4161", "80", "a0", "f4", "f6", "fb3ff0000000000000")
                .forEach(key -> root(
                        "H4 " + key + " as a map key",
                        () -> join(
                                hex("a4"),
                                hex(key),
                                hex("00"),
                                ENTRIES,
                                EMPTY,
                                SIZE,
                                SIZE_VALUE,
                                KEY_LENGTH,
                                KEY_LENGTH_VALUE)));
    }

    private void wideHeads() {
        for (int width : new int[] {1, 2, 4, 8}) {
            String size = " of " + width + " bytes";
            root("H4 map count" + size, () -> join(wideHead(HostileCbor.MAP, 3, width), tail(withSize(SIZE_VALUE), 1)));
            root(
                    "H4 entry count" + size,
                    () -> map(
                            ENTRIES,
                            wideHead(HostileCbor.ARRAY, 0, width),
                            SIZE,
                            SIZE_VALUE,
                            KEY_LENGTH,
                            KEY_LENGTH_VALUE));
            root("H4 entry head" + size, () -> v0(join(wideHead(HostileCbor.ARRAY, 2, width), text("a"), data(1))));
            root(
                    "H4 key head" + size,
                    () -> v0(join(hex("82"), wideHead(HostileCbor.TEXT, 1, width), hex("61"), data(1))));
            root(
                    "H4 field head" + size,
                    () -> join(hex("a3"), wideHead(HostileCbor.TEXT, 7, width), tail(withSize(SIZE_VALUE), 2)));
            root("H4 small setting" + size, () -> sized(SIZE_VALUE, wideHead(HostileCbor.UNSIGNED, 23, width)));
        }
        root("H4 tag of two bytes", () -> v0(entry("a", join(hex("d9002a"), tail(data(1), 2)))));
        root("H4 tag of eight bytes", () -> v0(entry("a", join(hex("db000000000000002a"), tail(data(1), 2)))));
        root("H4 link head of two bytes", () -> v0(entry("a", join(hex("d82a590025"), tail(data(1), 4)))));
        root("H4 setting of eight bytes", () -> withSize(wideHead(HostileCbor.UNSIGNED, HostileShards.MAX_SIZE, 8)));
        root("H4 a head of unknown length", () -> withSize(hex("1c")));
        root("H4 another head of unknown length", () -> v0(hex("9e")));
    }

    private static byte[] tail(byte[] bytes, int from) {
        return Arrays.copyOfRange(bytes, from, bytes.length);
    }

    private void indefiniteLengths() {
        byte[] shard = withSize(SIZE_VALUE);
        root("H4 indefinite map", () -> join(hex("bf"), tail(shard, 1), hex("ff")));
        root(
                "H4 indefinite entries",
                () -> map(
                        ENTRIES,
                        join(hex("9f"), entry("a"), hex("ff")),
                        SIZE,
                        SIZE_VALUE,
                        KEY_LENGTH,
                        KEY_LENGTH_VALUE));
        root("H4 indefinite entry", () -> v0(join(hex("9f"), text("a"), data(1), hex("ff"))));
        root("H4 indefinite key", () -> v0(join(hex("82"), hex("7f6161ff"), data(1))));
        root("H4 indefinite link", () -> v0(entry("a", join(hex("d82a5f5825"), tail(data(1), 4), hex("ff")))));
        root("H4 break alone", () -> hex("ff"));
        root("H4 break inside an array", () -> v0(hex("ff")));
    }

    private void tags() {
        for (String tag :
                List.of("c0", "c1", "c2", "d818", "d829", "d82b", "d9d9f7", "daffffffff", "dbffffffffffffffff")) {
            root("H4 tag " + tag + " on a value", () -> v0(entry("a", join(hex(tag), tail(data(1), 2)))));
            root("H4 tag " + tag + " on the shard", () -> join(hex(tag), withSize(SIZE_VALUE)));
        }
        root("H4 tag 42 on text", () -> v0(entry("a", join(HostileCbor.LINK_TAG, text("b")))));
        root("H4 tag 42 on nothing", () -> HostileCbor.LINK_TAG);
    }

    private void simpleValues() {
        List<String> values = List.of(
                "f90000",
                "f93c00",
                "f97c00",
                "f97e00",
                "fa48000000",
                "fa7f800000",
                "fb7ff0000000000000",
                "fbfff0000000000000",
                "fb7ff8000000000000",
                "fb8000000000000000",
                "f7",
                "f0",
                "f820",
                "f814",
                "f8ff",
                "fc");
        for (String value : values) {
            root("H4 " + value + " as a setting", () -> withSize(hex(value)));
            root("H4 " + value + " as a value", () -> v0(entry("a", hex(value))));
        }
        for (String value : List.of("f4", "f5", "f6", "fb4120000000000000")) {
            all.add(HostileInput.noShard("H4 " + value + " as a setting", () -> withSize(hex(value))));
            all.add(HostileInput.noShard("H4 " + value + " as a value", () -> v0(entry("a", hex(value)))));
        }
    }

    private void ends() {
        byte[] shard = withSize(SIZE_VALUE);
        root("H4 nothing", () -> new byte[0]);
        root("H4 a zero behind", () -> join(shard, hex("00")));
        root("H4 a second shard behind", () -> join(shard, shard));
        root("H4 a break behind", () -> join(shard, hex("ff")));
        for (int cut = 1; cut < shard.length; cut += 12) {
            int length = cut;
            root("H4 cut after " + cut + " bytes", () -> Arrays.copyOf(shard, length));
        }
        all.add(HostileInput.noShard("H4 a key in bytes", () -> v0(array(bytes(new byte[] {'a'}), data(1)))));
    }

    private void badText() {
        for (String digits : NOT_UTF8) {
            root("H5 " + digits + " as a key", () -> v0(array(text(hex(digits)), data(1))));
        }
        for (String digits : List.of("c080", "eda080", "f4908080", "e282")) {
            byte[] content = hex(digits);
            root("H5 " + digits + " at the end of a key", () -> v0(array(text(join(hex("61"), content)), data(1))));
            root("H5 " + digits + " as a v1 key", () -> v1("", array(text(content), data(1))));
            root(
                    "H5 " + digits + " as the prefix",
                    () -> join(hex("a5"), text("prefix"), text(content), tail(v1("", entry("a")), 9)));
            root(
                    "H5 " + digits + " as a field",
                    () -> join(
                            hex("a4"),
                            text(content),
                            hex("00"),
                            ENTRIES,
                            EMPTY,
                            SIZE,
                            SIZE_VALUE,
                            KEY_LENGTH,
                            KEY_LENGTH_VALUE));
        }
        all.add(HostileInput.childOfV0("H5 a surrogate in a key below", () -> v0(array(text(hex("eda080")), data(1)))));
    }
}
