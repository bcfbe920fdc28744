package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a CID says about itself, its text and its order. */
class CidTest {
    private static final String DIGEST = "ffb31f07aa15348368c90c73a834dbf9f8710365860fa0fd4ddce9ac2782cc17";
    private static final byte[] MULTIHASH = HexFormat.of().parseHex("1220" + DIGEST);
    private static final byte[] V1 = HexFormat.of().parseHex("01711220" + DIGEST);

    @Test
    void version1() {
        Cid cid = Cid.fromBytes(V1);
        assertThat(cid.version()).isEqualTo(1);
        assertThat(cid.codec()).isEqualTo(Cid.DAG_CBOR);
        assertThat(cid.hashFunction()).isEqualTo(Cid.SHA2_256);
        assertThat(cid.multihash()).isEqualTo(MULTIHASH);
        assertThat(cid.byteLength()).isEqualTo(36);
        assertThat(cid.isShardLink()).isTrue();
        assertThat(cid.toBytes()).isEqualTo(V1);
    }

    @Test
    void version0() {
        Cid cid = Cid.fromBytes(MULTIHASH);
        assertThat(cid.version()).isZero();
        assertThat(cid.codec()).isEqualTo(Cid.DAG_PB);
        assertThat(cid.hashFunction()).isEqualTo(Cid.SHA2_256);
        assertThat(cid.multihash()).isEqualTo(MULTIHASH);
        assertThat(cid.byteLength()).isEqualTo(34);
        assertThat(cid.isShardLink()).isFalse();
        assertThat(cid.toBytes()).isEqualTo(MULTIHASH);
    }

    /** The examples of the CID specification and the empty folder of UnixFS, as everybody writes them. */
    @Test
    void textsThatOthersWrite() {
        String empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assertThat(Block.of(Cid.RAW, new byte[0]).cid().toBytes())
                .isEqualTo(HexFormat.of().parseHex("01551220" + empty));
        assertThat(Block.of(Cid.RAW, new byte[0]).cid())
                .hasToString("bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku");
        Cid folder = Cid.parse("QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn");
        assertThat(folder.version()).isZero();
        assertThat(folder.toBytes()).startsWith(0x12, 0x20, 0x59, 0x94, 0x84);
        assertThat(folder).hasToString("QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn");
        Cid example = Cid.parse("zb2rhe5P4gXftAwvA4eXQ5HJwsER2owDyS9sKaQRRVQPn93bA");
        assertThat(example).isEqualTo(Cid.parse("bafkreidon73zkcrwdb5iafqtijxildoonbwnpv7dyd6ef3qdgads2jc4su"));
        assertThat(example.multihash())
                .isEqualTo(HexFormat.of()
                        .parseHex("12206e6ff7950a36187a801613426e858dce686cd7d7e3c0fc42ee0330072d245c95"));
    }

    @Test
    void longCodesAreRead() {
        long most = Long.MAX_VALUE;
        Cid cid = Cid.fromBytes(Cids.v1(most, most, 20));
        assertThat(cid.codec()).isEqualTo(most);
        assertThat(cid.hashFunction()).isEqualTo(most);
        assertThat(cid.byteLength()).isEqualTo(1 + 9 + 9 + 1 + 20);
        for (int bits = 0; bits < 63; bits++) {
            for (long codec : new long[] {1L << bits, (1L << bits) - 1}) {
                assertThat(Cid.fromBytes(Cids.v1(codec, 0, 0)).codec()).isEqualTo(codec);
            }
        }
    }

    @Test
    void onlyDagCborWithSha256NamesAShard() {
        assertThat(Cid.fromBytes(Cids.v1(0x71, 0x12, 32)).isShardLink()).isTrue();
        for (byte[] other : List.of(
                Cids.v1(0x55, 0x12, 32),
                Cids.v1(0x70, 0x12, 32),
                Cids.v1(0x71, 0x16, 32),
                Cids.v1(0x71, 0x1e, 32),
                Cids.v1(0x71, 0x13, 64),
                Cids.v1(0x71, 0x00, 32),
                Cids.v1(0x71 + 0x80, 0x12, 32),
                Cids.v0(Cids.filled(32)))) {
            assertThat(Cid.fromBytes(other).isShardLink())
                    .as(HexFormat.of().formatHex(other))
                    .isFalse();
        }
    }

