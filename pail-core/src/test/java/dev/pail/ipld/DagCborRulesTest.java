package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules C1 to C8: which one the reader finds broken, and where. */
class DagCborRulesTest {
    @ParameterizedTest
    @CsvSource({"0000, C1, 1", "8000, C1, 1", "81000000, C1, 2", "a000, C1, 1", "820102820103830101, C1, 3"})
    void oneItem_C1(String hex, String rule, int offset) {
        check(hex, rule, offset);
    }

    @ParameterizedTest
    @CsvSource({
        "1817, C2, 0",
        "190018, C2, 0",
        "1900ff, C2, 0",
        "1a0000ffff, C2, 0",
        "1b00000000ffffffff, C2, 0",
        "8201380a, C2, 2",
        "580141, C2, 0",
        "780161, C2, 0",
        "9800, C2, 0",
        "b800, C2, 0",
        "d9002a4100, C2, 0",
        "1c, C2, 0",
        "5d, C2, 0",
        "9e, C2, 0",
        "d82a580100, C2, 2"
    })
    void shortestForms_C2(String hex, String rule, int offset) {
        check(hex, rule, offset);
    }

    @ParameterizedTest
    @CsvSource({
        "5f4100ff, C3, 0",
        "7f6161ff, C3, 0",
        "819f00ff, C3, 1",
        "bfff, C3, 0",
        "1f, C3, 0",
        "df00, C3, 0",
        "d82a5f4100ff, C3, 2"
    })
    void definiteLengths_C3(String hex, String rule, int offset) {
        check(hex, rule, offset);
    }

    @ParameterizedTest
    @CsvSource({
        "62c328, C4, 1",
        "6361eda0, C4, 2",
        "6561eda08062, C4, 2",
        "63c080ff, C4, 1",
        "82006461616180, C4, 6",
        "a161ff00, C4, 2"
    })
    void wellFormedText_C4(String hex, String rule, int offset) {
        check(hex, rule, offset);
    }

    @ParameterizedTest
    @CsvSource({
        "a10000, C5, 1",
        "a1410000, C5, 1",
        "a1800000, C5, 1",
        "a1a00000, C5, 1",
        "a1f600, C5, 1",
        "a2616201616102, C5, 5",
        "a2616101616102, C5, 5",
        "a262616101616202, C5, 6",
        "a3616101616202616103, C5, 8",
        "82a1616101a261620161610a, C5, 10"
    })
    void keysOfMaps_C5(String hex, String rule, int offset) {
        check(hex, rule, offset);
    }

    @ParameterizedTest
    @CsvSource({
        "c24101, C6, 0",
        "d82b4100, C6, 0",
        "d9d9f700, C6, 0",
        "d82a00, C6, 2",
        "d82a6100, C6, 2",
        "d82ad82a4100, C6, 2",
        "d82a40, C6, 3",
        "d82a4101, C6, 3",
        "d82a4100, varint, 4"
    })
    void linksOnly_C6(String hex, String rule, int offset) {
        check(hex, rule, offset);
    }

    @ParameterizedTest
    @CsvSource({
        "f7, C7, 0",
        "e0, C7, 0",
        "f3, C7, 0",
        "f820, C7, 0",
        "f814, C7, 0",
        "f93c00, C7, 0",
        "fa3f800000, C7, 0",
        "fb8000000000000000, C7, 0",
        "fb7ff8000000000000, C7, 0",
        "fb7ff0000000000000, C7, 0",
        "fbfff0000000000000, C7, 0",
        "fbfff8000000000001, C7, 0",
        "ff, C7, 0",
        "fc, C7, 0",
        "81ff, C7, 1"
    })
    void simpleValues_C7(String hex, String rule, int offset) {
        check(hex, rule, offset);
    }

    @ParameterizedTest
    @CsvSource({
        "'', C8, 0",
        "81, C8, 0",
        "a16161, C8, 3",
        "41, C8, 0",
        "6261, C8, 0",
        "18, C8, 1",
        "1a000000, C8, 1",
        "fb00000000000000, C8, 1",
        "82018202, C8, 2",
        "83018200, C8, 2"
    })
    void withinTheBytes_C8(String hex, String rule, int offset) {
        check(hex, rule, offset);
    }

    private static void check(String hex, String rule, int offset) {
        MalformedDataException refusal = Refusals.ofDagCbor(HexFormat.of().parseHex(hex));
        assertThat(refusal.rule()).contains(rule);
        assertThat(refusal.offset()).isEqualTo(offset);
        assertThat(refusal).hasMessage(refusal.rule() + " (at offset " + offset + ")");
    }

    /** Shorter keys first, then by unsigned bytes; each map for itself. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a3" + "616101" + "616202" + "626161f6",
                "a2" + "6001" + "616102",
                "a2" + "617a01" + "62c3bc02",
                "a2" + "617a01" + "62616102",
                "a2" + "627a7a01" + "62c3bc02",
                "a2" + "63efbfbf01" + "64f090808002",
                "82" + "a1616201" + "a1616101",
                "a2" + "6162a1617a01" + "6163a1616100"
            })
    void mapsInOrder_C5(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        Transcoder.check(bytes);
        assertThat(Transcoder.transcode(bytes)).isEqualTo(bytes);
    }
}
