package dev.pail.table.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LowerCaseTest {
    /** The Java release with Unicode 13. */
    private static final int RELEASE = 17;

    @ParameterizedTest
    @CsvSource({
        "Oslo, oslo",
        "ÅRHUS, århus",
        "ΟΔΟΣ, οδοσ",
        "İI, ii",
        "ẞß, ßß",
        "ЁЖ, ёж",
        "\uA7C0, \uA7C0",
        "😀A, 😀a",
        "\uD801\uDC00, \uD801\uDC28",
        "Ǆǅǆ, ǆǆǆ",
        "ſ, ſ"
    })
    void textsAreMappedCharacterByCharacter_T19(String text, String lower) {
        assertThat(LowerCase.of(text)).isEqualTo(lower);
        assertThat(LowerCase.of(lower)).isEqualTo(lower);
    }

    @Test
    void otherCharactersStay_T19() {
        assertThat(LowerCase.of("")).isEmpty();
        assertThat(LowerCase.of("a\uD801B\uDC00")).isEqualTo("a\uD801b\uDC00");
        assertThat(LowerCase.of("@[`{")).isEqualTo("@[`{");
    }

    /** The characters and their lower case, one pair a line, as a digest: the same with each Java. */
    @Test
    void mappingsAreThoseOfUnicode13_T19() {
        StringBuilder lines = new StringBuilder();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            int lower = LowerCase.of(c);
            if (lower != c) {
                lines.append(Integer.toHexString(c))
                        .append(' ')
                        .append(Integer.toHexString(lower))
                        .append('\n');
            }
            if (Runtime.version().feature() == RELEASE) {
                assertThat(lower).as(Integer.toHexString(c)).isEqualTo(Character.toLowerCase(c));
            }
        }
        assertThat(Block.of(Cid.RAW, Utf8.encode(lines.toString())).cid())
                .hasToString("bafkreigx2qhscblvam44amwwciajqowjhdnbyzchkfq6bqfedya5s22su4");
    }
}
