package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.RowLoc;
import dev.pail.ShardFormat;
import dev.pail.table.document.JsonReader;
import dev.pail.table.index.EscapedText;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexName;
import dev.pail.table.index.OrderedValue;
import dev.pail.testkit.Randomness;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The four kinds of keys, byte for byte, and as keys of a pail. */
class KeyKindsTest {
    private static final int CASES = Randomness.times(25_000, 1_000_000);

    private static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void areWhatTheDocumentSays_B2_B3_B4() {
        assertThat(new TableKey(Bytes.of("people")).toBytes()).isEqualTo(bytes("Tpeople"));
        assertThat(new PositionKey(0x0102, Bytes.of("ada")).toBytes()).isEqualTo(bytes("P\u0002\u0001ada"));
        assertThat(PositionKey.prefix(0xfffe)).isEqualTo(bytes("P\u00fe\u00ff"));
        assertThat(new FieldKey("city", "user", Scalar.of("New York"), Bytes.of("7")).toBytes())
                .isEqualTo(bytes("F\u001fcity\u001fuser\u001f\"New York\"\u001f7"));
        assertThat(new FieldKey("age", "user", Scalar.of(42), Bytes.of("7")).toBytes())
                .isEqualTo(bytes("F\u001fage\u001fuser\u001f42\u001f7"));
        assertThat(FieldKey.prefix("city", "user")).isEqualTo(bytes("F\u001fcity\u001fuser\u001f"));
        assertThat(new ReverseKey("user", "city", Bytes.of("7")).toBytes())
                .isEqualTo(bytes("R\u001fuser\u001fcity\u001f7"));
    }

    /** By the plain words of the rule. */
    @Test
    void eachByteIsOneOrTwoCharacters_B1() {
        for (int b = 0; b < 256; b++) {
            String expected;
            if (b >= 0x22 && b <= 0x7c) {
                expected = Character.toString(b);
            } else if (b < 0x22) {
                expected = "!" + (char) (0x30 + b);
            } else {
                expected = b < 0xbf ? "}" + (char) (0x30 + b - 0x7d) : "~" + (char) (0x30 + b - 0xbf);
            }
            assertThat(EscapedText.of(new byte[] {(byte) b})).as("byte %s", b).isEqualTo(expected);
        }
    }

    @Test
    void valuesInTheirOrderedForm_B6() {
        String[][] forms = {
            {"null", "1"},
            {"false", "2"},
            {"true", "3"},
            {"0", "40"},
            {"1", "41P11"},
            {"-1", "4-On8:"},
            {"10e-1", "41P11"},
            {"42", "41P242"},
            {"0.05", "41Oo5"},
            {"\"\"", "5"},
            {"\"a b\"", "5a Pb"},
        };
        for (String[] form : forms) {
            assertThat(new String(OrderedValue.encode(JsonReader.value(form[0])), StandardCharsets.US_ASCII))
                    .as(form[0])
                    .isEqualTo(form[1]);
        }
    }

    @Test
    void rowLocationsAreTenBytesLittleEndian_B7() {
        RowLoc loc = new RowLoc(0x0102, 0x03040506L, 0xf708090aL);
        assertThat(HexFormat.of().formatHex(loc.toBytes())).isEqualTo("020106050403" + "0a0908f7");
        Random random = new Random(Randomness.seed("KeyKindsTest.rowLocations"));
        for (int i = 0; i < CASES; i++) {
            RowLoc any = new RowLoc(
                    random.nextInt(0x10000), random.nextInt() & 0xffff_ffffL, random.nextInt() & 0xffff_ffffL);
            assertThat(RowLoc.fromBytes(any.toBytes())).isEqualTo(any);
        }
        assertThatThrownBy(() -> RowLoc.fromBytes(new byte[9])).hasMessageContaining("10 bytes, not 9");
        assertThatThrownBy(() -> new RowLoc(0x10000, 0, 0)).hasMessageContaining("section");
        assertThatThrownBy(() -> new RowLoc(0, -1, 0)).hasMessageContaining("offset");
        assertThatThrownBy(() -> new RowLoc(0, 0, 1L << 32)).hasMessageContaining("size");
    }

