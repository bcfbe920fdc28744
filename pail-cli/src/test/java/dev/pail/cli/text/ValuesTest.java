package dev.pail.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.testkit.Randomness;
import java.math.BigInteger;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A text that does not begin as a CID is not parsed as one, and the parser would refuse it. */
class ValuesTest {
    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

    private static @Nullable Cid parsed(String text) {
        try {
            return Cid.parse(text);
        } catch (MalformedDataException e) {
            return null;
        }
    }

    private static List<String> inAllBases(byte[] bytes) {
        int digits = (bytes.length * 8 + 4) / 5;
        String hex32 = new BigInteger(1, bytes)
                .shiftLeft(digits * 5 - bytes.length * 8)
                .toString(32);
        hex32 = "0".repeat(digits - hex32.length()) + hex32;
        StringBuilder base32 = new StringBuilder();
        hex32.chars().forEach(digit -> base32.append(BASE32.charAt(Character.digit(digit, 32))));
        String padding = "=".repeat((8 - digits % 8) % 8);
        String hex = HexFormat.of().formatHex(bytes);
        return List.of(
                "f" + hex,
                "F" + hex.toUpperCase(Locale.ROOT),
                "b" + base32,
                "B" + base32.toString().toUpperCase(Locale.ROOT),
                "c" + base32 + padding,
                "C" + base32.toString().toUpperCase(Locale.ROOT) + padding,
                "v" + hex32,
                "V" + hex32.toUpperCase(Locale.ROOT),
                "t" + hex32 + padding,
                "T" + hex32.toUpperCase(Locale.ROOT) + padding,
                "m" + Base64.getEncoder().withoutPadding().encodeToString(bytes),
                "M" + Base64.getEncoder().encodeToString(bytes),
                "u" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
                "U" + Base64.getUrlEncoder().encodeToString(bytes));
    }

    @Test
    void cidsInAllBases() {
        Random random = Randomness.random("ValuesTest.cidsInAllBases");
        for (int n = 0; n < 200; n++) {
            byte[] digest = new byte[random.nextInt(40)];
            random.nextBytes(digest);
            Cid cid = Cid.ofIdentity(random.nextInt(1 << 20), digest);
            for (String text : inAllBases(cid.toBytes())) {
                assertThat(parsed(text)).as(text).isEqualTo(cid);
                assertThat(Values.cid(text)).as(text).isEqualTo(cid);
                assertThat(Values.looksLikeCid(text)).as(text).isTrue();
            }
        }
    }

    @Test
    void otherTexts() {
        Random random = Randomness.random("ValuesTest.otherTexts");
        String characters = "abcfktuvzBCFKMQTUVZAmé0127 /.:=+";
        for (int n = 0; n < 20_000; n++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) {
                text.append(characters.charAt(random.nextInt(characters.length())));
            }
            assertThat(Values.cid(text.toString())).as("%s", text).isEqualTo(parsed(text.toString()));
        }
    }
}
