package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ipld.DagCborReader.Kind;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reader reads, and what it does not read. */
class DagCborReaderTest {
    private static final String CID = "01711220" + "a5".repeat(32);
    private static final String LINK = "d82a582500" + CID;

    private static final Map<Kind, String> SAMPLES = Map.of(
            Kind.INTEGER, "01",
            Kind.BYTES, "41ff",
            Kind.TEXT, "6161",
            Kind.ARRAY, "8101",
            Kind.MAP, "a1616101",
            Kind.LINK, LINK,
            Kind.BOOLEAN, "f5",
            Kind.NULL, "f6",
            Kind.FLOAT, "fb3ff8000000000000");

    private static DagCborReader reader(String hex) {
        return new DagCborReader(HexFormat.of().parseHex(hex));
    }

    @Test
    void peekSaysWhatIsNextAndReadsNothing() {
        SAMPLES.forEach((kind, hex) -> {
            DagCborReader reader = reader(hex);
            assertThat(reader.peek()).isEqualTo(kind);
            assertThat(reader.peek()).isEqualTo(kind);
            assertThat(reader.position()).isZero();
        });
        assertThat(reader("20").peek()).isEqualTo(Kind.INTEGER);
        assertThat(reader("f4").peek()).isEqualTo(Kind.BOOLEAN);
    }

    @Test
    void everyKind() {
        assertThat(reader("1903e8").readLong()).isEqualTo(1000);
        assertThat(reader("3903e7").readLong()).isEqualTo(-1000);
        assertThat(reader("4401020304").readBytes()).containsExactly(1, 2, 3, 4);
        assertThat(reader("40").readBytes()).isEmpty();
        assertThat(reader("66c3bcf09f9880").readText()).isEqualTo("\u00fc\ud83d\ude00");
        assertThat(reader("60").readText()).isEmpty();
        assertThat(reader("83010203").readArray()).isEqualTo(3);
        assertThat(reader("a1616101").readMap()).isEqualTo(1);
        assertThat(reader(LINK).readLink().toBytes()).isEqualTo(HexFormat.of().parseHex(CID));
        assertThat(reader("f4").readBoolean()).isFalse();
        assertThat(reader("f5").readBoolean()).isTrue();
        assertThat(reader("fbc010666666666666").readDouble()).isEqualTo(-4.1);
        assertThat(reader("fb0000000000000000").readDouble()).isEqualTo(0.0);
        DagCborReader reader = reader("f6");
        reader.readNull();
        reader.end();
    }

    @Test
    void spans() {
        byte[] text = HexFormat.of().parseHex("6361c3bc");
        DagCborReader reader = new DagCborReader(text);
        int from = reader.readTextSpan();
        assertThat(new String(text, from, reader.position() - from, StandardCharsets.UTF_8))
                .isEqualTo("a\u00fc");
        DagCborReader links = reader(LINK);
        assertThat(links.readLinkSpan()).isEqualTo(5);
        assertThat(links.position()).isEqualTo(5 + 36);
    }

    @Test
    void nothingElseReadsAKind() {
        Map<Kind, Consumer<DagCborReader>> methods = Map.of(
                Kind.INTEGER, DagCborReader::readLong,
                Kind.BYTES, DagCborReader::readBytes,
                Kind.TEXT, DagCborReader::readText,
                Kind.ARRAY, DagCborReader::readArray,
                Kind.MAP, DagCborReader::readMap,
                Kind.LINK, DagCborReader::readLink,
                Kind.BOOLEAN, DagCborReader::readBoolean,
                Kind.NULL, DagCborReader::readNull,
                Kind.FLOAT, DagCborReader::readDouble);
        SAMPLES.forEach((kind, hex) -> methods.forEach((other, method) -> {
            DagCborReader reader = reader("82" + "20" + hex);
            assertThat(reader.readArray()).isEqualTo(2);
            assertThat(reader.readLong()).isEqualTo(-1);
            if (kind == other) {
                method.accept(reader);
            } else {
                assertThatThrownBy(() -> method.accept(reader))
                        .as("%s as %s", kind, other)
                        .isInstanceOfSatisfying(
                                MalformedDataException.class,
                                e -> assertThat(e.offset()).isEqualTo(2));
            }
        }));
        assertThatThrownBy(() -> reader("6161").readInteger()).isInstanceOf(MalformedDataException.class);
    }

    /** The bits of a number are not the number of another value. */
    @ParameterizedTest
    @ValueSource(ints = {20, 21, 22})
    void smallNumbersAreNeitherBooleanNorNull(int bits) {
        String hex = "fb00000000000000" + Integer.toHexString(bits);
        for (Consumer<DagCborReader> method :
                List.<Consumer<DagCborReader>>of(DagCborReader::readBoolean, DagCborReader::readNull)) {
            assertThatThrownBy(() -> method.accept(reader(hex)))
                    .isInstanceOfSatisfying(
                            MalformedDataException.class,
                            e -> assertThat(e.offset()).isZero());
        }
        assertThat(reader(hex).readDouble()).isEqualTo(Double.longBitsToDouble(bits));
    }

