package dev.pail.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signed notes, their limits and what is refused. */
class SignedNoteTest {
    private static final VerifierKey NEUMANN = VerifierKey.parse(SigningKeyTest.PUBLIC);

    private static final String TEXT = """
            If you think cryptography is the answer to your problem,
            then you don't know what your problem is.
            """;

    private static final String SIGNATURE =
            "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

    /** The example of C2SP's page, whose key is not known. */
    private static final String FOREIGN =
            "\u2014 quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String open(String note) {
        return SignedNote.open(bytes(note), NEUMANN);
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(String note) {
        return assertThatThrownBy(() -> open(note)).isInstanceOf(InvalidNoteException.class);
    }

    @Test
    void readsAndWritesTheExampleOfGo_SN5() {
        assertThat(open(TEXT + '\n' + SIGNATURE)).isEqualTo(TEXT);
        assertThat(SignedNote.sign(TEXT, SigningKey.parse(SigningKeyTest.PRIVATE)))
                .isEqualTo(bytes(TEXT + '\n' + SIGNATURE));
    }

    @Test
    void readsTextsWithEmptyLines_SN5() {
        SigningKey key = SigningKey.generate("\u00e9.example/a");
        for (String text :
                new String[] {"\n", "\n\n", "a\n\nb\n", "a\n\n\n", "\u2014 a AAAAAAA=\n", "\u20ac\ud83d\ude00\n"}) {
            assertThat(SignedNote.open(SignedNote.sign(text, key), key.verifierKey()))
                    .isEqualTo(text);
        }
    }

    /** Each bit, and each byte as each character of base64. */
    @Test
    void refusesEveryChangedByte_SN5_SN7() {
        byte[] note = bytes(TEXT + '\n' + SIGNATURE);
        String characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= \n";
        for (int i = 0; i < note.length; i++) {
            byte was = note[i];
            for (int bit = 0; bit < 8; bit++) {
                assertRefused(note, i, was ^ (1 << bit));
            }
            if (i >= note.length - 8) {
                int at = i;
                characters.chars().filter(c -> c != was).forEach(c -> assertRefused(note, at, c));
            }
        }
        assertThat(SignedNote.open(note, NEUMANN)).isEqualTo(TEXT);
    }

    private static void assertRefused(byte[] sound, int at, int value) {
        byte[] note = sound.clone();
        note[at] = (byte) value;
        assertThatThrownBy(() -> SignedNote.open(note, NEUMANN)).isInstanceOf(InvalidNoteException.class);
    }

    @Test
    void refusesEveryCutAndEveryInsertion_SN5() {
        String note = TEXT + '\n' + SIGNATURE;
        for (int i = 0; i < note.length(); i++) {
            assertRefused(note.substring(0, i));
            assertRefused(note.substring(0, i) + note.substring(i + 1));
            assertRefused(note.substring(0, i) + '\n' + note.substring(i));
            assertRefused(note.substring(0, i) + ' ' + note.substring(i));
        }
        assertRefused(note + "\n");
        assertRefused(note + "a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r", "\t", "\0", "\u001b", "\u001f"})
    void refusesControlCharacters_SN5(String control) {
        SigningKey key = SigningKey.generate("a");
        byte[] note = SignedNote.sign("a" + control + "b\n", key);
        assertThatThrownBy(() -> SignedNote.open(note, key.verifierKey())).hasMessageContaining("control character");
        assertRefused(TEXT + '\n' + SIGNATURE.replace("\n", control + "\n"));
    }

