package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pail.bytes.PlainItems;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.table.document.DagCbor;
import dev.pail.testkit.Randomness;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents: which form they have, and that none of them loses anything. */
class DocumentTest {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static void assertKept(String json) throws Exception {
        Document document = Document.parse(json);
        Document again =
                Document.of(Block.verified(document.cid(), document.block().bytes()));
        assertThat(again.json()).isEqualTo(document.json());
        assertThat(Document.parse(document.json())).isEqualTo(document);
        JsonNode theirs = JSON.readTree(json);
        assertThat(theirs.equals(
                        (a, b) -> a.isNumber() && b.isNumber()
                                ? a.decimalValue().compareTo(b.decimalValue())
                                : a.equals(b) ? 0 : 1,
                        JSON.readTree(document.json())))
                .as("%s and %s", json, document)
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"a\":1}",
                "{\"b\":[1,2.5,-3,null,true,false,\"\"],\"a\":{\"c\":{}}}",
                "{\"é\":\"😀\\u0000\\n\"}",
                "{\"n\":9223372036854775807}",
                "{\"n\":-9223372036854775808}",
                "{\"n\":1.0}",
                "{\"n\":0.1}",
                "{\"n\":1e22}",
                "{\"\":1}"
            })
    void areDagCborWhereThatHoldsAll_D2(String json) throws Exception {
        assertThat(Document.parse(json).cid().codec()).isEqualTo(Cid.DAG_CBOR);
        assertKept(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"n\":9223372036854775808}",
                "{\"n\":1000000000000000000000}",
                "{\"n\":-123000000000000000000000}",
                "{\"n\":1e400}",
                "{\"n\":0.1234567890123456789}",
                "{\"t\":\"\\ud800\"}",
                "{\"n\":5e-324}",
                "{\"a\":[1,{\"n\":1e-400}]}"
            })
    void areJsonWhereItDoesNot_D2(String json) throws Exception {
        assertThat(Document.parse(json).cid().codec()).isEqualTo(Cid.RAW);
        assertKept(json);
    }

    @Test
    void jsonIsStoredInOneForm_D3() {
        Document document = Document.parse(
                "{ \"bb\" : 1E400, \"b\": \"\\ud800\\u00e9\\/\\u001f\", \"a\":[ 123456789012345678901234567890, 5.0, 2.50 ] }");
        assertThat(new String(document.block().bytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":[123456789012345678901234567890,5.0,2.5],"
                        + "\"b\":\"\\ud800\u00e9/\\u001f\",\"bb\":1e+400}");
    }

    /** The form in which a number is stored can be longer than the one that was written, or have a greater exponent. */
    @Test
    void numbersAtTheLimitsAreReadAgain() {
        long seed = Randomness.seed("DocumentTest");
        List<String> numbers = new ArrayList<>(List.of(
                "9".repeat(1000),
                "-" + "9".repeat(1000),
                "9".repeat(30) + "." + "9".repeat(969),
                "9".repeat(1000) + "e-1003",
                "0.000001" + "9".repeat(990),
                "1e1000000",
                "1e-1000000",
                "1" + "0".repeat(999) + "e-999"));
        for (int i = 0; i < 200; i++) {
            Random random = Randomness.random(seed + i);
            String digits = "1234567890".repeat(100).substring(0, 990 + random.nextInt(11));
            int point = 1 + random.nextInt(digits.length() - 1);
            numbers.add(digits + "e" + (random.nextInt(3000) - 1500));
            int zeros = random.nextInt(1000);
            numbers.add(digits.substring(0, Math.min(1000 - zeros, 1 + random.nextInt(17))) + "0".repeat(zeros));
            numbers.add(digits.substring(0, point) + "." + digits.substring(point));
            numbers.add("10".repeat(1 + random.nextInt(5)) + "e" + (1_000_001 - random.nextInt(15)));
        }
        int taken = 0;
        for (String number : numbers) {
            Document document;
            try {
                document = Document.parse("{\"a\":" + number + "}");
            } catch (DocumentException e) {
                assertThat(number).as("-Dpail.seed=%s", seed).contains("e");
                continue;
            }
            taken++;
            assertThat(Document.of(document.block()).json())
                    .as("-Dpail.seed=%s %s", seed, number)
                    .isEqualTo(document.json());
            assertThat(Document.parse(document.json())).isEqualTo(document);
        }
        assertThat(taken).isGreaterThan(400);
        assertThatThrownBy(() -> Document.parse("{\"a\":10e1000000}")).hasMessageContaining("too large");
    }

    private static boolean isTaken(String before, String number, String behind) {
        try {
            Document document = Document.parse(before + number + behind);
            assertThat(Document.of(document.block()).json()).isEqualTo(document.json());
            return true;
        } catch (DocumentException e) {
            assertThat(e).hasMessageContaining("a number of more than 1000 digits (D1)");
            return false;
        }
    }

    /** The parser has another part of the text before it every few thousand characters. */
    @Test
    void digitsAreCountedInTheSameWayWhereverTheNumberIs() {
        String filler = "{\"f\":\"" + "x".repeat(33_000) + "\",\"a\":[";
        Map<String, Boolean> numbers = new LinkedHashMap<>();
        for (String sign : List.of("", "-")) {
            for (int more = 0; more < 2; more++) {
                numbers.put(sign + "1" + "0".repeat(999 + more), more == 0);
                numbers.put(sign + "9".repeat(1000 + more) + "e1", more == 0);
                numbers.put(sign + "9".repeat(1000 + more) + "E+" + "0".repeat(15) + "1", more == 0);
                numbers.put(sign + "9".repeat(1000) + "e-" + "0".repeat(15 + more) + "1", more == 0);
                numbers.put(sign + "1." + "0".repeat(999 + more), more == 0);
                numbers.put(sign + "1".repeat(999 + more) + ".0", more == 0);
                numbers.put(sign + "0." + "0".repeat(15) + "9".repeat(1000 + more), more == 0);
                numbers.put(sign + "0." + "0".repeat(15 + more) + "9".repeat(1000), more == 0);
                numbers.put(
                        sign + "0." + "0".repeat(14) + "9".repeat(1000) + "e" + (more == 0 ? "1" : "10"), more == 0);
                numbers.put(sign + "0." + "0".repeat(1014 + more) + "1", more == 0);
                numbers.put(sign + "0." + "0".repeat(1015 + more), more == 0);
                numbers.put(sign + "1e" + "0".repeat(1015 + more), more == 0);
                numbers.put(sign + "0e" + "9".repeat(1015 + more), more == 0);
            }
        }
        numbers.forEach((number, taken) -> {
            assertThat(isTaken("{\"a\":[", number, "]}")).as(number).isEqualTo(taken);
            int to = 36_000;
            for (int at = to - number.length() - 2; at <= to + 2; at += at < to - 4 && at > to - 1010 ? 199 : 1) {
                String before = filler + " ".repeat(at - filler.length());
                assertThat(isTaken(before, number, "]}"))
                        .as("at %s: %s", at, number)
                        .isEqualTo(taken);
            }
        });
    }

    @Test
    void zeroIsZeroWhateverItsExponentIs() {
        for (String zero : List.of("0e0", "0e1000001", "-0e-99999999999", "0.00E9999999999999999")) {
            assertThat(Document.parse("{\"a\":" + zero + "}")).isEqualTo(Document.parse("{\"a\":0.0}"));
        }
        for (String number :
                List.of("1e1000001", "1e-1000001", "1e99999999999", "10e-99999999999", "1e-9999999999999999")) {
            assertThatThrownBy(() -> Document.parse("{\"a\":" + number + "}"))
                    .hasMessageContaining("a number is too large or too small");
        }
        assertThat(Document.parse("{\"a\":1000e-1000003}")).isEqualTo(Document.parse("{\"a\":1e-1000000}"));
    }

    @Test
    void whatIsWrongIsFoundByLineWhereThereAreSeveral() {
        assertThatThrownBy(() -> Document.parse("{\n \"a\": 1,\n \"b\": x\n}\n"))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.line()).isEqualTo(3))
                .hasMessageStartingWith("line 3, column ");
        assertThatThrownBy(() -> Document.parse("{\"a\": 1,\n \"a\": 2}"))
                .hasMessageStartingWith("line 2, column ")
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> Document.parse("{\"a\": x}\n"))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.line()).isZero())
                .hasMessageStartingWith("column ");
    }

    /** Of both forms: dag-cbor, and JSON because of a lone surrogate. */
    @Test
    void upToEightMebibytesAreTaken_D4() {
        int most = 8 << 20;
        String cbor = "{\"a\":\"";
        int cborRest = 1 + 2 + 5;
        String json = "{\"a\":\"\\ud800";
        int jsonRest = json.length() + 2;
        Document largest = Document.parse(cbor + "x".repeat(most - cborRest) + "\"}");
        assertThat(largest.block().size()).isEqualTo(most);
        assertThat(largest.cid().codec()).isEqualTo(Cid.DAG_CBOR);
        assertThat(Document.of(largest.block())).isEqualTo(largest);
        Document largestJson = Document.parse(json + "x".repeat(most - jsonRest) + "\"}");
        assertThat(largestJson.block().size()).isEqualTo(most);
        assertThat(largestJson.cid().codec()).isEqualTo(Cid.RAW);
        assertThat(Document.of(largestJson.block())).isEqualTo(largestJson);
        for (String larger : List.of(
                cbor + "x".repeat(most - cborRest + 1) + "\"}", json + "x".repeat(most - jsonRest + 1) + "\"}")) {
            assertThatThrownBy(() -> Document.parse(larger))
                    .isInstanceOf(DocumentException.class)
                    .hasMessageContaining("a document of 8388609 bytes: 8388608 are the most (D4)");
        }
    }

    @Test
    void deepOnesAreJson() throws Exception {
        String deep = "[".repeat(127) + "]".repeat(127);
        assertThat(Document.parse("{\"a\":" + deep + "}").cid().codec()).isEqualTo(Cid.DAG_CBOR);
        assertThat(Document.parse("{\"a\":[" + deep + "]}").cid().codec()).isEqualTo(Cid.RAW);
        assertKept("{\"a\":[" + deep + "]}");
        assertThatThrownBy(() -> Document.parse("{\"a\":" + "[".repeat(100_000)))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("500 levels");
    }

    @Test
    void generatedOnesAreKept() throws Exception {
        long seed = Randomness.seed("DocumentTest.generated");
        Generated generated = new Generated(seed);
        int raw = 0;
        int count = Randomness.times(10_000, 100_000);
        for (int i = 0; i < count; i++) {
            String json = generated.json(i);
            assertKept(json);
            raw += Document.parse(json).cid().codec() == Cid.RAW ? 1 : 0;
        }
        assertThat(raw).isPositive();
    }

    @Test
    void equalContentHasOneName() {
        assertThat(Document.parse("{\"b\":1, \"a\":[ true ]}")).isEqualTo(Document.parse("{\"a\":[true],\"b\":1}"));
        assertThat(Document.parse("{\"a\":1}")).isNotEqualTo(Document.parse("{\"a\":1.0}"));
        assertThat(Document.parse("{\"bb\":1,\"a\":2}").json()).isEqualTo("{\"a\":2,\"bb\":1}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|1|nothing",
                "'   '|4|nothing",
                "[1]|1|an object",
                "1|1|an object",
                "{\"a\":1|7|end",
                "{\"a\":1}x|9|x",
                "{\"a\":1} {}|9|behind",
                "{\"a\":1,\"a\":2}|13|twice",
                "{\"\\ud800\":1}|9|surrogate",
                "{\"a\":[{\"b\\udc00\":1}]}|16|surrogate",
                "{a:1}|2|double-quote",
                "{\"a\":NaN}|9|NaN",
                "{\"a\":01}|7|zero",
                "{\"a\":1e9999999}|15|too large",
            })
    void whatIsNoneIsRefusedWithItsColumn_D1(String json, int column, String named) {
        assertThatThrownBy(() -> Document.parse(json)).isInstanceOfSatisfying(DocumentException.class, e -> {
            assertThat(e.column()).isBetween(column - 1, column + 1);
            assertThat(e).hasMessageContaining(named);
        });
    }

    /** The parser's own words, of its source and its settings, say nothing to who wrote the document. */
    @Test
    void whatIsRefusedIsSaidInOurWords() {
        List<String> texts = new ArrayList<>(List.of(
                "{\"a\":" + "1".repeat(1001) + "}",
                "{\"a\":1." + "1".repeat(1000) + "}",
                "[".repeat(501),
                "{\"a\":" + "[".repeat(501)));
        String document = "{\"a\":[1,\"b\\n\\u00e9\",{\"c\":null}],\"d\":-1.5e3}";
        for (int i = 0; i < document.length(); i++) {
            texts.add(document.substring(0, i));
            for (String other :
                    List.of("]", "}", "\"", "\\", "NaN", "Infinity", "'", "/*", "\n", "\u0001", "+1", ".5", ",", ":")) {
                texts.add(document.substring(0, i) + other + document.substring(i));
            }
        }
        int refused = 0;
        for (String text : texts) {
            try {
                Document unused = Document.parse(text);
            } catch (DocumentException e) {
                refused++;
                assertThat(e.what())
                        .as(text)
                        .isNotBlank()
                        .doesNotContain("Source", "Feature", "Constraints", "`", "REDACTED", "jackson")
                        .doesNotEndWith("(");
            }
        }
        assertThat(refused).isGreaterThan(texts.size() / 2);
        assertThatThrownBy(() -> Document.parse(texts.get(0))).hasMessageContaining("more than 1000 digits (D1)");
        assertThatThrownBy(() -> Document.parse(texts.get(1))).hasMessageContaining("more than 1000 digits (D1)");
        assertThatThrownBy(() -> Document.parse(texts.get(2))).hasMessageContaining("more than 500 levels (D1)");
        assertThat(Document.parse("{\"a\":" + "1".repeat(1000) + "}")).isNotNull();
    }

    /** As they are in a text, and not as its escapes. */
    @Test
    void loneSurrogatesThatAreNotEscapedAreRefusedInNamesAndKeptInTexts() throws Exception {
        for (char lone : new char[] {0xd800, 0xdbff, 0xdc00, 0xdfff}) {
            for (String value : List.of("1", "1e400", "{}", "\"" + lone + "\"")) {
                for (String name : List.of("" + lone, "a" + lone + "b", lone + "\ud83d\ude00")) {
                    for (String json :
                            List.of("{\"" + name + "\":" + value + "}", "{\"a\":[{\"" + name + "\":" + value + "}]}")) {
                        assertThatThrownBy(() -> Document.parse(json))
                                .isInstanceOf(DocumentException.class)
                                .hasMessageContaining("a name has a lone surrogate (D1)");
                    }
                }
            }
            assertThat(Document.parse("{\"t\":\"" + lone + "\"}"))
                    .isEqualTo(Document.parse(String.format("{\"t\":\"\\u%04x\"}", (int) lone)));
            assertKept("{\"t\":[\"a" + lone + "b\",{\"\ud83d\ude00\":1}]}");
        }
    }

    /** What was read before leaves nothing behind that the next could run into. */
    @Test
    void namesMayBeMadeSoThatTheirHashesAreTheSame() {
        StringBuilder json = new StringBuilder("{");
        for (int name = 0; name < 1 << 12; name++) {
            json.append(name == 0 ? "\"" : ",\"");
            for (int bit = 0; bit < 12; bit++) {
                json.append((name >> bit & 1) == 0 ? "ab" : "bA");
            }
            json.append("\":").append(name);
        }
        Document document = Document.parse(json.append('}').toString());
        assertThat(document.get(FieldPath.parse("bA".repeat(12)))).contains(Scalar.of((1 << 12) - 1));
    }

    /** What is printed is what is stored: read again, it has the same CID. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "9007199254740993.0",
                "-9007199254740993.00",
                "12345678901234567e1",
                "123456789012345678901.0",
                "12345678901234567890123",
                "9007199254740993",
                "9007199254740992.0",
                "1e400",
                "10e-1",
                "0.10000000000000000001"
            })
    void numbersArePrintedAsTheyAreStored(String number) {
        Document document = Document.parse("{\"x\":" + number + "}");
        assertThat(Document.parse(document.json())).isEqualTo(document);
        assertThat(Document.of(document.block()).json()).isEqualTo(document.json());
    }

    @Test
    void whatOthersStoredLooksAsDagJson_D2() {
        Cid link = Document.parse("{}").cid();
        byte[] bytes = new DagCborWriter()
                .map(2)
                .text("b")
                .bytes(new byte[] {1, 2})
                .text("l")
                .link(link)
                .toByteArray();
        assertThat(Document.of(Block.of(Cid.DAG_CBOR, bytes)).json())
                .isEqualTo("{\"b\":{\"/\":{\"bytes\":\"AQI\"}},\"l\":{\"/\":\"" + link + "\"}}");
    }

    @Test
    void emptyOnesAndBytesAreAsAllOthers() {
        byte[] bytes = new DagCborWriter()
                .map(5)
                .text("b")
                .bytes(new byte[] {1, 2})
                .text("e")
                .bytes(new byte[0])
                .text("l")
                .array(0)
                .text("m")
                .map(0)
                .text("t")
                .text("")
                .toByteArray();
        Document document = Document.of(Block.of(Cid.DAG_CBOR, bytes));
        assertThat(document.json())
                .isEqualTo(
                        "{\"b\":{\"/\":{\"bytes\":\"AQI\"}},\"e\":{\"/\":{\"bytes\":\"\"}},\"l\":[],\"m\":{},\"t\":\"\"}");
        assertThat(document.flat())
                .containsExactly(
                        entry("b./.bytes", "AQI"),
                        entry("e./.bytes", ""),
                        entry("l", "[]"),
                        entry("m", "{}"),
                        entry("t", ""));
        assertThat(document.get(FieldPath.parse("b./.bytes"))).contains(Scalar.of("AQI"));
        assertThat(Filter.parse("b contains '/' and b./ contains 'bytes' and not exists b.x")
                        .accepts(document))
                .isTrue();
    }

    /** The worst that a block can have: in memory, a value takes many times as much as there. */
    @ParameterizedTest
    @ValueSource(strings = {"40", "a0"})
    void aLargeOneOfManySmallValuesFitsInMemory(String value) {
        byte[] item = HexFormat.of().parseHex(value);
        int count = (Document.MAX_SIZE - 8) / item.length;
        ByteBuffer bytes = ByteBuffer.allocate(8 + count * item.length)
                .put(new byte[] {(byte) 0xa1, 0x61, 'a', (byte) 0x9a})
                .putInt(count);
        for (int i = 0; i < count; i++) {
            bytes.put(item);
        }
        assertThat(Document.of(Block.of(Cid.DAG_CBOR, bytes.array())).get(FieldPath.parse("b")))
                .isEmpty();
    }

    @Test
    void otherBlocksAreNone() {
        for (Block block : new Block[] {
            Block.of(Cid.DAG_CBOR, new byte[] {1}),
            Block.of(Cid.DAG_CBOR, new byte[] {(byte) 0xff}),
            Block.of(Cid.RAW, new byte[] {'[', ']'}),
            Block.of(Cid.RAW, new byte[] {(byte) 0xff}),
            Block.of(Cid.DAG_PB, new byte[] {'{', '}'})
        }) {
            assertThatThrownBy(() -> Document.of(block))
                    .isInstanceOf(TableException.class)
                    .hasMessageContaining(block.cid().toString());
        }
    }

    /** Else a text with a long name of many fields would be many times as long as it is. */
    @Test
    void anObjectBehindALongerPathThanThereIsStaysOne() {
        assertThat(Document.parse("{\"a\":{\"b.c\":{\"d\":1,\"e\":[{\"f\":2}],\"g\":{}}}}")
                        .flat())
                .containsExactly(entry("a.b\\.c.d", "1"), entry("a.b\\.c.e", "[{\"f\":2}]"), entry("a.b\\.c.g", "{}"));
        for (String name : List.of("x".repeat(255), "é".repeat(127) + "x", "." + "x".repeat(253))) {
            String path = name.replace(".", "\\.");
            assertThat(Document.parse("{\"" + name + "\":{\"a\":1,\"b\":{}}}").flat())
                    .containsExactly(entry(path + ".a", "1"), entry(path + ".b", "{}"));
            assertThat(Document.parse("{\"" + name + "x\":{\"a\":1,\"b\":{}}}").flat())
                    .containsExactly(entry(path + "x", "{\"a\":1,\"b\":{}}"));
            assertThat(Document.parse("{\"" + name + "x\":\"a\"}").flat()).containsExactly(entry(path + "x", "a"));
        }
        StringBuilder many = new StringBuilder("{\"" + "x".repeat(1 << 20) + "\":{\"a\":0");
        for (int i = 0; i < 10_000; i++) {
            many.append(",\"a").append(i).append("\":0");
        }
        assertThat(Document.parse(many.append("}}").toString()).flat()).hasSize(1);
    }

    @Test
    void pathsLeadIntoThem() {
        Document document = Document.parse("{\"a\":{\"b\":[1],\"c\":\"x\",\"d.e\":2,\"f\\\\\":null}}");
        assertThat(document.get(FieldPath.parse("a.c"))).contains(Scalar.of("x"));
        assertThat(document.get(FieldPath.parse("a.d\\.e"))).contains(Scalar.of(2));
        assertThat(document.get(FieldPath.parse("a.f\\\\"))).contains(Scalar.ofNull());
        assertThat(document.get(FieldPath.parse("a.b"))).isEmpty();
        assertThat(document.json(FieldPath.parse("a.b"))).contains("[1]");
        assertThat(document.json(FieldPath.parse("a.c.x"))).isEmpty();
        for (String none :
                new String[] {"", ".", "a.", ".a", "a..b", "a\\b", "a\\", "a\u001f", "\ud800", "a".repeat(256)}) {
            assertThatThrownBy(() -> FieldPath.parse(none)).as(none).isInstanceOf(TableException.class);
        }
    }

    /** What reads values out of the bytes finds what is in the tree. */
    @Test
    void valuesAreReadFromTheBytesAsFromTheTree() {
        Generated generated = new Generated(Randomness.seed("DocumentTest.bytesAndTree"));
        int found = 0;
        int count = Randomness.times(3_000, 100_000);
        for (int i = 0; i < count; i++) {
            Document tree = Document.parse(generated.json(i));
            List<String> paths = new ArrayList<>(tree.flat().keySet());
            paths.addAll(List.of("address", "tags", "lines", "zip", "address.zip", "address.city.x", "tags.0"));
            for (String path : paths) {
                FieldPath field = FieldPath.parse(path);
                Document bytes = Document.of(tree.block());
                assertThat(bytes.json(field)).as("%s of %s", path, tree).isEqualTo(tree.json(field));
                found += tree.json(field).isPresent() ? 1 : 0;
            }
        }
        assertThat(found).isGreaterThan(3 * count);
    }

    /** The slow twin of the fast check: what the reader of dag-cbor says of some bytes. */
    private static @Nullable String refusal(byte[] bytes) {
        try {
            return DagCbor.decode(bytes) instanceof Map<?, ?> ? null : "it is not an object";
        } catch (MalformedDataException e) {
            return e.getMessage();
        }
    }

    private static void assertCheckedAsByTheReader(byte[] bytes) {
        String refusal = refusal(bytes);
        Block block = Block.of(Cid.DAG_CBOR, bytes);
        if (refusal == null) {
            assertThat(Document.of(block).json()).isNotEmpty();
            return;
        }
        assertThat(PlainItems.isPlainMap(bytes))
                .as("%s: %s", HexFormat.of().formatHex(bytes), refusal)
                .isFalse();
        assertThatThrownBy(() -> Document.of(block))
                .isInstanceOf(TableException.class)
                .hasMessageContaining(refusal);
    }

    /** All heads, and all arguments of one byte, before an end, a zero or a text. */
    @Test
    void blocksAreRefusedAsTheReaderRefusesThem_D2() {
        for (String number : List.of("7ff0000000000000", "fff0000000000000", "7ff8000000000001", "0000000000000001")) {
            assertCheckedAsByTheReader(HexFormat.of().parseHex("a16161fb" + number));
        }
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                byte one = (byte) first;
                byte two = (byte) second;
                assertCheckedAsByTheReader(new byte[] {one, two});
                assertCheckedAsByTheReader(new byte[] {(byte) 0xa1, 0x61, 'a', one, two});
                assertCheckedAsByTheReader(new byte[] {(byte) 0xa1, one, two, 'a', 0});
                assertCheckedAsByTheReader(new byte[] {(byte) 0xa1, 0x61, 'a', one, two, 0, 0, 0, 0, 0, 0, 0});
                assertCheckedAsByTheReader(new byte[] {(byte) 0xa2, 0x61, 'b', 0, 0x61, one, two});
                assertCheckedAsByTheReader(new byte[] {(byte) 0xa2, 0x61, 'b', 0, 0x62, one, two, 1});
            }
        }
    }

    @Test
    void changedBlocksAreRefusedAsTheReaderRefusesThem_D2() {
        long seed = Randomness.seed("DocumentTest.changedBlocks");
        Generated generated = new Generated(seed);
        Random random = Randomness.random(seed);
        int refused = 0;
        int count = Randomness.times(20_000, 1_000_000);
        for (int i = 0; i < count; i++) {
            Block block = Document.parse(generated.json(i)).block();
            if (block.cid().codec() != Cid.DAG_CBOR) {
                continue;
            }
            byte[] bytes = block.bytes();
            assertThat(PlainItems.isPlainMap(bytes)).isTrue();
            for (int changes = random.nextInt(1, 3); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            byte[] cut = Arrays.copyOf(bytes, bytes.length - random.nextInt(2));
            assertCheckedAsByTheReader(cut);
            refused += refusal(cut) == null ? 0 : 1;
        }
        assertThat(refused).isGreaterThan(count / 4);
    }

    @Test
    void deepBlocksAreCheckedByTheReader_D2() {
        for (int depth :
                new int[] {1, PlainItems.MAX_PLAIN_DEPTH, PlainItems.MAX_PLAIN_DEPTH + 1, 127, 128, 129, 100_000}) {
            byte[] bytes = new byte[3 + depth];
            Arrays.fill(bytes, (byte) 0x81);
            bytes[0] = (byte) 0xa1;
            bytes[1] = 0x61;
            bytes[2] = 'a';
            bytes[bytes.length - 1] = 0;
            assertCheckedAsByTheReader(bytes);
        }
    }

    /** The examples of RFC 7396, appendix A, whose target and result are objects. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'a':'b'}|{'a':'c'}|{'a':'c'}",
                "{'a':'b'}|{'b':'c'}|{'a':'b','b':'c'}",
                "{'a':'b'}|{'a':null}|{}",
                "{'a':'b','b':'c'}|{'a':null}|{'b':'c'}",
                "{'a':['b']}|{'a':'c'}|{'a':'c'}",
                "{'a':'c'}|{'a':['b']}|{'a':['b']}",
                "{'a':{'b':'c'}}|{'a':{'b':'d','c':null}}|{'a':{'b':'d'}}",
                "{'a':[{'b':'c'}]}|{'a':[1]}|{'a':[1]}",
                "{'e':null}|{'a':1}|{'a':1,'e':null}",
                "{}|{'a':{'bb':{'ccc':null}}}|{'a':{'bb':{}}}"
            },
            quoteCharacter = '"')
    void mergePatches(String target, String patch, String result) {
        assertThat(json(target).patched(json(patch))).isEqualTo(json(result));
    }

    private static Document json(String text) {
        return Document.parse(text.replace('\'', '"'));
    }

    @Test
    void fieldsAreReplacedAndRemoved() {
        Document document = json("{'a':1,'b':{'c':2}}");
        assertThat(document.with(FieldPath.parse("b.d"), "[3]")).isEqualTo(json("{'a':1,'b':{'c':2,'d':[3]}}"));
        assertThat(document.with(FieldPath.parse("a.x"), "null")).isEqualTo(json("{'a':{'x':null},'b':{'c':2}}"));
        assertThat(document.without(FieldPath.parse("b.c"))).isEqualTo(json("{'a':1,'b':{}}"));
        assertThat(document.without(FieldPath.parse("a.x"))).isEqualTo(document);
        assertThat(document.without(FieldPath.parse("x.y"))).isEqualTo(document);
        assertThat(document).isEqualTo(json("{'a':1,'b':{'c':2}}"));
        String deep = "[".repeat(499) + "]".repeat(499);
        assertThat(document.with(FieldPath.parse("a"), deep).json()).contains(deep);
        assertThatThrownBy(() -> document.with(FieldPath.parse("a.b"), deep)).isInstanceOf(DocumentException.class);
        assertThatThrownBy(() -> document.with(FieldPath.parse("a"), "x")).isInstanceOf(DocumentException.class);
    }
}
