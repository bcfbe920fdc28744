package dev.pail.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ipld.MalformedDataException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys as text, and what they sign. */
class SigningKeyTest {
    /** The keys that the documentation of the package sumdb/note of Go has as its example. */
    static final String PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";

    static final String PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

    /** RFC 8032, section 7.1. */
    @ParameterizedTest
    @CsvSource({
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60,"
                + "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a,'',"
                + "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb,"
                + "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c,72,"
                + "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7,"
                + "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025,af82,"
                + "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    })
    void signsAsRfc8032(String seed, String publicKey, String message, String signature) {
        byte[] secret = HexFormat.of().parseHex(seed);
        byte[] text = HexFormat.of().parseHex(message);
        byte[] signed = Ed25519.sign(secret, text);
        assertThat(Ed25519.publicKey(secret)).asHexString().isEqualToIgnoringCase(publicKey);
        assertThat(signed).asHexString().isEqualToIgnoringCase(signature);
        assertThat(Ed25519.verify(HexFormat.of().parseHex(publicKey), text, signed))
                .isTrue();
    }

    /** A signature whose number is larger by the order of the group would be another signature of the same text. */
    @Test
    void refusesNumbersOutOfRange() {
        byte[] order = HexFormat.of().parseHex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
        byte[] seed = new byte[32];
        byte[] signed = Ed25519.sign(seed, seed);
        int carry = 0;
        for (int i = 0; i < 32; i++) {
            carry += (signed[32 + i] & 0xff) + (order[i] & 0xff);
            signed[32 + i] = (byte) carry;
            carry >>= 8;
        }
        assertThat(Ed25519.verify(Ed25519.publicKey(seed), seed, signed)).isFalse();
    }

    @Test
    void refusesSignaturesOfOtherLengths() {
        byte[] seed = new byte[32];
        byte[] key = Ed25519.publicKey(seed);
        byte[] signed = Ed25519.sign(seed, seed);
        assertThat(Ed25519.verify(key, seed, signed)).isTrue();
        for (int length : new int[] {0, 1, 63, 65, 1000}) {
            assertThat(Ed25519.verify(key, seed, Arrays.copyOf(signed, length))).isFalse();
        }
    }

    @Test
    void writesKeysAsGo_SN3_SN4() {
        SigningKey key = SigningKey.parse(PRIVATE);
        assertThat(key.verifierKey()).hasToString(PUBLIC).isEqualTo(VerifierKey.parse(PUBLIC));
        assertThat(key.verifierKey()).hasSameHashCodeAs(VerifierKey.parse(PUBLIC));
        assertThat(key.encoded()).isEqualTo(PRIVATE);
        assertThat(key.verifierKey().name()).isEqualTo("PeterNeumann");
        assertThat(key).hasToString("PeterNeumann+c74f20a3");
    }

    @Test
    void makesOtherKeysEachTime() {
        SigningKey one = SigningKey.generate("example.com/ann");
        SigningKey two = SigningKey.generate("example.com/ann");
        assertThat(one.verifierKey()).isNotEqualTo(two.verifierKey());
        assertThat(SigningKey.parse(one.encoded()).verifierKey()).isEqualTo(one.verifierKey());
        assertThat(VerifierKey.parse(two.verifierKey().toString())).isEqualTo(two.verifierKey());
        assertThat(one.verifierKey()).isNotEqualTo(new VerifierKey("example.com/bob", Ed25519.publicKey(new byte[32])));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a+b",
                "a\nb",
                "a\tb",
                "a\u0085b",
                "a\u00a0b",
                "a\u2003b",
                "a\u2028",
                "a\u007f",
                "a\u202eb"
            })
    void refusesNames_SN1(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SigningKey.generate(name))
                .withMessageContaining("(SN1)");
        byte[] key = Ed25519.publicKey(new byte[32]);
        String text = KeyForm.write(name, KeyForm.hash(name, key), key);
        assertThatThrownBy(() -> VerifierKey.parse(text)).isInstanceOf(MalformedDataException.class);
    }