    /** What was built is parsed back, in both forms, and no two keys have one form. */
    private static <K> void check(
            String kind,
            Function<Parts, K> make,
            Function<K, byte[]> toBytes,
            Function<byte[], K> fromBytes,
            Function<K, String> toKey,
            Function<String, K> parse) {
        long seed = Randomness.seed("KeyKindsTest." + kind);
        Parts parts = new Parts(new Random(seed));
        Map<Bytes, K> byBytes = new HashMap<>();
        Map<String, K> byKey = new HashMap<>();
        int refused = 0;
        int made = 0;
        while (made < CASES) {
            K key;
            try {
                key = make.apply(parts);
            } catch (TableException e) {
                assertThat(e.getMessage()).containsAnyOf("separator", "an index does not take");
                refused++;
                continue;
            }
            made++;
            byte[] bytes = toBytes.apply(key);
            String text = toKey.apply(key);
            assertThat(fromBytes.apply(bytes)).isEqualTo(key);
            assertThat(parse.apply(text)).isEqualTo(key);
            K sameBytes = byBytes.putIfAbsent(Bytes.of(bytes), key);
            K sameKey = byKey.putIfAbsent(text, key);
            if ((sameBytes != null && !sameBytes.equals(key)) || (sameKey != null && !sameKey.equals(key))) {
                throw new AssertionError(key + " and " + sameBytes + " or " + sameKey + " have one form");
            }
            if (text.length() <= 4096) {
                ShardFormat.v1().checkKey(text);
            }
        }
        assertThat(byKey).hasSizeGreaterThan(CASES / 10).hasSameSizeAs(byBytes);
        if (kind.equals("field") || kind.equals("reverse")) {
            assertThat(refused).isPositive();
        }
    }

    @Test
    void tableKeys() {
        check(
                "table",
                parts -> new TableKey(parts.bytes()),
                TableKey::toBytes,
                TableKey::fromBytes,
                TableKey::toKey,
                TableKey::parse);
    }

    @Test
    void positionKeys() {
        Random random = new Random(Randomness.seed("KeyKindsTest.positionKeys"));
        check(
                "position",
                parts -> new PositionKey(random.nextInt(0x10000), parts.bytes()),
                PositionKey::toBytes,
                PositionKey::fromBytes,
                PositionKey::toKey,
                PositionKey::parse);
    }

    @Test
    void fieldKeys() {
        check(
                "field",
                parts -> new FieldKey(parts.text(), parts.text(), parts.value(), parts.bytes()),
                FieldKey::toBytes,
                FieldKey::fromBytes,
                FieldKey::toKey,
                FieldKey::parse);
    }

    @Test
    void reverseKeys() {
        check(
                "reverse",
                parts -> new ReverseKey(parts.text(), parts.text(), parts.bytes()),
                ReverseKey::toBytes,
                ReverseKey::fromBytes,
                ReverseKey::toKey,
                ReverseKey::parse);
    }

    /** The keys of a pail are in the order of the bytes; and those of an index in the order of the values, then of the row ids. */
    @Test
    void keepOrder_B1_B6() {
        Parts parts = new Parts(new Random(Randomness.seed("KeyKindsTest.keepOrder")));
        int compared = 0;
        for (int i = 0; i < CASES; i++) {
            Bytes a = parts.bytes();
            Bytes b = parts.bytes();
            assertThat(Integer.signum(EscapedText.of(a.array).compareTo(EscapedText.of(b.array))))
                    .as("%s and %s", a, b)
                    .isEqualTo(Integer.signum(a.compareTo(b)));
            assertThat(EscapedText.of(KeyParts.concat(a.array, b.array)))
                    .isEqualTo(EscapedText.of(a.array) + EscapedText.of(b.array));
            Scalar x = parts.value();
            Scalar y = parts.value();
            if (Parts.hasSeparator(a)
                    || Parts.hasSeparator(b)
                    || !OrderedValue.isIndexable(x.value)
                    || !OrderedValue.isIndexable(y.value)) {
                continue;
            }
            compared++;
            int expected = x.compareTo(y) != 0 ? x.compareTo(y) : a.compareTo(b);
            int order = new FieldKey("f", "l", x, a).toKey().compareTo(new FieldKey("f", "l", y, b).toKey());
            assertThat(Integer.signum(order)).as("%s and %s", x, y).isEqualTo(Integer.signum(expected));
        }
        assertThat(compared).isGreaterThan(CASES / 2);
    }

