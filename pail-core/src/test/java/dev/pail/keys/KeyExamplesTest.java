package dev.pail.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.KeyNotAllowedException;
import dev.pail.ipld.MalformedDataException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases that are worth reading. */
class KeyExamplesTest {
    private static final KeyCodec HEX = KeyCodec.separatedHex('\0');
    private static final KeyCodec BANG = KeyCodec.delimited('!');

    private static String encode(KeyCodec codec, String key, String... path) {
        return codec.encode(Arrays.stream(path).map(Name::of).toList(), Name.of(key));
    }

    private static String joined(String separator, String namespace, String key) {
        return namespace + separator + key;
    }

    /** Why a codec is needed: two keys of two namespaces, and one text, with a separator that names may have or without. */
    @Test
    void namesJustJoinedCollide() {
        assertThat(joined("", "foo", "bar")).isEqualTo(joined("", "fo", "obar"));
        assertThat(joined(":", "a:b", "c")).isEqualTo(joined(":", "a", "b:c"));
        for (PlainCodec plain : PlainCodec.ALL) {
            assertThat(encode(plain.codec(), "bar", "foo")).isNotEqualTo(encode(plain.codec(), "obar", "fo"));
            assertThat(encode(plain.codec(), "c", "a:b")).isNotEqualTo(encode(plain.codec(), "b:c", "a"));
        }
    }

    @Test
    void lengthPrefixed_N4_N5() {
        KeyCodec codec = KeyCodec.lengthPrefixed();
        assertThat(encode(codec, "obar", "fo"))
                .isEqualTo("00000002cpng/dth62sg")
                .hasSize(8 + 4 + 1 + 7);
        assertThat(encode(codec, "bar", "foo")).isEqualTo("00000003cpnmu/c9gn4");
        assertThat(encode(codec, "bar", "fo", "foo")).isEqualTo("00000002cpng.00000003cpnmu/c9gn4");
        assertThat(encode(codec, "", "")).isEqualTo("00000000/");
    }

    @Test
    void separatedHex_N6_N7() {
        assertThat(encode(HEX, "obar", "fo")).isEqualTo("666f\0" + "6f626172");
        assertThat(encode(HEX, "bar", "foo")).isEqualTo("666f6f\0" + "626172");
        assertThat(encode(HEX, "bar", "fo", "foo")).isEqualTo("666f\0\0" + "666f6f\0" + "626172");
        assertThat(encode(HEX, "", "")).isEqualTo("\0");
        assertThat(encode(KeyCodec.separatedHex('!'), "bar", "foo")).isEqualTo("666f6f!626172");
    }

    private static List<String> sorted(char delimiter) {
        KeyCodec codec = KeyCodec.delimited(delimiter);
        return Stream.of("rod.vagg", "rod1977", "rod", "roderick")
                .map(user -> encode(codec, "theme", user))
                .sorted()
                .map(key -> codec.decode(key).path().get(0).toString())
                .toList();
    }

    /** Where a delimiter stands among the characters says how namespaces are sorted. */
    @Test
    void usersSortedByDelimiter() {
        assertThat(sorted(':')).containsExactly("rod.vagg", "rod1977", "rod", "roderick");
        assertThat(sorted('!')).containsExactly("rod", "rod.vagg", "rod1977", "roderick");
        assertThat(sorted('\0')).containsExactly("rod", "rod.vagg", "rod1977", "roderick");
        assertThat(sorted('~')).containsExactly("rod.vagg", "rod1977", "roderick", "rod");
        assertThat(sorted('\u00ff')).containsExactly("rod.vagg", "rod1977", "roderick", "rod");
    }

    /** A user who calls himself so would otherwise write the settings of another. */
    @Test
    void theDelimiterInANameIsRefused_N8_N9() {
        assertThat(encode(BANG, "theme", "rod", "settings")).isEqualTo("rod!!settings!theme");
        assertThatThrownBy(() -> encode(BANG, "theme", "rod!!settings"))
                .isInstanceOf(KeyNotAllowedException.class)
                .hasMessage("key not allowed: \"rod!!settings\": the delimiter \"!\" at index 3 (N9)");
        assertThatThrownBy(() -> encode(BANG, "!settings!theme", "rod"))
                .isInstanceOf(KeyNotAllowedException.class)
                .hasMessageContaining("the delimiter \"!\" at index 0");
        assertThat(encode(BANG, "théme", "rod")).isEqualTo("rod!théme");
    }

