package dev.pail.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.KeyNotAllowedException;
import dev.pail.ipld.MalformedDataException;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The binary forms of the document "Key namespacing for simple key value databases". */
class ByteKeyCodecTest {
    private static final int TIMES = Randomness.times(8_000, 1_000_000);
    private static final int MOST_LEVELS = 5;

    static final List<ByteKeyCodec> CODECS = List.of(
            ByteKeyCodec.lengthPrefixed(1),
            ByteKeyCodec.lengthPrefixed(2),
            ByteKeyCodec.lengthPrefixed(3),
            ByteKeyCodec.lengthPrefixed(4),
            ByteKeyCodec.asciiHex());

    private static byte[] encode(ByteKeyCodec codec, String key, String... path) {
        return codec.encode(Arrays.stream(path).map(Name::of).toList(), Name.of(key));
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** "Naive approach": foo:bar and fo:obar are one key, and are two in each form here. */
    @Test
    void joinedNamesCollide() {
        assertThat(String.join("", "foo", "bar")).isEqualTo(String.join("", "fo", "obar"));
        for (ByteKeyCodec codec : CODECS) {
            assertThat(encode(codec, "bar", "foo")).isNotEqualTo(encode(codec, "obar", "fo"));
        }
    }

    /** "Length-prefixed keys": 2foobar and 3foobar. */
    @Test
    void lengthPrefixedKeys_N15() {
        assertThat(encode(ByteKeyCodec.lengthPrefixed(1), "obar", "fo")).isEqualTo(latin("\2foobar"));
        assertThat(encode(ByteKeyCodec.lengthPrefixed(1), "bar", "foo")).isEqualTo(latin("\3foobar"));
        assertThat(encode(ByteKeyCodec.lengthPrefixed(2), "bar", "foo")).isEqualTo(hex("0003 666f6f 626172"));
        assertThat(encode(ByteKeyCodec.lengthPrefixed(4), "", "")).isEqualTo(hex("00000000"));
    }

    /** "Length-prefixed keys": the range query "foo" <= x < "fop" has all keys within foo:, in order. */
    @Test
    void aRangeHasTheKeysOfItsNamespace() {
        ByteKeyCodec codec = ByteKeyCodec.lengthPrefixed(1);
        byte[] from = codec.prefix(List.of(Name.of("foo")));
        byte[] to = codec.prefix(List.of(Name.of("fop")));
        for (String key : new String[] {"", "\0", "bar", "~~~"}) {
            assertThat(Arrays.compareUnsigned(from, encode(codec, key, "foo"))).isNotPositive();
            assertThat(Arrays.compareUnsigned(encode(codec, key, "foo"), to)).isNegative();
        }
        assertThat(Arrays.compareUnsigned(encode(codec, "obar", "fo"), from)).isNegative();
    }

    /** "Nesting": the recursive definition and the iterative one give the same bytes. */
    @Test
    void nestingIsRecursion_N17() {
        Random random = Randomness.random("nestingIsRecursion");
        ByteKeyCodec codec = ByteKeyCodec.lengthPrefixed(2);
        for (int i = 0; i < 1000; i++) {
            NamespacedKey key = key(random);
            Name inner = key.key();
            for (int level = key.path().size() - 1; level >= 0; level--) {
                inner = Name.of(codec.encode(key.path().subList(level, level + 1), inner));
            }
            assertThat(codec.encode(key.path(), key.key())).isEqualTo(inner.bytes());
        }
    }

    /** "0x00 separated ASCIIHEX": the two keys in single characters. */
    @Test
    void asciihexKeys_N16() {
        ByteKeyCodec codec = ByteKeyCodec.asciiHex();
        assertThat(encode(codec, "obar", "fo"))
                .isEqualTo(new byte[] {'6', '6', '6', 'f', 0, '6', 'f', '6', '2', '6', '1', '7', '2'});
        assertThat(encode(codec, "bar", "foo"))
                .isEqualTo(new byte[] {'6', '6', '6', 'f', '6', 'f', 0, '6', '2', '6', '1', '7', '2'});
        assertThat(encode(codec, "bar", "fo", "foo")).isEqualTo(latin("666f\000666f6f\000626172"));
    }

    /** "0x00 separated ASCIIHEX": digits are 48 to 57 and 97 to 102, and asciihex keeps the order of bytes. */
    @Test
    void asciihexKeepsTheOrder() {
        for (int a = 0; a < 256; a++) {
            String text = KeyText.HEX.encode(new byte[] {(byte) a});
            assertThat(text).matches("[0-9a-f]{2}").isEqualTo(String.format("%02x", a));
            if (a > 0) {
                assertThat(text).isGreaterThan(KeyText.HEX.encode(new byte[] {(byte) (a - 1)}));
            }
        }
    }

    private static Name name(Random random) {
        byte[] bytes = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(random.nextInt(50) == 0 ? 255 : 4)];
        random.nextBytes(bytes);
        for (int i = 0; i < bytes.length; i++) {
            // Those that forms use, and the edges.
            bytes[i] = random.nextInt(3) == 0 ? bytes[i] : new byte[] {0, 1, 2, 'a', '0', -1}[random.nextInt(6)];
        }
        return Name.of(bytes);
    }