    /** What makes keys fast makes those that the plain classes make. */
    @Test
    void areMadeFastAsSlowly() {
        Parts parts = new Parts(new Random(Randomness.seed("KeyKindsTest.areMadeFastAsSlowly")));
        IndexKeys index = new IndexKeys("people", IndexName.of(FieldPath.parse("address.city")));
        IndexKeys.EntryRows rows = new IndexKeys.EntryRows();
        int same = 0;
        for (int i = 0; i < CASES; i++) {
            Scalar value = parts.value();
            Bytes row = parts.bytes();
            if (Parts.hasSeparator(row) || !OrderedValue.isIndexable(value.value)) {
                continue;
            }
            String id = EscapedText.of(row.array);
            byte[] ordered = OrderedValue.encode(value.value);
            String key = index.entry(ordered, id);
            assertThat(key).isEqualTo(new FieldKey("address.city", "people", value, row).toKey());
            assertThat(IndexKeys.rowOf(key)).contains(id);
            // The first time as slowly, then as fast.
            for (String next : List.of(key, key + "!Ox", key, key + "y", key)) {
                assertThat(rows.rowOf(next)).isEqualTo(IndexKeys.rowOf(next).orElse(null));
            }
            assertThat(index.reverse + id).isEqualTo(new ReverseKey("people", "address.city", row).toKey());
            assertThat(IndexKeys.values(IndexKeys.inline(ordered))).containsExactly(ordered);
            same++;
        }
        assertThat(same).isGreaterThan(CASES / 3);
    }

    @Test
    void foreignBytesAreRefusedWithAReason_B5_B6() {
        String[][] cases = {
            {"", "does not start with"},
            {"Xpeople", "does not start with"},
            {"P", "two bytes"},
            {"P\u0001", "two bytes"},
            {"F", "field, label, value and row id"},
            {"Fcity", "field, label, value and row id"},
            {"F\u001fcity\u001fuser\u001f1", "field, label, value and row id"},
            {"F\u001fcity\u001fuser\u001f1\u001frow\u001fmore", "separator 0x1f in the last part"},
            {"F\u001fci\u00ffty\u001fuser\u001f1\u001f7", "the field is not UTF-8"},
            {"F\u001fcity\u001fus\u00ff\u001f1\u001f7", "the label is not UTF-8"},
            {"F\u001fcity\u001fuser\u001fNew York\u001f7", "not JSON"},
            {"F\u001fcity\u001fuser\u001f\u001f7", "not JSON"},
            {"F\u001fcity\u001fuser\u001f[1]\u001f7", "a list or an object"},
            {"F\u001fcity\u001fuser\u001f1.0\u001f7", "canonically 1"},
            {"F\u001fcity\u001fuser\u001f\"\\u0041\"\u001f7", "canonically \"A\""},
            {"R\u001fuser\u001fcity", "label, field and row id"},
            {"R\u001fuser\u001fcity\u001f7\u001f", "separator 0x1f in the last part"},
        };
        for (String[] one : cases) {
            byte[] foreign = bytes(one[0]);
            assertThatThrownBy(() -> {
                        switch (foreign.length == 0 ? 'T' : foreign[0]) {
                            case 'P' -> PositionKey.fromBytes(foreign);
                            case 'F' -> FieldKey.fromBytes(foreign);
                            case 'R' -> ReverseKey.fromBytes(foreign);
                            default -> TableKey.fromBytes(foreign);
                        }
                    })
                    .as(one[0])
                    .isInstanceOf(TableException.class)
                    .hasMessageContaining(one[1]);
        }
        for (String key :
                new String[] {"T\u00e9", "T!", "T!~", "T!/", "T}r", "T~q", "T}", "T ", "T\u007f", "T\u0000"}) {
            assertThatThrownBy(() -> TableKey.parse(key))
                    .as(key)
                    .isInstanceOf(TableException.class)
                    .hasMessageContaining("stands for no byte");
        }
        for (String key : new String[] {
            "F!Oa!Ob!O!O7",
            "F!Oa!Ob!O9!O7",
            "F!Oa!Ob!O11!O7",
            "F!Oa!Ob!O41!O7",
            "F!Oa!Ob!O41p010!O7",
            "F!Oa!Ob!O4-po9!O7",
            "F!Oa!Ob!O41po1x!O7",
            "F!Oa!Ob!O5!P!P!O7",
            "F!Oa!Ob!O5~o!O7",
            "F!Oa!Ob!O4x!O7",
            "F!Oa!Ob!O410001!O7",
            "F!Oa!Ob!O4-oo98:!O7",
            "F!Oa!Ob!O4-oo89:!O7"
        }) {
            assertThatThrownBy(() -> FieldKey.parse(key))
                    .as(key)
                    .isInstanceOf(TableException.class)
                    .hasMessageContaining("no value is");
        }
    }

