package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.testkit.Randomness;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no CID is refused, and the refusal says where. */
class CidLimitsTest {
    private static final byte[] V1 = Cids.v1(Cid.DAG_CBOR, Cid.SHA2_256, 32);
    private static final byte[] V0 = Cids.v0(Cids.filled(32));

    /** Of no hash function that is known here. */
    private static final long UNKNOWN = 0x30;

    @ParameterizedTest
    @ValueSource(bytes = {0, 2, 3, 0x11, 0x13, 0x7f})
    void otherVersions_I1(byte version) {
        byte[] bytes = V1.clone();
        bytes[0] = version;
        assertThat(Refusals.ofCid(bytes)).hasMessageContaining("(I1)");
        byte[] longer = Arrays.copyOf(V0, V0.length);
        longer[0] = version;
        Refusals.ofCid(longer);
    }

    @Test
    void version0HasNoMultibaseCharacter_I6() {
        for (Map.Entry<String, Function<byte[], String>> base : TextBases.ENCODERS.entrySet()) {
            Refusals.ofCid(base.getValue().apply(V0));
        }
        assertThat(Cid.parse(TextBases.version0(V0))).isEqualTo(Cid.fromBytes(V0));
    }

    @Test
    void version1HasAMultibaseCharacter() {
        for (Function<byte[], String> encoder : TextBases.ENCODERS.values()) {
            Refusals.ofCid(encoder.apply(V1).substring(1));
        }
    }

    @Test
    void version0IsSha256InFull() {
        for (int length : new int[] {0, 20, 31, 33, 64}) {
            byte[] bytes = Cids.v0(Cids.filled(length));
            Refusals.ofCid(bytes);
            bytes[1] = (byte) length;
            Refusals.ofCid(bytes);
            Refusals.ofCid(TextBases.version0(bytes));
        }
    }

