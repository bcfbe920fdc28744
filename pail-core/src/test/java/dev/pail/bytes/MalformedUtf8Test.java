package dev.pail.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Corpora;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Where UTF-8 is malformed, as the decoder of the JDK sees it and as the utf8tests say. */
class MalformedUtf8Test {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final CharBuffer chars = CharBuffer.allocate(64);
    private int malformed;

    /** Compares a range of up to 60 bytes with the decoder. */
    private void check(byte[] bytes, int from, int to) {
        ByteBuffer in = ByteBuffer.wrap(bytes, from, to - from);
        decoder.reset();
        chars.clear();
        int expected = decoder.decode(in, chars, true).isError() ? in.position() : -1;
        if (Utf8.firstMalformed(bytes, from, to) != expected) {
            throw new AssertionError(HexFormat.of().formatHex(bytes, from, to) + ", expected " + expected);
        }
        malformed += expected >= 0 ? 1 : 0;
    }

    @Test
    void allPairs() {
        for (int pair = 0; pair < 0x10000; pair++) {
            check(new byte[] {(byte) (pair >> 8), (byte) pair}, 0, 2);
            check(new byte[] {'a', (byte) (pair >> 8), (byte) pair, 'b'}, 1, 3);
        }
        // All but two of ASCII, or one of the code points from U+0080 to U+07FF.
        assertThat(malformed).isEqualTo(2 * (0x10000 - 128 * 128 - 1920));
    }

    @Test
    void allTriplesBeyondAscii() {
        byte[] bytes = new byte[3];
        for (int triple = 0x800000; triple < 0x1000000; triple++) {
            bytes[0] = (byte) (triple >> 16);
            bytes[1] = (byte) (triple >> 8);
            bytes[2] = (byte) triple;
            check(bytes, 0, 3);
        }
        // All but a code point from U+0800 to U+FFFF, or one from U+0080 to U+07FF and one of ASCII.
        assertThat(malformed).isEqualTo(0x800000 - (0xf800 - 0x800) - 1920 * 128);
    }

    /** Four bytes. The second to fourth are often at a limit of the range of continuation bytes. */
    @Test
    void randomQuadruples() {
        Random random = Randomness.random("MalformedUtf8Test.randomQuadruples");
        int[] edges = {0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0};
        byte[] bytes = new byte[4];
        for (int n = 0; n < 2_000_000; n++) {
            random.nextBytes(bytes);
            bytes[0] = (byte) (0xec + random.nextInt(12));
            for (int i = 1; i < 4; i++) {
                if (random.nextInt(3) > 0) {
                    bytes[i] = (byte) edges[random.nextInt(edges.length)];
                }
            }
            check(bytes, 0, 4);
        }
        assertThat(malformed).isLessThan(2_000_000);
    }

    @Test
    void longerOnesWithOneByteChanged() {
        Random random = Randomness.random("MalformedUtf8Test.longerOnesWithOneByteChanged");
        byte[] text = "plain \u00fc\u07ff\u0800\ud7ff\ue000\uffff\ud800\udc00\udbff\udfff end"
                .getBytes(StandardCharsets.UTF_8);
        for (int n = 0; n < 200_000; n++) {
            byte[] changed = text.clone();
            changed[random.nextInt(text.length)] = (byte) random.nextInt(256);
            check(changed, 0, changed.length - random.nextInt(20));
        }
        assertThat(malformed).isPositive();
    }

    /** Lines are {@code number:valid:text}, {@code number:valid hex:bytes} or {@code number:invalid hex:bytes:...}. */
    @Test
    void utf8tests() throws IOException {
        int valid = 0;
        int invalid = 0;
        for (String line : Files.readAllLines(Corpora.find("utf8tests/utf8tests.txt"))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split(":", 4);
            String kind = parts[1].strip();
            byte[] bytes = kind.endsWith("hex")
                    ? HexFormat.of().parseHex(parts[2].replace(" ", ""))
                    : parts[2].getBytes(StandardCharsets.US_ASCII);
            int index = Utf8.firstMalformed(bytes, 0, bytes.length);
            if (kind.startsWith("valid")) {
                assertThat(index).as(line).isEqualTo(-1);
                assertThat(Utf8.encode(Utf8.decode(bytes, 0, bytes.length)))
                        .as(line)
                        .isEqualTo(bytes);
                valid++;
            } else {
                assertThat(kind).isEqualTo("invalid hex");
                assertThat(index).as(line).isNotNegative();
                check(bytes, 0, bytes.length);
                invalid++;
            }
        }
        assertThat(valid).isPositive();
        assertThat(invalid).isPositive();
    }
}