    private static NamespacedKey key(Random random) {
        List<Name> path = new ArrayList<>();
        for (int i = random.nextInt(MOST_LEVELS); i >= 0; i--) {
            path.add(name(random));
        }
        return new NamespacedKey(path, name(random));
    }

    /** Another key of as many levels, which shares names with the first. */
    private static NamespacedKey near(Random random, NamespacedKey other) {
        List<Name> path = new ArrayList<>(other.path());
        if (random.nextBoolean()) {
            path.set(random.nextInt(path.size()), name(random));
        }
        return new NamespacedKey(path, name(random));
    }

    /** The five properties, of which the length-prefixed form has all but the order of namespaces. */
    @ParameterizedTest
    @FieldSource("CODECS")
    void hasTheFiveProperties_N15_N16_N17(ByteKeyCodec codec) {
        Random random = Randomness.random("hasTheFiveProperties " + codec);
        List<Map<String, NamespacedKey>> seen = new ArrayList<>();
        for (int i = 0; i <= MOST_LEVELS; i++) {
            seen.add(new HashMap<>());
        }
        int disordered = 0;
        for (int i = 0; i < TIMES; i++) {
            NamespacedKey a = key(random);
            NamespacedKey b = near(random, a);
            byte[] aBytes = codec.encode(a.path(), a.key());
            byte[] bBytes = codec.encode(b.path(), b.key());
            int levels = a.path().size();
            check(
                    codec.decode(aBytes, levels).equals(a)
                            && codec.decode(bBytes, levels).equals(b),
                    a,
                    b);
            NamespacedKey same = seen.get(levels).put(new String(aBytes, StandardCharsets.ISO_8859_1), a);
            check(same == null || same.equals(a), a, same == null ? a : same);
            int order = Integer.signum(Arrays.compareUnsigned(aBytes, bBytes));
            check((order == 0) == a.equals(b), a, b);
            if (a.path().equals(b.path())) {
                check(order == Integer.signum(a.key().compareTo(b.key())), a, b);
            } else {
                int differing = 0;
                while (a.path().get(differing).equals(b.path().get(differing))) {
                    differing++;
                }
                int names = Integer.signum(
                        a.path().get(differing).compareTo(b.path().get(differing)));
                disordered += order == names ? 0 : 1;
                byte[] prefix = codec.prefix(a.path().subList(0, differing + 1));
                check(!startsWith(bBytes, prefix) && startsWith(aBytes, prefix), a, b);
            }
        }
        assertThat(disordered > 0).isEqualTo(!codec.properties().contains(KeyProperty.NAMESPACE_ORDER));
        assertThat(codec.properties())
                .contains(KeyProperty.ANY_BYTES, KeyProperty.COLLISION_FREE, KeyProperty.KEY_ORDER, KeyProperty.LEVELS);
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        return bytes.length >= prefix.length && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static void check(boolean kept, NamespacedKey a, NamespacedKey b) {
        if (!kept) {
            throw new AssertionError(a + ", " + b);
        }
    }

    @Test
    void namesAreAsLongAsTheirLengthCanSay_N15() {
        for (int width = 1; width <= 2; width++) {
            ByteKeyCodec codec = ByteKeyCodec.lengthPrefixed(width);
            int most = (1 << (8 * width)) - 1;
            List<Name> longest = List.of(Name.of(new byte[most]));
            Name key = Name.of(new byte[most + 10]);
            assertThat(codec.decode(codec.encode(longest, key), 1)).isEqualTo(new NamespacedKey(longest, key));
            assertThatExceptionOfType(KeyNotAllowedException.class)
                    .isThrownBy(() -> codec.encode(List.of(Name.of(new byte[most + 1])), key))
                    .withMessageContaining("(N15)");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> ByteKeyCodec.lengthPrefixed(5));
        assertThatIllegalArgumentException().isThrownBy(() -> ByteKeyCodec.lengthPrefixed(0));
    }

    @Test
    void foreignBytesAreNamed() {
        record Case(ByteKeyCodec codec, String hex, int levels, int index, String rule) {}
        for (Case each : Set.of(
                new Case(ByteKeyCodec.lengthPrefixed(1), "", 1, 0, "end within a length"),
                new Case(ByteKeyCodec.lengthPrefixed(2), "00", 1, 1, "end within a length"),
                new Case(ByteKeyCodec.lengthPrefixed(1), "0261", 1, 0, "longer than what follows"),
                new Case(ByteKeyCodec.lengthPrefixed(4), "ffffffff61", 1, 0, "longer than what follows"),
                new Case(ByteKeyCodec.lengthPrefixed(1), "0161", 2, 2, "end within a length"),
                new Case(ByteKeyCodec.asciiHex(), "3636", 1, 2, "no 0x00"),
                new Case(ByteKeyCodec.asciiHex(), "36363600", 1, 3, "within a byte"),
                new Case(ByteKeyCodec.asciiHex(), "3646003636", 1, 1, "digits"),
                new Case(ByteKeyCodec.asciiHex(), "363600ff36", 1, 3, "digits"))) {
            assertThatExceptionOfType(MalformedDataException.class)
                    .isThrownBy(() -> each.codec.decode(hex(each.hex), each.levels))
                    .withMessageContaining(each.rule)
                    .satisfies(e -> assertThat(e.offset()).isEqualTo(each.index))
                    .satisfies(e -> assertThat(e.source()).contains(each.hex));
        }
    }
}