    @Test
    void takesNamesOf255Characters_SN1() {
        assertThat(SigningKey.generate("\u00e9".repeat(255)).verifierKey().name())
                .hasSize(255);
        assertThatIllegalArgumentException().isThrownBy(() -> SigningKey.generate("a".repeat(256)));
        assertThatIllegalArgumentException().isThrownBy(() -> SigningKey.generate("a\ud800"));
    }

    @Test
    void refusesAnotherHash_SN2() {
        assertThatThrownBy(() -> VerifierKey.parse(PUBLIC.replace("c74f20a3", "c74f20a4")))
                .hasMessageContaining("(SN2)");
        assertThatThrownBy(() -> VerifierKey.parse(PUBLIC.replace("c74f20a3", "C74F20A3")))
                .hasMessageContaining("(SN2)");
        assertThatThrownBy(() -> VerifierKey.parse(PUBLIC.replace("Peter", "Petra")))
                .hasMessageContaining("(SN2)");
        assertThatThrownBy(() -> SigningKey.parse(PRIVATE.replace("c74f20a3", "c74f20a4")))
                .hasMessageContaining("(SN2)");
    }

    /** No message has a character of the secret. */
    @Test
    void refusesEachChangedCharacter_SN3_SN4() {
        for (int i = 0; i < PRIVATE.length(); i++) {
            for (char c : new char[] {'A', 'b', '+', '=', '\n', '\u00e9', '0'}) {
                String changed = PRIVATE.substring(0, i) + c + PRIVATE.substring(i + 1);
                if (!changed.equals(PRIVATE)) {
                    assertThatThrownBy(() -> SigningKey.parse(changed))
                            .isInstanceOf(MalformedDataException.class)
                            .hasMessageNotContaining("AYEKF")
                            .hasMessageNotContaining("HKDFz");
                }
            }
        }
        for (int i = 0; i < PUBLIC.length(); i++) {
            String shorter = PUBLIC.substring(0, i);
            String without = shorter + PUBLIC.substring(i + 1);
            assertThatThrownBy(() -> VerifierKey.parse(shorter)).isInstanceOf(MalformedDataException.class);
            assertThatThrownBy(() -> VerifierKey.parse(without)).isInstanceOf(MalformedDataException.class);
        }
    }

    @Test
    void refusesOtherTypesLengthsAndForms_SN3() {
        byte[] key = Ed25519.publicKey(new byte[32]);
        String sound = KeyForm.write("a", KeyForm.hash("a", key), key);
        assertThat(VerifierKey.parse(sound)).hasToString(sound);
        for (int length : new int[] {0, 1, 31, 33, 3000}) {
            byte[] other = new byte[length];
            assertThatThrownBy(() -> VerifierKey.parse(KeyForm.write("a", KeyForm.hash("a", other), other)))
                    .hasMessageContaining("(SN3)");
        }
        byte[] typed = new byte[33];
        System.arraycopy(key, 0, typed, 1, 32);
        for (int type : new int[] {0, 2, 4, 255}) {
            typed[0] = (byte) type;
            String text = sound.substring(0, 11) + Base64.getEncoder().encodeToString(typed);
            assertThatThrownBy(() -> VerifierKey.parse(text)).hasMessageContaining("(SN3)");
        }
        assertThatThrownBy(() -> VerifierKey.parse(sound + "\n")).hasMessageContaining("(SN3)");
        assertThatThrownBy(() -> VerifierKey.parse("+".repeat(1 << 20))).hasMessageContaining("(SN3)");
        assertThatThrownBy(() -> VerifierKey.parse(PRIVATE)).isInstanceOf(MalformedDataException.class);
        assertThatThrownBy(() -> SigningKey.parse(PUBLIC)).hasMessageContaining("(SN4)");
    }

    /** The number 2 is the first coordinate of no point. */
    @Test
    void refusesBytesThatAreNoPoint_SN3() {
        byte[] two = new byte[32];
        two[0] = 2;
        assertThatThrownBy(() -> VerifierKey.parse(KeyForm.write("a", KeyForm.hash("a", two), two)))
                .hasMessageContaining("a point of the curve (SN3)");
    }
}