    @Test
    void digests() {
        byte[] digest = Arrays.copyOfRange(MULTIHASH, 2, MULTIHASH.length);
        assertThat(Cid.fromBytes(V1).digest()).isEqualTo(digest);
        assertThat(Cid.fromBytes(MULTIHASH).digest()).isEqualTo(digest);
        for (int length : new int[] {0, 1, 127, 128}) {
            byte[] inline = new byte[length];
            Arrays.fill(inline, (byte) 0xff);
            assertThat(Cid.fromBytes(Cids.v1(Cid.RAW, Cid.IDENTITY, inline)).digest())
                    .isEqualTo(inline);
        }
        byte[] large = new byte[32];
        assertThat(Cid.fromBytes(Cids.v1(0x300000, 0x1012, large)).digest()).isEqualTo(large);
    }

    @Test
    void arraysGoInAndOutAsCopies() {
        byte[] bytes = V1.clone();
        Cid cid = Cid.fromBytes(bytes);
        Arrays.fill(bytes, (byte) 0);
        Arrays.fill(cid.toBytes(), (byte) 0);
        Arrays.fill(cid.multihash(), (byte) 0);
        Arrays.fill(cid.digest(), (byte) 0);
        assertThat(cid.toBytes()).isEqualTo(V1);
        assertThat(cid.multihash()).isEqualTo(MULTIHASH);
    }

    @Test
    void rangesOfBytes() {
        byte[] around = new byte[V1.length + 7];
        System.arraycopy(V1, 0, around, 3, V1.length);
        Cid cid = Cid.fromBytes(around, 3, 3 + V1.length);
        assertThat(cid.toBytes()).isEqualTo(V1);
        assertThat(cid.equalsBytes(around, 3, 3 + V1.length)).isTrue();
        assertThat(cid.equalsBytes(around, 3, 4 + V1.length)).isFalse();
        assertThat(cid.equalsBytes(around, 2, 2 + V1.length)).isFalse();
        assertThat(Cid.isShardLink(around, 3, 3 + V1.length)).isTrue();
        assertThat(Cid.isShardLink(around, 2, 2 + V1.length)).isFalse();
        byte[] out = new byte[V1.length + 2];
        assertThat(cid.writeTo(out, 2)).isEqualTo(out.length);
        assertThat(Arrays.copyOfRange(out, 2, out.length)).isEqualTo(V1);
        assertThatThrownBy(() -> Cid.fromBytes(around, 3, 2 + V1.length))
                .isInstanceOfSatisfying(
                        MalformedDataException.class,
                        e -> assertThat(e.offset()).isEqualTo(3 + 3));
    }

