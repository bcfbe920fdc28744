package dev.pail.hashes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.CorruptBlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.HashFunctions;
import dev.pail.ipld.UnsupportedHashException;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BouncyCastleHashesTest {
    private static final int[] LONGER = {1023, 1024, 1025, 2048, 2049, 5000};
    private static final byte[] CONTENT = {'a', 'b', 'c'};

    private final HashFunctions hashes = new BouncyCastleHashes();

    /** The code, the length that is asked for, and the SHA2-256 of all hashes: as @noble/hashes 2 and Python's hashlib compute them. */
    @ParameterizedTest
    @CsvSource({
        "0x19, 64, 42eed57cb6368790da27546bc8eec7ad18525b40fd05a73ae6f732b1cadafb93",
        "0x19, 20, b2b473fc92948bf9f11d58c5ea21ab47cb4c0d9d96bb81cba050167f7486d9d9",
        "0x1a, 20, 32b1722870e16e953e987abcd0429c1ab02fec520b5888413ca5eae4f00af1c5",
        "0x1b, 20, 3dd9d6040b71825a92adc934438a466aa61c0af38faae9ddd091a179395e4a3a",
        "0x1c, 20, 0801d3d6031a4a2b007f8c5085be709742cf8c22e8a290a876517efaef80618e",
        "0x1d, 20, 48ff0b4494c42aa35a9f85aec8f5c601ebf60d9d8761ae6a2b0ced29e6c0cfc8",
        "0x1e, 32, eb6051a05d640623ceb2c9593dc41b7fef314657a1c8d36714c42d49e30cf3bf",
        "0x1e, 128, fb907cec33a8527e27b4d3bd8c6bb548a7f8dbb02c50b60c132a065890e6717e",
        "0xb214, 20, ee5bc16f871a70b6f4fac317a45f834b8525d2387b43ce3c2ea926a54a9db8b9",
        "0xb220, 20, d4490adb4857dbd4e9e758577fdd7ecc57e780053165fc64137714d220a08a6b",
        "0xb240, 20, 4f252bb29a1d579b23213ff982236c1c4f9d60f81f42878f40aa2291aa3b2203",
        "0xb254, 20, fbdc701a01c12d55feeee57cc6daecf057fc3f547702e0ad2223f91f5624505c",
        "0xb260, 20, e7e6a14cc4dbeb1efdf183dc5bfd97683ecaaa8652138e35daf146595e600584",
    })
    void hashesOfManyLengths(String code, int length, String expected) throws NoSuchAlgorithmException {
        MessageDigest all = MessageDigest.getInstance("SHA-256");
        for (int size = 0; size < 400; size++) {
            all.update(hashes.hash(Long.decode(code), length, content(size)));
        }
        for (int size : LONGER) {
            all.update(hashes.hash(Long.decode(code), length, content(size)));
        }
        assertThat(HexFormat.of().formatHex(all.digest())).isEqualTo(expected);
    }

    private static byte[] content(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 7 + size);
        }
        return bytes;
    }

    /** Also with others: the list of Kubo has BLAKE2b from 160 to 512 bits, BLAKE2s from 160 to 256. */
    @Test
    void theFunctionsOfKuboThatTheJdkLacks() {
        Set<Long> expected = new TreeSet<>(Set.of(0x19L, 0x1aL, 0x1bL, 0x1cL, 0x1dL, 0x1eL));
        LongStream.rangeClosed(0xb214, 0xb240).forEach(expected::add);
        LongStream.rangeClosed(0xb254, 0xb260).forEach(expected::add);
        Set<Long> found = new TreeSet<>();
        LongStream.range(0, 1 << 17).filter(hashes::has).forEach(found::add);
        assertThat(found).isEqualTo(expected);
        for (long function : expected) {
            assertThat(hashes.has(function + (1L << 32))).isFalse();
            assertThat(hashes.hash(function, 20, CONTENT)).hasSizeGreaterThanOrEqualTo(20);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0x12, 0x22, 0xb213, 0xb253, 0xb261, -1, Long.MAX_VALUE})
    void otherFunctionsAreRefused(long function) {
        assertThatIllegalArgumentException().isThrownBy(() -> hashes.hash(function, 32, CONTENT));
    }

    @Test
    void theServiceLoaderFindsIt() {
        assertThat(ServiceLoader.load(HashFunctions.class)).hasAtLeastOneElementOfType(BouncyCastleHashes.class);
    }

    /** SHAKE-256 and BLAKE3 make hashes of any length; of the others, a digest may be cut (I4). */
    @ParameterizedTest
    @ValueSource(longs = {0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0xb214, 0xb220, 0xb240, 0xb254, 0xb260})
    void blocksAreVerified_I4(long function) {
        byte[] hash = hashes.hash(function, 128, CONTENT);
        for (int length = 0; length <= 130; length++) {
            Cid cid = cid(function, Arrays.copyOf(hash, length));
            assertThat(Block.isVerifiable(cid)).isEqualTo(length >= 20 && length <= 128);
            if (!Block.isVerifiable(cid)) {
                assertThatExceptionOfType(UnsupportedHashException.class)
                        .isThrownBy(() -> Block.verified(cid, CONTENT));
            } else if (length <= hash.length) {
                assertThat(Block.verified(cid, CONTENT).bytes()).isEqualTo(CONTENT);
                assertThatExceptionOfType(CorruptBlockException.class)
                        .isThrownBy(() -> Block.verified(cid, new byte[] {'a', 'b', 'd'}));
            } else {
                assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> Block.verified(cid, CONTENT));
            }
        }
    }

    private static Cid cid(long function, byte[] digest) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        bytes.write((int) Cid.RAW);
        varint(bytes, function);
        varint(bytes, digest.length);
        bytes.writeBytes(digest);
        return Cid.fromBytes(bytes.toByteArray());
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        for (long rest = value; ; rest >>>= 7) {
            out.write((int) (rest < 0x80 ? rest : (rest & 0x7f) | 0x80));
            if (rest < 0x80) {
                return;
            }
        }
    }
}
