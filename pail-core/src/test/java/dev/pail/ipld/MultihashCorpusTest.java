package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.CorruptBlockException;
import dev.pail.testkit.Corpora;
import dev.pail.unsafe.UnsafeBlocks;
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
import org.junit.jupiter.params.provider.ValueSource;

/** The test vectors of multihash as names of blocks; and which hash functions can vouch for a block at all. */
class MultihashCorpusTest {
    private static final byte[] CONTENT = {1, 2, 3};

    /** Its "sha3" has the code 0x14: SHA3-512. Digests are cut to as few as 10 bytes. What is hashed is the text of the column. */
    @Test
    void rows() throws IOException {
        List<String> lines = Files.readAllLines(Corpora.find("multihash/tests/values/test_cases.csv"));
        int verified = 0;
        int tooShort = 0;
        for (String line : lines.subList(1, lines.size())) {
            String[] row = line.split(",", -1);
            byte[] content = row[2].getBytes(StandardCharsets.US_ASCII);
            Cid cid = Cid.fromBytes(HexFormat.of().parseHex("0155" + row[3]));
            assertThat(cid.digest()).hasSize(Integer.parseInt(row[1]) / 8);
            if (Integer.parseInt(row[1]) < 160) {
                assertThat(Block.isVerifiable(cid)).isFalse();
                assertThatThrownBy(() -> Block.verified(cid, content)).isInstanceOf(UnsupportedHashException.class);
                tooShort++;
            } else {
                checkVerified(cid, content);
                verified++;
            }
        }
        assertThat(List.of(verified, tooShort)).containsExactly(180, 80);
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
        "0x11, SHA-1",
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

    /** Of each function of the JDK, the digest may be cut, but not to less than 20 bytes; and it has no more than the hash. */
    @ParameterizedTest
    @ValueSource(longs = {0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x20, 0x56})
    void cutDigests_I4(long function) {
        byte[] hash = Hashes.hash(function, 32, CONTENT);
        for (int length = 0; length <= 130; length++) {
            Cid cid = Cid.fromBytes(Cids.v1(Cid.RAW, function, Arrays.copyOf(hash, length)));
            if (length < 20 || length > 128) {
                assertThat(Block.isVerifiable(cid)).isFalse();
                assertThatThrownBy(() -> Block.verified(cid, CONTENT)).isInstanceOf(UnsupportedHashException.class);
            } else if (length > hash.length) {
                checkCorrupt(cid, CONTENT);
            } else {
                checkVerified(cid, CONTENT);
            }
        }
    }

    /** A longer digest whose end is the hash. */
    @Test
    void theHashMustBeginWithTheDigest_I4() throws GeneralSecurityException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(CONTENT);
        byte[] longer = new byte[hash.length + 1];
        System.arraycopy(hash, 0, longer, 1, hash.length);
        checkCorrupt(Cid.fromBytes(Cids.v1(Cid.RAW, 0x12, longer)), CONTENT);
        checkCorrupt(Cid.fromBytes(Cids.v1(Cid.RAW, 0x12, Arrays.copyOfRange(hash, 1, 32))), CONTENT);
    }

    @Test
    void doubleSha256() throws GeneralSecurityException {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        byte[] digest = sha256.digest(sha256.digest(CONTENT));
        checkVerified(Cid.fromBytes(Cids.v1(Cid.RAW, 0x56, digest)), CONTENT);
    }

    /** MD4, MD5, murmur3, CRC-32, and some undefined ones. */
    @ParameterizedTest
    @CsvSource({"0x00", "0xd4", "0xd5", "0x22", "0x0132", "0x1012", "0x1212", "0x10000"})
    void functionsThatDoNotVouch(String code) throws GeneralSecurityException {
        checkUnsupported(Long.decode(code));
    }

    /** The lower 32 bits are the code of SHA2-256, but the whole code is undefined. */
    @ParameterizedTest
    @CsvSource({"0x100000012", "0x4000000000000012", "0x7fffffff00000012"})
    void longCodesAreNotCutShort(String code) throws GeneralSecurityException {
        checkUnsupported(Long.decode(code));
    }

    /** The digest is that of SHA2-256. */
    private static void checkUnsupported(long function) throws GeneralSecurityException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(CONTENT);
        Cid cid = Cid.fromBytes(Cids.v1(Cid.RAW, function, digest));
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