    @Test
    void aRangeThatTheBytesDoNotHave() {
        byte[] cut = Arrays.copyOf(V1, V1.length - 1);
        for (int[] range :
                new int[][] {{0, V1.length}, {-1, 3}, {3, 2}, {V1.length, V1.length + 1}, {Integer.MIN_VALUE, 0}}) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> Cid.fromBytes(cut, range[0], range[1]));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> Cid.lengthAt(cut, range[0], range[1]));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> Cid.isShardLink(cut, range[0], range[1]));
        }
    }

    @Test
    void everyCutAndEveryExtension() {
        for (byte[] whole : List.of(
                V0,
                V1,
                Cids.v1(Cid.RAW, 0, 0),
                Cids.v1(Cid.RAW, 0, 128),
                Cids.v1(Long.MAX_VALUE, Long.MAX_VALUE, 128),
                Cids.v1(Cid.RAW, UNKNOWN, 20))) {
            Cid.fromBytes(whole);
            for (int length = 0; length < whole.length; length++) {
                Refusals.ofCid(Arrays.copyOf(whole, length));
            }
            for (int b = 0; b < 256; b++) {
                byte[] longer = Arrays.copyOf(whole, whole.length + 1);
                longer[whole.length] = (byte) b;
                Refusals.ofCid(longer);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 0x11, 0x12, 0x13, 0x16, 0x22, 0x1e, UNKNOWN, 0xb220, Long.MAX_VALUE})
    void anyDigestLengthUpToTheLimit_K3_I5(long function) {
        for (int length : new int[] {0, 1, 8, 19, 20, 31, 32, 33, 64, 127, 128, 129, 200, 2_000}) {
            byte[] bytes = Cids.v1(Cid.RAW, function, length);
            Cid cid = Cid.fromBytes(bytes);
            assertThat(cid.hashFunction()).isEqualTo(function);
            assertThat(cid.digest()).isEqualTo(Cids.filled(length));
            assertThat(cid.toBytes()).isEqualTo(bytes);
            assertThat(Cid.parse(cid.toString())).isEqualTo(cid);
            assertThat(Cid.fromBytes(cid.raw().toBytes()).multihash()).isEqualTo(cid.multihash());
            assertThat(Cid.ofMultihashName(cid.multihashName()).multihash()).isEqualTo(cid.multihash());
        }
    }

    @Test
    void aCidHas2048BytesAtMost_I5() {
        int others = 5;
        byte[] longest = Cids.v1(Cid.RAW, UNKNOWN, Cid.MAX_BYTES - others);
        assertThat(longest).hasSize(Cid.MAX_BYTES);
        assertThat(Cid.parse(Cid.fromBytes(longest).toString()).toBytes()).isEqualTo(longest);
        assertThat(Refusals.ofCid(Cids.v1(Cid.RAW, UNKNOWN, Cid.MAX_BYTES - others + 1)))
                .hasMessageContaining("(I5)");
    }

    /** Names of files are made of these. */
    @Test
    void aBlockIsNamedByADigestOf20To128Bytes_I4() {
        for (int length = 0; length < 300; length++) {
            Cid cid = Cid.fromBytes(Cids.v1(Cid.DAG_PB, UNKNOWN, length));
            assertThat(cid.canNameBlock()).isEqualTo(length >= 20 && length <= 128);
            assertThat(Cid.fromBytes(Cids.v1(Cid.RAW, Cid.IDENTITY, length)).canNameBlock())
                    .isFalse();
        }
        assertThat(Cid.fromBytes(V0).canNameBlock()).isTrue();
    }

    /** A code of more than 32 bits is not the code that its lower 32 bits are. */
    @Test
    void longCodesOfHashFunctionsAreNotCutShort() {
        long function = (1L << 32) + Cid.SHA2_256;
        for (int length : new int[] {0, 20, 32, 128}) {
            assertThat(Cid.fromBytes(Cids.v1(Cid.RAW, function, length)).hashFunction())
                    .isEqualTo(function);
        }
    }

    @Test
    void declaredDigestLengthIsTheOneThereIs_I3() {
        byte[] bytes = Cids.v1(Cid.RAW, UNKNOWN, 32);
        for (int declared = 0; declared < 128; declared++) {
            bytes[3] = (byte) declared;
            if (declared != 32) {
                assertThat(Refusals.ofCid(bytes)).hasMessageContaining("(I3)");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8100551220", // version
                "01d5001220", // codec
                "0155920020", // hash function
                "015512a000", // digest length
                "01d580001220",
            })
    void varintsAreShort_I2(String head) {
        Refusals.ofCid(HexFormat.of().parseHex(head + "a5".repeat(32)));
    }

    @Test
    void varintsTakeNineBytesAtMost_I2() {
        String tail = "3020" + "a5".repeat(32);
        byte[] nine = HexFormat.of().parseHex("01" + "ff".repeat(8) + "7f" + tail);
        assertThat(Cid.fromBytes(nine).codec()).isEqualTo(Long.MAX_VALUE);
        for (int more = 9; more < 30; more++) {
            for (String last : List.of("00", "01", "7f")) {
                byte[] bytes = HexFormat.of().parseHex("01" + "ff".repeat(more) + last + tail);
                assertThat(Refusals.ofCid(bytes).offset()).isEqualTo(1);
            }
        }
        Refusals.ofCid(HexFormat.of().parseHex("ff".repeat(64)));
    }

    @Test
    void longBinaryForms() {
        byte[] head = HexFormat.of().parseHex("0155001020");
        assertThat(Refusals.ofCid(Arrays.copyOf(head, Cid.MAX_BYTES + 1))).hasMessageContaining("(I5)");
        assertThat(Refusals.ofCid(Arrays.copyOf(head, Cid.MAX_BYTES))).hasMessageNotContaining("(I5)");
        assertThat(Refusals.ofCid(new byte[1 << 20])).hasMessageContaining("(I5)");
    }

    @Test
    void changedBytesAsTheTwinSays() {
        Random random = Randomness.random("CidLimitsTest.changedBytesAsTheTwinSays");
        byte[] changes = {0, 1, 0x12, 0x20, 0x55, (byte) 0x80, (byte) 0xff};
        for (int n = 0; n < 50_000; n++) {
            byte[] bytes = Cids.random(random);
            bytes[random.nextInt(Math.min(bytes.length, 8))] = changes[random.nextInt(changes.length)];
            if (PlainCid.isCid(bytes)) {
                assertThat(Cid.fromBytes(bytes).toBytes()).isEqualTo(bytes);
            } else {
                Refusals.ofCid(bytes);
            }
        }
    }
}