    @ParameterizedTest
    @CsvSource({
        "00, 0",
        "17, 23",
        "1818, 24",
        "18ff, 255",
        "190100, 256",
        "1a00010000, 65536",
        "1b0000000100000000, 4294967296",
        "1b7fffffffffffffff, 9223372036854775807",
        "20, -1",
        "3818, -25",
        "3b7fffffffffffffff, -9223372036854775808"
    })
    void integersThatFit(String hex, long value) {
        assertThat(reader(hex).readLong()).isEqualTo(value);
        assertThat(reader(hex).readInteger()).isEqualTo(BigInteger.valueOf(value));
    }

    @ParameterizedTest
    @CsvSource({
        "1b8000000000000000, 9223372036854775808",
        "1bffffffffffffffff, 18446744073709551615",
        "3b8000000000000000, -9223372036854775809",
        "3bffffffffffffffff, -18446744073709551616"
    })
    void integersThatDoNotFit(String hex, BigInteger value) {
        assertThat(reader(hex).readInteger()).isEqualTo(value);
        assertThatThrownBy(() -> reader(hex).readLong())
                .isInstanceOfSatisfying(
                        MalformedDataException.class,
                        e -> assertThat(e.offset()).isZero());
    }

    @Test
    void skipGoesBehindWhateverComesNext() {
        DagCborReader reader = reader("84" + "8201a161628103" + LINK + "a26161806162a0" + "0a");
        assertThat(reader.readArray()).isEqualTo(4);
        reader.skip();
        assertThat(reader.position()).isEqualTo(8);
        reader.skip();
        assertThat(reader.position()).isEqualTo(8 + 41);
        assertThat(reader.readMap()).isEqualTo(2);
        reader.skip();
        assertThat(reader.readArray()).isZero();
        assertThat(reader.readText()).isEqualTo("b");
        reader.skip();
        assertThat(reader.readLong()).isEqualTo(10);
        reader.end();
    }

    /** A key that is skipped counts in the order of keys. */
    @Test
    void skippedKeysAreChecked() {
        DagCborReader reader = reader("a2616201616102");
        reader.readMap();
        reader.skip();
        reader.skip();
        assertThatThrownBy(reader::skip)
                .isInstanceOfSatisfying(
                        MalformedDataException.class,
                        e -> assertThat(e.offset()).isEqualTo(5));
    }

    @Test
    void endBeforeTheEnd() {
        assertThatThrownBy(() -> reader("00").end()).isInstanceOf(MalformedDataException.class);
        assertThatThrownBy(() -> reader("").end()).isInstanceOf(MalformedDataException.class);
        DagCborReader reader = reader("8200a1616101");
        reader.readArray();
        assertThatThrownBy(reader::end).isInstanceOf(MalformedDataException.class);
        reader.readLong();
        reader.readMap();
        reader.readText();
        assertThatThrownBy(reader::end).isInstanceOf(MalformedDataException.class);
        reader.readLong();
        reader.end();
    }

    @Test
    void readingPastTheEnd() {
        DagCborReader whole = reader("8100");
        whole.readArray();
        whole.readLong();
        assertThatThrownBy(whole::peek).isInstanceOf(MalformedDataException.class);
        assertThatThrownBy(whole::readLong).isInstanceOf(MalformedDataException.class);
        assertThatThrownBy(whole::skip).isInstanceOf(MalformedDataException.class);
        DagCborReader two = reader("810000");
        two.readArray();
        two.readLong();
        assertThatThrownBy(two::readLong)
                .isInstanceOfSatisfying(
                        MalformedDataException.class, e -> assertThat(e.rule()).contains("C1"));
    }

    @Test
    void rangesOfAnArray() {
        byte[] bytes = HexFormat.of().parseHex("ffff" + "82" + "6161" + "18ff" + "ffff");
        DagCborReader reader = new DagCborReader(bytes, 2, 7);
        assertThat(reader.position()).isEqualTo(2);
        assertThat(reader.readArray()).isEqualTo(2);
        assertThat(reader.readTextSpan()).isEqualTo(4);
        assertThat(reader.readLong()).isEqualTo(255);
        assertThat(reader.position()).isEqualTo(7);
        reader.end();
        DagCborReader cut = new DagCborReader(bytes, 2, 6);
        assertThatThrownBy(cut::skip)
                .isInstanceOfSatisfying(
                        MalformedDataException.class,
                        e -> assertThat(e.offset()).isEqualTo(6));
        DagCborReader longer = new DagCborReader(bytes, 2, 8);
        longer.skip();
        assertThatThrownBy(longer::end)
                .isInstanceOfSatisfying(
                        MalformedDataException.class,
                        e -> assertThat(e.offset()).isEqualTo(7));
        assertThatThrownBy(() -> new DagCborReader(bytes, 3, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new DagCborReader(bytes, 0, 10)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new DagCborReader(bytes, -1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** What lies behind the range does not count, although it is there. */
    @Test
    void lengthsAreWithinTheRange() {
        byte[] text = HexFormat.of().parseHex("63616263");
        byte[] array = HexFormat.of().parseHex("8201020304");
        byte[] link = HexFormat.of().parseHex(LINK);
        assertThatThrownBy(() -> new DagCborReader(text, 0, 3).readText()).isInstanceOf(MalformedDataException.class);
        assertThatThrownBy(() -> new DagCborReader(array, 0, 2).readArray()).isInstanceOf(MalformedDataException.class);
        assertThatThrownBy(() -> new DagCborReader(link, 0, link.length - 1).readLink())
                .isInstanceOf(MalformedDataException.class);
    }
}