    /** Random bytes are a key of some kind that has just these bytes, or are refused; nothing else happens. */
    @Test
    void randomBytesAreAKeyOrNone() {
        Random random = new Random(Randomness.seed("KeyKindsTest.randomBytes"));
        Parts parts = new Parts(random);
        int[] keys = new int[1];
        for (int i = 0; i < CASES; i++) {
            byte[] bytes = KeyParts.join(
                    "TPFR".getBytes(StandardCharsets.US_ASCII)[i % 4],
                    parts.bytes(),
                    parts.bytes(),
                    i % 8 < 4 ? Bytes.of(parts.value().json()) : parts.bytes(),
                    parts.bytes());
            try {
                byte[] again = switch (i % 4) {
                    case 0 -> TableKey.fromBytes(bytes).toBytes();
                    case 1 -> PositionKey.fromBytes(bytes).toBytes();
                    case 2 -> FieldKey.fromBytes(bytes).toBytes();
                    default ->
                        ReverseKey.fromBytes(Arrays.copyOf(bytes, bytes.length)).toBytes();
                };
                assertThat(again).isEqualTo(bytes);
                keys[0]++;
            } catch (TableException e) {
                assertThat(e.getMessage()).matches("(?s).*\\([BT]\\d.*\\).*|.*an index does not take.*");
            }
        }
        assertThat(keys[0]).isBetween(CASES / 3, CASES - 1);
    }

    /** Before anything is made of it: of many digits that would take long. */
    @Test
    void aValueThatIsTooLongIsRefusedAsThat() {
        for (String value : new String[] {"41P1" + "1".repeat(125), "5" + "x".repeat(128), "9".repeat(129)}) {
            assertThatThrownBy(() -> FieldKey.parse("F!Oa!Ob!O" + value + "!O7"))
                    .isInstanceOf(TableException.class)
                    .hasMessageContaining("longer than 128 bytes (B6)");
        }
        assertThat(FieldKey.parse("F!Oa!Ob!O41P1" + "1".repeat(124) + "!O7")).isNotNull();
    }

    /** Any bytes in the place of an ordered value are either the form of one value or are refused. */
    @Test
    void randomBytesAreTheOrderedFormOfAValueOrNone() {
        long seed = Randomness.seed("KeyKindsTest.orderedForms");
        Random random = new Random(seed);
        Parts parts = new Parts(random);
        int values = 0;
        for (int i = 0; i < CASES / 4; i++) {
            byte[] bytes = i % 2 == 0 ? someNumber(random) : changed(random, parts);
            String key = "F!Oage!Opeople!O" + EscapedText.of(bytes) + "!Ox";
            try {
                assertThat(OrderedValue.encode(OrderedValue.decode(bytes))).isEqualTo(bytes);
                values++;
                assertThat(FieldKey.parse(key).toKey()).isEqualTo(key);
                assertThat(IndexKeys.rowOf(key)).contains("x");
            } catch (TableException e) {
                assertThat(e).hasMessageContaining("no value is");
                assertThat(IndexKeys.rowOf(key)).isEmpty();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("-Dpail.seed=" + seed + ": " + key, e);
            }
        }
        assertThat(values).isBetween(CASES / 40, CASES / 4 * 9 / 10);
    }

