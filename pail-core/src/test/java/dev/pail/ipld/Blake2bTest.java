package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.CorruptBlockException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** What is expected was computed with hashlib of Python. */
class Blake2bTest {
    private static String digest(String text) {
        return HexFormat.of().formatHex(Blake2b.digest256(text.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void digestsOfShortTexts() {
        assertThat(digest("")).isEqualTo("0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
        assertThat(digest("abc")).isEqualTo("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
    }

    /** Chunks have 128 bytes: the edges are at 128, 256 and 384. */
    @Test
    void everyLengthToBeyondTheThirdChunk() throws NoSuchAlgorithmException {
        MessageDigest all = MessageDigest.getInstance("SHA-256");
        for (int length = 0; length < 400; length++) {
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) (i * 7 + length);
            }
            all.update(Blake2b.digest256(bytes));
        }
        assertThat(HexFormat.of().formatHex(all.digest()))
                .isEqualTo("fd72eda5ff202fb39f01c5889582c5cd5b6b73e38510545982592fc918e70a9b");
    }

    @Test
    void itVouchesForABlock() {
        byte[] bytes = {'a', 'b', 'c'};
        Cid cid = Cid.fromBytes(HexFormat.of().parseHex("0155a0e40220" + digest("abc")));
        assertThat(Block.verified(cid, bytes).bytes()).isEqualTo(bytes);
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> Block.verified(cid, new byte[] {'a', 'b', 'd'}));
    }
}
