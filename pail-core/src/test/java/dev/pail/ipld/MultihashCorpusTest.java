package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Corpora;
import dev.pail.CorruptBlockException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The test vectors of multihash as names of blocks; and which hash functions can vouch for a block at all. */
class MultihashCorpusTest {
    private static final byte[] CONTENT = {1, 2, 3};

    /** Its "sha3" has the code 0x14: it is SHA3-512, cut or in full. What is hashed is the text of the column. */
    @Test
    void rows() throws IOException {
        List<String> lines = Files.readAllLines(Corpora.find("multihash/tests/values/test_cases.csv"));
        int cut = 0;
        int verified = 0;
        int unsupported = 0;
        for (String line : lines.subList(1, lines.size())) {
            String[] row = line.split(",", -1);
            byte[] content = row[2].getBytes(StandardCharsets.US_ASCII);
            byte[] cid = HexFormat.of().parseHex("0155" + row[3]);
            if (!isWhole(row[0], row[1])) {
                assertThat(Refusals.ofCid(cid)).as(line).hasMessageContaining("(I4)");
                cut++;
            } else if (row[0].equals("sha1")) {
                assertThatThrownBy(() -> Block.verified(Cid.fromBytes(cid), content))
                        .isInstanceOf(UnsupportedHashException.class);
                unsupported++;
            } else {
                checkVerified(Cid.fromBytes(cid), content);
                verified++;
            }
        }
        System.out.printf(
                "MultihashCorpusTest: %d cut, %d verified, %d of an unsupported function%n",
                cut, verified, unsupported);
        assertThat(List.of(cut, verified, unsupported)).containsExactly(180, 60, 20);
    }

    private static boolean isWhole(String algorithm, String bits) {
        return switch (algorithm) {
            case "sha1" -> bits.equals("160");
            case "sha2-256" -> bits.equals("256");
            case "sha2-512", "sha3" -> bits.equals("512");
            default -> throw new IllegalArgumentException(algorithm);
        };
    }

    private static void checkVerified(Cid cid, byte[] content) {
        assertThat(Block.isVerifiable(cid)).isTrue();
        Block block = Block.verified(cid, content);
        assertThat(block.cid()).isEqualTo(cid);
        assertThat(block.bytes()).isEqualTo(content);
        for (int i = 0; i < content.length; i++) {
            byte[] changed = content.clone();
            changed[i] ^= 1;
            checkCorrupt(cid, changed);
        }
        checkCorrupt(cid, Arrays.copyOf(content, content.length - 1));
        checkCorrupt(cid, Arrays.copyOf(content, content.length + 1));
        checkCorrupt(cid, new byte[0]);
    }

    private static void checkCorrupt(Cid cid, byte[] content) {
        assertThatThrownBy(() -> Block.verified(cid, content))
                .isInstanceOfSatisfying(
                        CorruptBlockException.class, e -> assertThat(e.cid()).isEqualTo(cid));
        assertThatThrownBy(() -> UnsafeBlocks.verified(cid, content)).isInstanceOf(CorruptBlockException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "0x12, SHA-256",
        "0x13, SHA-512",
        "0x14, SHA3-512",
        "0x15, SHA3-384",
        "0x16, SHA3-256",
        "0x17, SHA3-224",
        "0x20, SHA-384"
    })
    void functionsThatVouch(String code, String algorithm) throws GeneralSecurityException {
        byte[] digest = MessageDigest.getInstance(algorithm).digest(CONTENT);
        checkVerified(Cid.fromBytes(Cids.v1(Cid.RAW, Long.decode(code), digest)), CONTENT);
    }

    @Test
    void version0Vouches() throws GeneralSecurityException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(CONTENT);
        checkVerified(Cid.fromBytes(Cids.v0(digest)), CONTENT);
    }

    /** Identity, SHA-1, BLAKE3, Keccak-256, double SHA-256, MD5, and some that nobody defined. */
    @ParameterizedTest
    @CsvSource({"0x00", "0x11", "0x1e", "0x1b", "0x56", "0xd5", "0xb240", "0xb260", "0x1012", "0x1212", "0x10000"})
    void functionsThatDoNotVouch(String code) throws GeneralSecurityException {
        checkUnsupported(Long.decode(code));
    }

    /** The lower 32 bits are the code of SHA2-256, the whole is nobody's. */
    @ParameterizedTest
    @CsvSource({"0x100000012", "0x4000000000000012", "0x7fffffff00000012"})
    void longCodesAreNotCutShort(String code) throws GeneralSecurityException {
        checkUnsupported(Long.decode(code));
    }

    /** As far as the digest's length allows, it is that of SHA2-256. */
    private static void checkUnsupported(long function) throws GeneralSecurityException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(CONTENT);
        int length = PlainCid.DIGEST_LENGTHS.getOrDefault(function, 32);
        Cid cid = Cid.fromBytes(Cids.v1(Cid.RAW, function, Arrays.copyOf(digest, length)));
        assertThat(Block.isVerifiable(cid)).isFalse();
        assertThatThrownBy(() -> Block.verified(cid, CONTENT))
                .isInstanceOfSatisfying(
                        UnsupportedHashException.class, e -> assertThat(e.cid()).isEqualTo(cid));
    }

    /** The digest that is no digest: the content itself proves nothing about the content. */
    @Test
    void identityDoesNotVouch() {
        Cid cid = Cid.fromBytes(Cids.v1(Cid.RAW, Cid.IDENTITY, CONTENT));
        assertThat(Block.isVerifiable(cid)).isFalse();
        assertThatThrownBy(() -> Block.verified(cid, CONTENT)).isInstanceOf(UnsupportedHashException.class);
    }
}