    static Stream<String> bases() {
        return TextBases.ENCODERS.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("bases")
    void everyBaseIsRead(String base) {
        String text = TextBases.ENCODERS.get(base).apply(V1);
        Cid cid = Cid.parse(text);
        assertThat(cid).isEqualTo(Cid.fromBytes(V1));
        assertThat(cid).hasToString(TextBases.ENCODERS.get("base32").apply(V1));
    }

    @Test
    void randomCidsInEveryBase() {
        Random random = Randomness.random("CidTest.randomCidsInEveryBase");
        int cids = Randomness.times(4_000, 200_000);
        for (int n = 0; n < cids; n++) {
            byte[] bytes = Cids.random(random);
            Cid cid = Cid.fromBytes(bytes);
            assertThat(PlainCid.isCid(bytes)).isTrue();
            assertThat(cid.toBytes()).isEqualTo(bytes);
            if (cid.version() == 0) {
                String text = TextBases.version0(bytes);
                assertThat(cid).hasToString(text);
                assertThat(Cid.parse(text)).isEqualTo(cid);
                continue;
            }
            assertThat(cid).hasToString(TextBases.ENCODERS.get("base32").apply(bytes));
            for (Map.Entry<String, Function<byte[], String>> base : TextBases.ENCODERS.entrySet()) {
                String text = base.getValue().apply(bytes);
                if (!cid.equals(Cid.parse(text))) {
                    throw new AssertionError(base.getKey() + ": " + text);
                }
            }
        }
    }

    @Test
    void equalityAndOrderAreThoseOfTheBytes() {
        Random random = Randomness.random("CidTest.equalityAndOrderAreThoseOfTheBytes");
        List<byte[]> all = new ArrayList<>();
        for (int n = 0; n < 300; n++) {
            byte[] bytes = Cids.random(random);
            byte[] neighbour = bytes.clone();
            neighbour[bytes.length - 1] ^= (byte) 0x80;
            all.add(bytes);
            if (PlainCid.isCid(neighbour)) {
                all.add(neighbour);
            }
        }
        // In lower-case hex, two digits for each byte, the order of text is the order of unsigned bytes.
        Comparator<byte[]> order = Comparator.comparing(bytes -> HexFormat.of().formatHex(bytes));
        for (byte[] a : all) {
            for (byte[] b : all) {
                Cid x = Cid.fromBytes(a);
                Cid y = Cid.fromBytes(b);
                int expected = Integer.signum(order.compare(a, b));
                assertThat(Integer.signum(x.compareTo(y))).isEqualTo(expected);
                assertThat(x.equals(y)).isEqualTo(expected == 0);
                if (expected == 0) {
                    assertThat(x).hasSameHashCodeAs(y);
                }
            }
        }
    }

    @Test
    void multihashNameIsTheMultihashInCapitals() {
        Random random = Randomness.random("CidTest.multihashNameIsTheMultihashInCapitals");
        for (int n = 0; n < 1_000; n++) {
            Cid cid = Cid.fromBytes(Cids.random(random));
            assertThat(cid.multihashName())
                    .isEqualTo(TextBases.ENCODERS.get("base32upper").apply(cid.multihash()));
            Cid raw = Cid.ofMultihashName(cid.multihashName());
            assertThat(raw.codec()).isEqualTo(Cid.RAW);
            assertThat(raw.multihash()).isEqualTo(cid.multihash());
        }
        for (String name :
                List.of("", "B", "BAA", "bciqa", "BCIQA", "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG")) {
            assertThatThrownBy(() -> Cid.ofMultihashName(name)).isInstanceOf(MalformedDataException.class);
        }
    }

    /** Names come from folders and archives of others: what is no name is not read as a number, digit by digit. */
    @Test
    void whatIsNoMultihashNameIsRefusedBeforeItIsRead() {
        for (String start : List.of("B", "b", "z", "9", "")) {
            assertThatThrownBy(() -> Cid.ofMultihashName(start + "2".repeat(Cid.MAX_TEXT)))
                    .isInstanceOf(MalformedDataException.class)
                    .hasMessageContaining(start.isEmpty() ? "base32upper" : "at most 4096 characters");
        }
        assertThatThrownBy(() -> Cid.ofMultihashName("z!")).hasMessageContaining("base32upper");
    }

    @Test
    void equalsOnlyCids() {
        Cid cid = Cid.fromBytes(V1);
        assertThat(cid).isNotEqualTo(null).isNotEqualTo(cid.toString());
        assertThat(cid).isNotEqualTo(Cid.fromBytes(MULTIHASH));
    }

    @Test
    void computedNamesCanBeRead() {
        for (long codec : new long[] {0, 0x55, 0x71, 0x80, 0x0129, 1L << 56, Long.MAX_VALUE}) {
            Cid cid = Block.of(codec, new byte[3]).cid();
            assertThat(cid.codec()).isEqualTo(codec);
            assertThat(Cid.fromBytes(cid.toBytes())).isEqualTo(cid);
            assertThat(Cid.parse(cid.toString())).isEqualTo(cid);
        }
    }

    /** A varint of multiformats has 63 bits: with such a codec the name of the block could never be read again. */
    @Test
    void codecsAreNotNegative() {
        for (long codec : new long[] {-1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> Block.of(codec, new byte[3])).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void bytesInACid() {
        for (int length : new int[] {0, 1, 127, 128, 1024, 2043}) {
            byte[] data = new byte[length];
            new Random(length).nextBytes(data);
            Cid cid = Cid.ofIdentity(Cid.RAW, data);
            assertThat(Cid.fromBytes(cid.toBytes())).isEqualTo(cid);
            assertThat(cid.digest()).isEqualTo(data);
            assertThat(cid.hashFunction()).isEqualTo(Cid.IDENTITY);
            assertThat(cid.codec()).isEqualTo(Cid.RAW);
        }
        assertThat(Cid.ofIdentity(Cid.RAW, new byte[0])).hasToString("bafkqaaa");
        assertThat(Cid.ofIdentity(Cid.DAG_CBOR, new byte[] {1}).codec()).isEqualTo(Cid.DAG_CBOR);
        assertThatIllegalArgumentException().isThrownBy(() -> Cid.ofIdentity(-1, new byte[0]));
        assertThatIllegalArgumentException().isThrownBy(() -> Cid.ofIdentity(Cid.RAW, new byte[2044]));
    }
}