    @Test
    void refusesWhatIsNotUtf8_SN5() {
        byte[] note = bytes("a\u00e9\n\n" + SIGNATURE);
        note[2] = 'x';
        assertThatThrownBy(() -> SignedNote.open(note, NEUMANN)).hasMessageContaining("not UTF-8 (SN5)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- a AAAAAAA=",
                "\u2014a AAAAAAA=",
                "\u2014  AAAAAAA=",
                "\u2014 a",
                "\u2014 a ",
                "\u2014 a  AAAAAAA=",
                "\u2014 a AAAAAAA= ",
                "\u2014 a AAAAAAA",
                "\u2014 a AAAAAAB=",
                "\u2014 a AAAAAA==",
                "\u2014 a AAAA",
                "\u2014 a AAAAA-A=",
                "\u2014 a+b AAAAAAA=",
                "\u2014 a\u00a0b AAAAAAA=",
                "\u2014 a\u3000 AAAAAAA="
            })
    void refusesLinesThatAreNoSignatures_SN5(String line) {
        assertRefused(TEXT + '\n' + SIGNATURE + line + '\n')
                .hasMessageContaining("line 2 behind the text is no signature");
        assertRefused(TEXT + '\n' + line + '\n' + SIGNATURE)
                .hasMessageContaining("line 1 behind the text is no signature");
    }

    @Test
    void passesOverSignaturesByOthers_SN7() {
        // The name of the key with another hash, and its hash under another name: both are other keys.
        String otherHash = SIGNATURE.replace("x08go", "y08go");
        String otherName = SIGNATURE.replace("PeterN", "PetraN");
        for (String other : new String[] {FOREIGN, otherHash, otherName, "\u2014 a AAAAAAA=\n"}) {
            assertThat(open(TEXT + '\n' + other + SIGNATURE)).isEqualTo(TEXT);
            assertThat(open(TEXT + '\n' + SIGNATURE + other + other)).isEqualTo(TEXT);
            assertRefused(TEXT + '\n' + other).hasMessageContaining("no signature by PeterNeumann+c74f20a3 (SN7)");
        }
    }

    @Test
    void refusesAWrongSignatureBesideARightOne_SN7() {
        String wrong = SIGNATURE.replace("wJnAM=", "wJnAQ=");
        assertRefused(TEXT + '\n' + SIGNATURE + wrong)
                .hasMessageContaining("a wrong signature by PeterNeumann+c74f20a3");
        assertRefused(TEXT + '\n' + wrong + SIGNATURE)
                .hasMessageContaining("a wrong signature by PeterNeumann+c74f20a3");
        assertRefused("other\n\n" + SIGNATURE).hasMessageContaining("a wrong signature");
        String brief = "\u2014 PeterNeumann "
                + Base64.getEncoder().encodeToString(new byte[] {(byte) 0xc7, 0x4f, 0x20, (byte) 0xa3, 1});
        assertRefused(TEXT + '\n' + brief + "\n").hasMessageContaining("a wrong signature");
        assertThat(open(TEXT + '\n' + SIGNATURE + SIGNATURE)).isEqualTo(TEXT);
    }

    @Test
    void hasLimits_SN6() {
        assertThat(open(TEXT + '\n' + FOREIGN.repeat(99) + SIGNATURE)).isEqualTo(TEXT);
        assertRefused(TEXT + '\n' + FOREIGN.repeat(100) + SIGNATURE)
                .hasMessageContaining("more than 100 signatures (SN6)");
        SigningKey key = SigningKey.generate("a");
        int rest = SignedNote.sign("\n", key).length;
        byte[] largest = SignedNote.sign("x".repeat(SignedNote.MAX_SIZE - rest) + "\n", key);
        assertThat(largest).hasSize(SignedNote.MAX_SIZE);
        assertThat(SignedNote.open(largest, key.verifierKey())).hasSize(SignedNote.MAX_SIZE - rest + 1);
        byte[] larger = SignedNote.sign("x".repeat(SignedNote.MAX_SIZE - rest + 1) + "\n", key);
        assertThatThrownBy(() -> SignedNote.open(larger, key.verifierKey())).hasMessageContaining("262144 bytes (SN6)");
        // Sixteen signatures of post-quantum keys.
        String large = "\u2014 pq " + Base64.getEncoder().encodeToString(new byte[5000]) + "\n";
        assertThat(open(TEXT + '\n' + large.repeat(16) + SIGNATURE)).isEqualTo(TEXT);
        assertRefused("\n".repeat(SignedNote.MAX_SIZE));
        assertRefused("\u2014 ".repeat(60_000));
    }
}
