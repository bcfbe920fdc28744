package dev.pail.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ipld.MalformedDataException;
import dev.pail.testkit.Randomness;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes as text: there and back, in order, and no other text. */
class KeyTextTest {
    private static final int TIMES = 200_000;

    private static int bits(KeyText form) {
        return form == KeyText.HEX ? 4 : 5;
    }

    /** As one large number, with zero bits behind it to fill the last digit. */
    private static String plain(KeyText form, byte[] bytes) {
        int bits = bits(form);
        int digits = (bytes.length * 8 + bits - 1) / bits;
        BigInteger number = new BigInteger(1, bytes).shiftLeft(digits * bits - bytes.length * 8);
        StringBuilder text = new StringBuilder();
        for (int i = digits - 1; i >= 0; i--) {
            int digit = number.shiftRight(i * bits).intValue() & ((1 << bits) - 1);
            text.append(Character.forDigit(digit, 32));
        }
        return text.toString();
    }

    static byte[] random(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Other bytes that are near: longer, shorter, or changed in one place. */
    private static byte[] near(Random random, byte[] bytes) {
        byte[] near = Arrays.copyOf(bytes, Math.max(0, bytes.length + random.nextInt(5) - 2));
        if (near.length > 0 && random.nextBoolean()) {
            near[random.nextInt(near.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return near;
    }

    @ParameterizedTest
    @EnumSource
    void thereAndBackInOrder_N1(KeyText form) {
        Random random = new Random(Randomness.seed("KeyTextTest.thereAndBackInOrder"));
        int prefixes = 0;
        for (int n = 0; n < TIMES; n++) {
            byte[] a = random(random, n % 1_000 == 0 ? 10_000 : 24);
            byte[] b = n % 3 == 0 ? random(random, 24) : near(random, a);
            String text = form.encode(a);
            assertThat(form.decode(text)).isEqualTo(a);
            assertThat((long) text.length()).isEqualTo(form.length(a.length));
            if (Integer.signum(text.compareTo(form.encode(b))) != Integer.signum(Arrays.compareUnsigned(a, b))) {
                throw new AssertionError(form + ": " + plain(form, a) + " and " + plain(form, b));
            }
            int different = Arrays.mismatch(a, b);
            prefixes += different == a.length || different == b.length ? 1 : 0;
            if (a.length < 100) {
                assertThat(text).isEqualTo(plain(form, a));
            }
        }
        assertThat(prefixes).isGreaterThan(TIMES / 20);
    }

    @ParameterizedTest
    @EnumSource
    void orderOfAllShortBytes(KeyText form) {
        String last = null;
        for (int a = -1; a < 256; a++) {
            for (int b = a < 0 ? 255 : -1; b < 256; b++) {
                byte[] bytes = a < 0 ? new byte[0] : b < 0 ? new byte[] {(byte) a} : new byte[] {(byte) a, (byte) b};
                String text = form.encode(bytes);
                assertThat(last == null || last.compareTo(text) < 0).as(text).isTrue();
                last = text;
            }
        }
    }

    /** Every accepted text is the one that would be written, among all short texts of digits and their neighbours. */
    @ParameterizedTest
    @EnumSource
    void noOtherTextIsRead_N2(KeyText form) {
        Random random = new Random(Randomness.seed("KeyTextTest.noOtherTextIsRead"));
        String characters = "0123456789abcdefghijklmnopqrstuv/:`wAFV =\u0000\u007f\u0080\u0130\u0660\uff10\ud83d\ude00";
        int read = 0;
        for (int n = 0; n < TIMES; n++) {
            int most = n % 2 == 0 ? characters.length() : 1 << bits(form);
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(9); i > 0; i--) {
                text.append(characters.charAt(random.nextInt(most)));
            }
            try {
                byte[] bytes = form.decode(text.toString());
                assertThat(form.encode(bytes)).isEqualTo(text.toString());
                read++;
            } catch (MalformedDataException e) {
                assertThat(e.source()).contains(text.toString());
                assertThat(e.offset()).isBetween(0L, (long) text.length());
                checkNamed(form, e);
            }
        }
        assertThat(read).isBetween(TIMES / 20, TIMES * 3 / 4);
    }

    /** What stands before the named index is fine, and what stands there is not. */
    private static void checkNamed(KeyText form, MalformedDataException e) {
        String digits = "0123456789abcdefghijklmnopqrstuv".substring(0, 1 << bits(form));
        String text = e.source().orElseThrow();
        int at = Math.toIntExact(e.offset());
        String before = text.substring(0, at);
        assertThat(before).matches("[" + digits + "]*");
        if (at < text.length()) {
            char c = text.charAt(at);
            assertThat(digits.indexOf(c) < 0 || (at == text.length() - 1 && c != '0'))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HEX, 6, 1, the text ends within a byte",
        "HEX, 6g, 1, '\"g\" is none of the digits 0-9a-f'",
        "HEX, 6F, 1, '\"F\" is none of the digits 0-9a-f'",
        "BASE32HEX, 0, 1, the text ends within a byte",
        "BASE32HEX, 000, 3, the text ends within a byte",
        "BASE32HEX, 000000, 6, the text ends within a byte",
        "BASE32HEX, 01, 1, the last digit has bits beyond the last byte",
        "BASE32HEX, cpnmuog=, 7, '\"=\" is none of the digits 0-9a-v'",
        "BASE32HEX, CPNMUOG, 0, '\"C\" is none of the digits 0-9a-v'",
    })
    void refusalsNameWhatIsWrong(KeyText form, String text, int index, String rule) {
        assertThatThrownBy(() -> form.decode(text))
                .isInstanceOfSatisfying(
                        MalformedDataException.class,
                        e -> assertThat(e.offset()).isEqualTo(index))
                .hasMessage("malformed key: \"" + text + "\": " + rule + " (N2) (at offset " + index + ")");
    }

    /** The test vectors of RFC 4648, in small letters and without padding. */
    @Test
    void knownTexts() {
        byte[] foobar = {'f', 'o', 'o', 'b', 'a', 'r'};
        String[] base32hex = {"", "co", "cpng", "cpnmu", "cpnmuog", "cpnmuoj1", "cpnmuoj1e8"};
        for (int i = 0; i <= foobar.length; i++) {
            assertThat(KeyText.BASE32HEX.encode(Arrays.copyOf(foobar, i))).isEqualTo(base32hex[i]);
            assertThat(KeyText.HEX.encode(Arrays.copyOf(foobar, i))).isEqualTo("666f6f626172".substring(0, 2 * i));
        }
        assertThat(KeyText.HEX.encode(new byte[] {0, (byte) 0xff})).isEqualTo("00ff");
    }
}