    @ParameterizedTest
    @CsvSource({
        "666f, 4, no \"\\u{0}\" behind a namespace (N7)",
        "readme, 0, '\"r\" is none of the digits 0-9a-f (N2)'",
        "66~6, 4, the text ends within a byte (N2)",
        "66~6F, 4, '\"F\" is none of the digits 0-9a-f (N2)'",
        "66~66~66, 5, '\"\\u{0}\" is none of the digits 0-9a-f (N2)'",
        "66~~66, 6, no \"\\u{0}\" behind a namespace (N7)",
    })
    void foreignToHex(String key, int index, String rule) {
        checkForeign(HEX, key.replace('~', '\0'), index, rule);
    }

    @ParameterizedTest
    @CsvSource({
        "rod, 3, no \"!\" behind a namespace (N7)",
        "rod!a!b, 5, \"!\" within a key (N9)",
        "rod!!a, 6, no \"!\" behind a namespace (N7)",
    })
    void foreignToDelimited(String key, int index, String rule) {
        checkForeign(BANG, key, index, rule);
    }

    @ParameterizedTest
    @CsvSource({
        "readme, 0, a length is eight digits 0-9a-f (N4)",
        "0000, 4, a length is eight digits 0-9a-f (N4)",
        "ffffffff00/, 0, the namespace is longer than what follows (N4)",
        "00000001co, 10, 'behind a namespace comes / and a key, or . and another namespace (N5)'",
        "00000001co!, 10, 'behind a namespace comes / and a key, or . and another namespace (N5)'",
        "00000001cz/, 9, '\"z\" is none of the digits 0-9a-v (N2)'",
        "00000001cp/, 9, the last digit has bits beyond the last byte (N2)",
        "00000001co/c, 12, the text ends within a byte (N2)",
    })
    void foreignToLengthPrefixed(String key, int index, String rule) {
        checkForeign(KeyCodec.lengthPrefixed(), key, index, rule);
    }

    private static void checkForeign(KeyCodec codec, String key, int index, String rule) {
        assertThatThrownBy(() -> codec.decode(key)).isInstanceOfSatisfying(MalformedDataException.class, e -> {
            assertThat(e.code()).isEqualTo("malformed-key");
            assertThat(e.offset()).isEqualTo(index);
            assertThat(e.rule()).isEqualTo(rule);
            assertThat(e.source()).contains(key);
        });
    }

    @Test
    void separatorsThatCannotBe() {
        for (char c : "059af\ud800\udfff".toCharArray()) {
            assertThatThrownBy(() -> KeyCodec.separatedHex(c)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> KeyCodec.delimited('\udc00')).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HEX.encode(List.of(), Name.of("a"))).isInstanceOf(IllegalArgumentException.class);
        assertThat(KeyCodec.separatedHex('!'))
                .isEqualTo(KeyCodec.separatedHex('!'))
                .isNotEqualTo(BANG)
                .isNotEqualTo(HEX);
    }

    @Test
    void namesAreBytesAndShown() {
        Name mixed = Name.of(new byte[] {'a', '\\', (byte) 0xff, 0, (byte) 0xc3, (byte) 0xa9, (byte) 0xc3});
        assertThat(mixed).hasToString("a\\\\\\xff\\u{0}é\\xc3");
        assertThat(mixed.text()).isEmpty();
        assertThat(Name.of("é").text()).contains("é");
        assertThat(Name.of("é"))
                .isEqualTo(Name.of(new byte[] {(byte) 0xc3, (byte) 0xa9}))
                .hasToString("é");
        assertThatThrownBy(() -> Name.of("a\ud800")).isInstanceOf(KeyNotAllowedException.class);
        byte[] bytes = {1};
        Name name = Name.of(bytes);
        bytes[0] = 2;
        name.bytes()[0] = 3;
        assertThat(name.bytes()).containsExactly(1);
    }
}