    /** What looks as the form of a number, with exponents at their limits and zeros at either end. */
    private static byte[] someNumber(Random random) {
        boolean negative = random.nextBoolean();
        StringBuilder form = new StringBuilder(negative ? "4-" : "41");
        for (int i = 0; i < 2; i++) {
            form.append("00oo1P/p".charAt(random.nextInt(8)));
        }
        for (int digits = random.nextInt(6); digits >= 0; digits--) {
            form.append("0189".charAt(random.nextInt(4)));
        }
        return bytes(form.append(negative ? ":" : "").toString());
    }

    private static byte[] changed(Random random, Parts parts) {
        Scalar value = parts.value();
        byte[] bytes = OrderedValue.isIndexable(value.value)
                ? OrderedValue.encode(value.value)
                : parts.bytes().toByteArray();
        for (int changes = random.nextInt(3); changes > 0 && bytes.length > 0; changes--) {
            int at = random.nextInt(bytes.length);
            if (random.nextInt(4) == 0) {
                bytes = Arrays.copyOf(bytes, at);
            } else {
                bytes[at] = (byte) (random.nextBoolean() ? "01459:-op ".charAt(random.nextInt(10)) : random.nextInt());
            }
        }
        // A separator would end the value.
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = bytes[i] == FieldKey.SEPARATOR ? 0x20 : bytes[i];
        }
        return bytes;
    }

    @Test
    void separatorsInPartsAreRefused_B4() {
        assertThatThrownBy(() -> new FieldKey("a\u001f", "b", Scalar.of(1), Bytes.of("c")))
                .hasMessageContaining("no field has the separator 0x1f");
        assertThatThrownBy(() -> new FieldKey("a", "\u001fb", Scalar.of(1), Bytes.of("c")))
                .hasMessageContaining("no label has the separator 0x1f");
        assertThatThrownBy(() -> new FieldKey("a", "b", Scalar.of(1), Bytes.of("c\u001fd")))
                .hasMessageContaining("no row id has the separator 0x1f");
        assertThatThrownBy(() -> new ReverseKey("b", "a\u001f", Bytes.of("c")))
                .hasMessageContaining("no field has the separator 0x1f");
        assertThatThrownBy(() -> new FieldKey("\ud800", "b", Scalar.of(1), Bytes.of("c")))
                .hasMessageContaining("lone surrogate");
        // In a value it is no separator: JSON and the ordered form escape it.
        FieldKey key = new FieldKey("a", "b", Scalar.of("x\u001fy"), Bytes.of("c"));
        assertThat(FieldKey.fromBytes(key.toBytes()))
                .isEqualTo(FieldKey.parse(key.toKey()))
                .isEqualTo(key);
    }

    @Test
    void valuesThatNoIndexTakes() {
        assertThatThrownBy(() -> new FieldKey("a", "b", Scalar.of("x".repeat(128)), Bytes.of("c")))
                .hasMessageContaining("more than 127 bytes");
        new FieldKey("a", "b", Scalar.of("x".repeat(127)), Bytes.of("c"));
        assertThatThrownBy(() -> new FieldKey("a", "b", Scalar.of("\ud800"), Bytes.of("c")))
                .hasMessageContaining("lone surrogate");
        assertThatThrownBy(() -> new FieldKey("a", "b", Scalar.of(new BigDecimal("1e2048")), Bytes.of("c")))
                .hasMessageContaining("exponent");
        new FieldKey("a", "b", Scalar.of(new BigDecimal("-1e2046")), Bytes.of("c"));
    }
}
