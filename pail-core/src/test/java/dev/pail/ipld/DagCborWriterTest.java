package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the writer writes, and what it refuses to write. */
class DagCborWriterTest {
    private static final String CID = "01711220" + "a5".repeat(32);

    private static String written(Consumer<DagCborWriter> content) {
        DagCborWriter writer = new DagCborWriter();
        content.accept(writer);
        return HexFormat.of().formatHex(writer.toByteArray());
    }

    private static void refused(String rule, Consumer<DagCborWriter> content) {
        assertThatThrownBy(() -> written(content))
                .isInstanceOfSatisfying(
                        MalformedDataException.class, e -> assertThat(e.rule()).contains(rule));
    }

    @Test
    void everyKind() {
        assertThat(written(writer -> writer.array(0))).isEqualTo("80");
        assertThat(written(writer -> writer.map(0))).isEqualTo("a0");
        assertThat(written(writer -> writer.array(2).integer(1).bool(true))).isEqualTo("8201f5");
        assertThat(written(writer -> writer.map(1).text("a").nothing())).isEqualTo("a16161f6");
        assertThat(written(writer -> writer.bytes(new byte[] {1, -1}))).isEqualTo("4201ff");
        assertThat(written(writer -> writer.text("\u00fc\ud83d\ude00"))).isEqualTo("66c3bcf09f9880");
        assertThat(written(writer -> writer.bool(false))).isEqualTo("f4");
        assertThat(written(writer -> writer.number(-4.1))).isEqualTo("fbc010666666666666");
        assertThat(written(writer -> writer.number(Double.MIN_VALUE))).isEqualTo("fb0000000000000001");
        assertThat(written(writer -> writer.number(1))).isEqualTo("fb3ff0000000000000");
        Cid cid = Cid.fromBytes(HexFormat.of().parseHex(CID));
        assertThat(written(writer -> writer.link(cid))).isEqualTo("d82a582500" + CID);
        Cid shortest = Cid.fromBytes(Cids.v1(Cid.RAW, Cid.IDENTITY, 0));
        assertThat(written(writer -> writer.link(shortest))).isEqualTo("d82a450001550000");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "23, 17",
        "24, 1818",
        "255, 18ff",
        "256, 190100",
        "65535, 19ffff",
        "65536, 1a00010000",
        "4294967295, 1affffffff",
        "4294967296, 1b0000000100000000",
        "9223372036854775807, 1b7fffffffffffffff",
        "-1, 20",
        "-24, 37",
        "-25, 3818",
        "-256, 38ff",
        "-257, 390100",
        "-65537, 3a00010000",
        "-4294967297, 3b0000000100000000",
        "-9223372036854775808, 3b7fffffffffffffff"
    })
    void integers(long value, String hex) {
        assertThat(written(writer -> writer.integer(value))).isEqualTo(hex);
        assertThat(written(writer -> writer.integer(BigInteger.valueOf(value)))).isEqualTo(hex);
    }

    @ParameterizedTest
    @CsvSource({
        "9223372036854775808, 1b8000000000000000",
        "18446744073709551615, 1bffffffffffffffff",
        "-9223372036854775809, 3b8000000000000000",
        "-18446744073709551616, 3bffffffffffffffff"
    })
    void largeIntegers(BigInteger value, String hex) {
        assertThat(written(writer -> writer.integer(value))).isEqualTo(hex);
    }

    @ParameterizedTest
    @ValueSource(strings = {"18446744073709551616", "-18446744073709551617", "1e40", "-1e40"})
    void integersBeyondDagCbor(String value) {
        refused("C2", writer -> writer.integer(new BigDecimal(value).toBigIntegerExact()));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void numbersThatAreNotFinite(double value) {
        refused("C7", writer -> writer.number(value));
        refused("C7", writer -> writer.number(Double.longBitsToDouble(0x7ff8_dead_beef_0001L)));
    }

    @Test
    void zeroHasNoSign() {
        assertThat(written(writer -> writer.number(-0.0))).isEqualTo("fb0000000000000000");
        assertThat(written(writer -> writer.number(0.0))).isEqualTo("fb0000000000000000");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 23, 24, 255, 256, 65_535, 65_536})
    void lengths(int length) {
        String argument = written(writer -> writer.integer(length)).substring(2);
        assertThat(written(writer -> writer.bytes(new byte[length])))
                .isEqualTo(initial(2, length) + argument + "00".repeat(length));
        assertThat(written(writer -> writer.text("a".repeat(length))))
                .isEqualTo(initial(3, length) + argument + "61".repeat(length));
        assertThat(written(writer -> {
                    writer.array(length);
                    for (int i = 0; i < length; i++) {
                        writer.nothing();
                    }
                }))
                .isEqualTo(initial(4, length) + argument + "f6".repeat(length));
    }

    private static String initial(int major, int length) {
        int information = length < 24 ? length : length < 256 ? 24 : length < 65_536 ? 25 : 26;
        return HexFormat.of().toHexDigits((byte) ((major << 5) | information));
    }

    @Test
    void loneSurrogates() {
        for (String text : new String[] {"\ud83d", "\ude00", "ab\ud83d", "\ude00\ud83d", "\ud83d\ud83d\ude00"}) {
            refused("C4", writer -> writer.text(text));
            refused("C4", writer -> writer.map(1).text(text).nothing());
        }
    }

    @Test
    void keysOutOfOrder() {
        refused("C5", writer -> writer.map(2).text("b").nothing().text("a").nothing());
        refused("C5", writer -> writer.map(2).text("aa").nothing().text("b").nothing());
        refused("C5", writer -> writer.map(2).text("a").nothing().text("a").nothing());
        refused("C5", writer -> writer.map(2).text("").nothing().text("").nothing());
        // By bytes a code point beyond the basic plane comes last, by Java's own order before U+FFFF.
        refused(
                "C5",
                writer -> writer.map(2)
                        .text("\ud800\udc00")
                        .nothing()
                        .text("\uffffa")
                        .nothing());
        assertThat(written(writer -> writer.map(2)
                        .text("\uffffa")
                        .nothing()
                        .text("\ud800\udc00")
                        .nothing()))
                .isEqualTo("a264efbfbf61f664f0908080f6");
    }

    @Test
    void keysAreText() {
        refused("C5", writer -> writer.map(1).integer(1).nothing());
        refused("C5", writer -> writer.map(1).integer(BigInteger.ONE).nothing());
        refused("C5", writer -> writer.map(1).bytes(new byte[1]).nothing());
        refused("C5", writer -> writer.map(1).array(0).nothing());
        refused("C5", writer -> writer.map(1).map(0).nothing());
        refused("C5", writer -> writer.map(1).bool(true).nothing());
        refused("C5", writer -> writer.map(1).number(1).nothing());
        refused("C5", writer -> writer.map(1).nothing().nothing());
        refused(
                "C5",
                writer -> writer.map(1)
                        .link(Cid.fromBytes(Cids.v1(Cid.RAW, Cid.IDENTITY, 0)))
                        .nothing());
        refused(
                "C5",
                writer -> writer.map(2).text("a").array(1).map(0).integer(1).nothing());
    }

    @Test
    void itemsAreCounted() {
        refused("missing", writer -> {});
        refused("missing", writer -> writer.array(1));
        refused("missing", writer -> writer.array(2).nothing());
        refused("missing", writer -> writer.map(1));
        refused("missing", writer -> writer.map(1).text("a"));
        refused("missing", writer -> writer.array(1).array(1).array(1));
        refused("missing", writer -> writer.array(2).map(1).text("a").nothing());
        refused("C1", writer -> writer.nothing().nothing());
        refused("C1", writer -> writer.array(0).nothing());
        refused("C1", writer -> writer.array(1).map(0).text("a"));
        refused("C1", writer -> writer.number(1).number(1));
    }

    /** No block has a negative number of items; written as a head it would be a huge one. */
    @Test
    void negativeCounts() {
        refused("", writer -> writer.array(-1));
        refused("", writer -> writer.map(-1));
        refused("", writer -> writer.map(Integer.MIN_VALUE));
        refused("", writer -> writer.array(1).array(-1).nothing());
    }

    @Test
    void theArrayIsACopy() {
        DagCborWriter writer = new DagCborWriter().bytes(new byte[1]);
        writer.toByteArray()[0] = 0;
        assertThat(writer.toByteArray()).containsExactly(0x41, 0);
    }
}
