package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Text that is no CID is refused, and the refusal says where. */
class CidTextLimitsTest {
    /** Of the characters that are nowhere a digit, the short form tries some. */
    private static final int STRIDE = Randomness.times(16, 1);

    private static final byte[] V1 = Cids.v1(Cid.DAG_CBOR, Cid.SHA2_256, 32);

    @Test
    void shortTexts() {
        Refusals.ofCid("");
        Set<String> known = new HashSet<>();
        TextBases.ENCODERS
                .values()
                .forEach(encoder -> known.add(encoder.apply(V1).substring(0, 1)));
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            String character = Character.toString((char) c);
            Refusals.ofCid(character);
            if (!known.contains(character)) {
                Refusals.ofCid(
                        character + TextBases.ENCODERS.get("base32").apply(V1).substring(1));
            }
        }
        for (String prefix : known) {
            for (char c = ' '; c < 0x7f; c++) {
                Refusals.ofCid(prefix + c);
            }
        }
    }

    @Test
    void longTexts() {
        for (String base : TextBases.ENCODERS.keySet()) {
            String prefix = TextBases.ENCODERS.get(base).apply(V1).substring(0, 1);
            for (String digit : List.of("1", "0", "a", "A", "Z", "=")) {
                Refusals.ofCid(prefix + digit.repeat(Cid.MAX_TEXT - 1));
                MalformedDataException refusal = Refusals.ofCid(prefix + digit.repeat(Cid.MAX_TEXT));
                assertThat(refusal).hasMessageContaining("4096");
            }
        }
        Refusals.ofCid("b".repeat(10_000_000));
    }

    /** Among them the Kelvin sign, which is a small k in lower case, and digits of other scripts. */
    @Test
    void noCharacterBeyondAsciiIsADigit() {
        for (Map.Entry<String, Function<byte[], String>> base : TextBases.ENCODERS.entrySet()) {
            boolean all = List.of("base2", "base16", "base32", "base36", "base58btc", "base64url")
                    .contains(base.getKey());
            String text = base.getValue().apply(V1);
            for (char c = 0x80; c < Character.MAX_VALUE; c++) {
                if ((all && c % STRIDE == 0) || isSuspect(c)) {
                    Refusals.ofCid(text.substring(0, 7) + c + text.substring(8));
                }
                if (isSuspect(c)) {
                    Refusals.ofCid(text.charAt(0) + (c + text.substring(2)));
                    Refusals.ofCid(text.substring(0, text.length() - 1) + c);
                }
            }
        }
    }

    /** Whether it is a digit somewhere, or has another case that is longer or in ASCII. */
    private static boolean isSuspect(char c) {
        String lower = Character.toString(c).toLowerCase(Locale.ROOT);
        String upper = Character.toString(c).toUpperCase(Locale.ROOT);
        return Character.digit(c, 36) >= 0
                || lower.length() != 1
                || upper.length() != 1
                || lower.charAt(0) < 0x80
                || upper.charAt(0) < 0x80;
    }

    /** A letter whose other case is beyond ASCII stands for nothing, even where the text has its partner. */
    @Test
    void kelvinSignIsNoLetter() {
        Random random = new Random(Randomness.seed("CidTextLimitsTest.kelvinSignIsNoLetter"));
        for (String base : List.of("base32", "base32upper", "base32pad", "base32hex", "base36", "base36upper")) {
            int replaced = 0;
            while (replaced < 20) {
                byte[] digest = new byte[32];
                random.nextBytes(digest);
                String text = TextBases.ENCODERS.get(base).apply(Cids.v1(Cid.RAW, Cid.SHA2_256, digest));
                int at = Math.max(text.indexOf('k', 1), text.indexOf('K', 1));
                if (at > 0) {
                    Refusals.ofCid(text.substring(0, at) + '\u212a' + text.substring(at + 1));
                    replaced++;
                }
            }
        }
    }

    @Test
    void surroundingsAreNotIgnored() {
        for (Function<byte[], String> encoder : TextBases.ENCODERS.values()) {
            String text = encoder.apply(V1);
            for (String space : List.of(" ", "\n", "\t", "\0", "=", "====", "========", "/", "\u00a0", "\ufeff")) {
                Refusals.ofCid(space + text);
                Refusals.ofCid(text + space);
                Refusals.ofCid(text.substring(0, 9) + space + text.substring(9));
            }
            Refusals.ofCid(text.substring(0, text.length() - 1));
        }
    }

    @Test
    void theOffsetIsThatOfTheCharacter() {
        List<String> texts = new ArrayList<>();
        TextBases.ENCODERS.values().forEach(encoder -> texts.add(encoder.apply(V1)));
        texts.add("QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG");
        for (String text : texts) {
            int digits = text.replace("=", "").length();
            // Of version 0, the first two characters tell that it is that.
            for (int i = 2; i < digits; i++) {
                for (char c : new char[] {'!', '\u00e9'}) {
                    String changed = text.substring(0, i) + c + text.substring(i + 1);
                    assertThat(Refusals.ofCid(changed).offset()).as(changed).isEqualTo(i);
                }
            }
        }
    }

    /** What is wrong is not a character of these. */
    @Test
    void theOffsetOfBytesThatBreakARuleIsTheBeginning() {
        byte[] whole = Cids.v1(Cid.RAW, Cid.SHA2_256, 32);
        byte[] short32 = Arrays.copyOf(whole, whole.length - 1);
        for (Function<byte[], String> encoder : TextBases.ENCODERS.values()) {
            MalformedDataException refusal = Refusals.ofCid(encoder.apply(short32));
            assertThat(refusal.offset()).isZero();
            assertThat(refusal.rule()).isEqualTo(Refusals.ofCid(short32).rule());
        }
        assertThat(Refusals.ofCid("Qm" + "1".repeat(44)).offset()).isZero();
        // Of 32 bytes, there are none.
        assertThat(Refusals.refusal("CIQA", 5, () -> Cid.ofMultihashName("BCIQA"))
                        .offset())
                .isZero();
    }

    @Test
    void refusalsTellTheTextAndThatACidWasToBeThere() {
        assertThat(Refusals.ofCid("photos/\u0007")).hasMessageStartingWith("not a CID: \"photos/\\u{7}\": ");
        assertThat(Refusals.ofCid("k".repeat(1_000_000)).getMessage()).hasSizeLessThan(500);
    }

    /** Base64 for electronic mail is broken into lines of 76 digits. A multibase is not. */
    @Test
    void longTextsAreOneLine() {
        byte[] bytes = Cids.v1(Cid.RAW, 0x13, 64);
        assertThat(Cid.parse(TextBases.ENCODERS.get("base64pad").apply(bytes))).isEqualTo(Cid.fromBytes(bytes));
        Refusals.ofCid("M" + Base64.getMimeEncoder().encodeToString(bytes));
    }

    /** Every accepted text is the only one of its bytes in that base, except for capital and small letters. */
    @Test
    void changedTextsAreRefusedOrCanonical_I6() {
        Random random = Randomness.random("CidTextLimitsTest.changedTextsAreRefusedOrCanonical");
        int refused = 0;
        for (int n = 0; n < 1_000; n++) {
            byte[] bytes = Cids.random(random);
            for (Map.Entry<String, Function<byte[], String>> base : TextBases.ENCODERS.entrySet()) {
                StringBuilder changed = new StringBuilder(base.getValue().apply(bytes));
                int at = 1 + random.nextInt(changed.length() - 1);
                switch (random.nextInt(4)) {
                    case 0 -> changed.deleteCharAt(at);
                    case 1 -> changed.insert(at, (char) (' ' + random.nextInt(95)));
                    case 2 -> changed.setLength(at);
                    default -> changed.setCharAt(at, (char) (' ' + random.nextInt(95)));
                }
                Cid cid;
                try {
                    cid = Cid.parse(changed.toString());
                } catch (MalformedDataException e) {
                    assertThat(e.offset()).isBetween(0L, (long) changed.length());
                    refused++;
                    continue;
                }
                assertThat(base.getValue().apply(cid.toBytes())).isEqualToIgnoringCase(changed);
            }
        }
        assertThat(refused).isPositive();
    }
}
