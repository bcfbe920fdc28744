package dev.pail.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.testkit.Randomness;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of texts on their bytes, and texts to bytes and back. */
class Utf8Test {
    private static final int[] CODE_POINTS = {
        'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x10ffff
    };

    /** All texts of up to {@code length} of these code points. */
    private static List<String> texts(int length) {
        List<String> texts = new ArrayList<>(List.of(""));
        int from = 0;
        for (int n = 0; n < length; n++) {
            int to = texts.size();
            for (int i = from; i < to; i++) {
                for (int codePoint : CODE_POINTS) {
                    texts.add(texts.get(i) + Character.toString(codePoint));
                }
            }
            from = to;
        }
        return texts;
    }

    private static String random(Random random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            int codePoint =
                    random.nextInt(3) == 0 ? CODE_POINTS[random.nextInt(CODE_POINTS.length)] : random.nextInt(0x110000);
            text.appendCodePoint(Character.getType(codePoint) == Character.SURROGATE ? '?' : codePoint);
        }
        return text.toString();
    }

    private static void checkOrder(String a, String b, byte[] aBytes, byte[] bBytes) {
        int order = Utf8.compare(aBytes, 0, aBytes.length, bBytes, 0, bBytes.length);
        int heads =
                Long.compare(Utf8.leadingBytes(aBytes, 0, aBytes.length), Utf8.leadingBytes(bBytes, 0, bBytes.length));
        int different = Arrays.mismatch(aBytes, bBytes);
        boolean within = different >= 0 && different < Math.min(8, Math.min(aBytes.length, bBytes.length));
        if (heads != Integer.signum(order) && (heads != 0 || within)) {
            throw new AssertionError("the heads of '" + a + "' and '" + b + "': " + heads);
        }
        if (Integer.signum(order) != Integer.signum(a.compareTo(b))) {
            throw new AssertionError("'" + a + "' and '" + b + "': " + order);
        }
    }

    @Test
    void orderOfAllShortTexts() {
        List<String> texts = texts(3);
        List<byte[]> encoded = texts.stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
        for (int i = 0; i < texts.size(); i++) {
            for (int j = 0; j < texts.size(); j++) {
                checkOrder(texts.get(i), texts.get(j), encoded.get(i), encoded.get(j));
            }
        }
    }

    @Test
    void orderOfRandomTexts() {
        Random random = Randomness.random("Utf8Test.orderOfRandomTexts");
        for (int n = 0; n < 200_000; n++) {
            String common = random(random, random.nextInt(20));
            String a = common + random(random, random.nextInt(4));
            String b = common + random(random, random.nextInt(4));
            checkOrder(a, b, a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void orderOfRanges() {
        byte[] a = "xx\ud83d\ude00a".getBytes(StandardCharsets.UTF_8);
        byte[] b = "y\uff21\uff21".getBytes(StandardCharsets.UTF_8);
        assertThat(Utf8.compare(a, 2, 6, b, 1, 4)).isNegative();
        assertThat(Utf8.compare(b, 1, 4, a, 2, 6)).isPositive();
        assertThat(Utf8.compare(b, 1, 4, b, 4, 7)).isZero();
        assertThat(Utf8.compare(b, 1, 4, b, 1, 7)).isNegative();
        assertThat(Utf8.compare(b, 1, 1, b, 4, 4)).isZero();
        assertThat(Utf8.compare(b, 1, 7, b, 4, 7)).isPositive();
    }

    @Test
    void everyCodePoint() {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            String text = Character.toString(codePoint);
            if (Character.getType(codePoint) == Character.SURROGATE) {
                assertThatThrownBy(() -> Utf8.encode(text)).isInstanceOf(IllegalArgumentException.class);
                continue;
            }
            byte[] bytes = Utf8.encode(text);
            boolean right = Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8))
                    && Utf8.decode(bytes, 0, bytes.length).equals(text)
                    && Utf8.firstMalformed(bytes, 0, bytes.length) == -1
                    && Utf8.next(bytes, 0) == bytes.length
                    && Utf8.loneSurrogate(text) == -1;
            if (!right) {
                throw new AssertionError(Integer.toHexString(codePoint));
            }
        }
    }

    @Test
    void randomTextsThereAndBack() {
        Random random = Randomness.random("Utf8Test.randomTextsThereAndBack");
        for (int n = 0; n < 50_000; n++) {
            String text = random(random, random.nextInt(30));
            byte[] bytes = Utf8.encode(text);
            assertThat(bytes).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
            byte[] around = new byte[bytes.length + 2];
            around[0] = (byte) 0xff;
            around[bytes.length + 1] = (byte) 0x80;
            System.arraycopy(bytes, 0, around, 1, bytes.length);
            assertThat(Utf8.decode(around, 1, bytes.length + 1)).isEqualTo(text);
            assertThat(Utf8.firstMalformed(around, 1, bytes.length + 1)).isEqualTo(-1);
        }
    }

    /** Question marks are what Java has in the place of what it cannot encode. */
    @Test
    void asTheEncoderThatRefuses() {
        Random random = Randomness.random("Utf8Test.asTheEncoderThatRefuses");
        String some = "aaaaaaaaz~@>?\u00e4\uffff";
        for (int n = 0; n < 100_000; n++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(40); i > 0; i--) {
                text.append(some.charAt(random.nextInt(some.length())));
            }
            if (random.nextBoolean()) {
                text.insert(random.nextInt(text.length() + 1), (char) (0xd800 + random.nextInt(0x800)));
            }
            ByteBuffer expected;
            try {
                expected = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            } catch (CharacterCodingException e) {
                assertThatThrownBy(() -> Utf8.encode(text.toString()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("index " + firstLone(text.toString()));
                continue;
            }
            assertThat(ByteBuffer.wrap(Utf8.encode(text.toString()))).isEqualTo(expected);
        }
    }

    /** U+FFFD is what Java has in the place of what it cannot decode, and is a code point like others. */
    @Test
    void asTheDecoderThatRefuses() {
        Random random = Randomness.random("Utf8Test.asTheDecoderThatRefuses");
        int refused = 0;
        for (int n = 0; n < 200_000; n++) {
            byte[] bytes = random(random, random.nextInt(10)).getBytes(StandardCharsets.UTF_8);
            for (int i = random.nextInt(3); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(0x100);
            }
            int from = random.nextInt(bytes.length + 1);
            int to = from + random.nextInt(bytes.length - from + 1);
            String expected;
            try {
                expected = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes, from, to - from))
                        .toString();
            } catch (CharacterCodingException e) {
                refused++;
                assertThatThrownBy(() -> Utf8.decode(bytes, from, to)).isInstanceOf(IllegalArgumentException.class);
                assertThat(Utf8.firstMalformed(bytes, from, to)).isNotEqualTo(-1);
                continue;
            }
            assertThat(Utf8.decode(bytes, from, to)).isEqualTo(expected);
            assertThat(Utf8.firstMalformed(bytes, from, to)).isEqualTo(-1);
        }
        assertThat(refused).isBetween(20_000, 180_000);
    }

    @ParameterizedTest
    @ValueSource(chars = {'\ud800', '\udbff', '\udc00', '\udfff'})
    void loneSurrogatesAnywhere(char lone) {
        for (String around : texts(2)) {
            for (int at = 0; at <= around.length(); at++) {
                String text = around.substring(0, at) + lone + around.substring(at);
                int index = firstLone(text);
                assertThat(Utf8.loneSurrogate(text)).isEqualTo(index);
                if (index >= 0) {
                    assertThatThrownBy(() -> Utf8.encode(text)).isInstanceOf(IllegalArgumentException.class);
                }
            }
        }
    }

    /** As code points, the halves that have no other half are what is left of the surrogates. */
    private static int firstLone(String text) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            if (Character.getType(text.codePointAt(i)) == Character.SURROGATE) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void decodeRefusesWhatIsMalformed() {
        byte[] bytes = {'a', (byte) 0xc3, (byte) 0xbc, 'b'};
        assertThat(Utf8.decode(bytes, 0, 4)).isEqualTo("a\u00fcb");
        assertThatThrownBy(() -> Utf8.decode(bytes, 0, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Utf8.decode(bytes, 2, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Utf8.firstMalformed(bytes, 0, 2)).isEqualTo(1);
        assertThat(Utf8.firstMalformed(bytes, 2, 4)).isEqualTo(2);
        assertThat(Utf8.firstMalformed(bytes, 3, 3)).isEqualTo(-1);
    }
}
