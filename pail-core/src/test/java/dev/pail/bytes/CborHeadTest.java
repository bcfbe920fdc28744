package dev.pail.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Heads where their length changes. */
class CborHeadTest {
    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "1, 01",
        "23, 17",
        "24, 1818",
        "127, 187f",
        "128, 1880",
        "255, 18ff",
        "256, 190100",
        "32768, 198000",
        "65535, 19ffff",
        "65536, 1a00010000",
        "2147483648, 1a80000000",
        "4294967295, 1affffffff",
        "4294967296, 1b0000000100000000",
        "9223372036854775807, 1b7fffffffffffffff",
        "-9223372036854775808, 1b8000000000000000",
        "-1, 1bffffffffffffffff"
    })
    void heads(long argument, String hex) {
        byte[] expected = HexFormat.of().parseHex(hex);
        assertThat(CborHead.length(argument)).isEqualTo(expected.length);
        for (int major = CborHead.UNSIGNED; major <= CborHead.TAG; major++) {
            byte[] out = new byte[20];
            Arrays.fill(out, (byte) 0xee);
            byte[] around = out.clone();
            assertThat(CborHead.write(out, 7, major, argument)).isEqualTo(7 + expected.length);
            System.arraycopy(expected, 0, around, 7, expected.length);
            around[7] |= (byte) (major << 5);
            assertThat(out).isEqualTo(around);
        }
    }

    @Test
    void linkTag() {
        byte[] out = new byte[2];
        CborHead.write(out, 0, CborHead.TAG, CborHead.LINK_TAG);
        assertThat(out).containsExactly(0xd8, 0x2a);
    }
}
