package dev.pail.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links of CBOR that is not dag-cbor. */
class CborLinksTest {
    private static final Cid LINK = Block.of(Cid.RAW, new byte[] {1}).cid();

    private static List<Cid> links(byte[] bytes) {
        return Links.of(Block.of(Cid.DAG_CBOR, bytes), Link.Role.VALUE).stream()
                .map(Link::cid)
                .toList();
    }

    /** An array of this, a link, and what is the end of that link. */
    private static byte[] with(String before, String tag) {
        byte[] cid = LINK.toBytes();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HexFormat.of().parseHex(before + tag));
        out.write(0);
        out.writeBytes(cid);
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "d82a5825",
                "d9002a5825",
                "da0000002a5825",
                "db000000000000002a5825",
                "d82a590025",
                "d82a5a00000025",
            })
    void areFoundHoweverTheirHeadsAreWritten(String tag) {
        // A floating point number of two bytes, the undefined value, an array without an end, and a text that is none.
        for (String before : List.of("82f93e00", "82f7", "9f", "8261ff")) {
            assertThat(links(with(before, tag))).as(before).containsExactly(LINK);
        }
    }

    @Test
    void areTheSameAsThoseOfDagCbor() {
        List<Cid> all = IntStream.range(0, 500)
                .mapToObj(i -> Block.of(Cid.RAW, new byte[] {(byte) i, (byte) (i >> 8)})
                        .cid())
                .toList();
        DagCborWriter writer = new DagCborWriter().array(all.size());
        all.forEach(writer::link);
        byte[] bytes = writer.toByteArray();
        assertThat(links(bytes)).isEqualTo(all);

        List<Cid> found = new ArrayList<>();
        CborLinks.forEach(bytes, found::add);
        assertThat(found).isEqualTo(all);
    }

    private static String link(String tag) {
        return tag + "00" + HexFormat.of().formatHex(LINK.toBytes());
    }

    private static List<Cid> linksOf(String hex) {
        return links(HexFormat.of().parseHex(hex));
    }

    /** What go-ipld-cbor and others write that is well-formed but not canonical (RFC 8949). */
    @Test
    void formsThatDagCborDoesNotHave_G4() {
        String plain = link("d82a5825");
        String cid = HexFormat.of().formatHex(LINK.toBytes());
        // In maps and arrays without an end, below other tags, as a key, behind another item, beside a string in
        // chunks.
        assertThat(linksOf("bf6161" + plain + "ff")).containsExactly(LINK);
        assertThat(linksOf("9f9f9f" + plain + "ffffff")).containsExactly(LINK);
        assertThat(linksOf("d9d9f7" + plain)).containsExactly(LINK);
        assertThat(linksOf("a1" + plain + "01")).containsExactly(LINK);
        assertThat(linksOf("00" + plain)).containsExactly(LINK);
        assertThat(linksOf("827f6161ff" + plain)).containsExactly(LINK);
        assertThat(linksOf("825f4161ff" + plain)).containsExactly(LINK);
        assertThat(linksOf("83f818fb3ff0000000000000" + plain)).containsExactly(LINK);
        // A CID in chunks.
        assertThat(linksOf("d82a5f41005824" + cid + "ff")).containsExactly(LINK);
        assertThat(linksOf("82d82a5f430001555822" + cid.substring(4) + "ff" + plain))
                .containsExactly(LINK, LINK);
    }

    @Test
    void whatIsNoLink_G4() {
        String plain = link("d82a5825");
        // The bytes of a link within a string, as of a document in a document.
        assertThat(linksOf("5829" + plain)).isEmpty();
        assertThat(linksOf("d8185829" + plain)).isEmpty();
        assertThat(linksOf("7829" + plain)).isEmpty();
        // No zero byte; no CID; a text; no byte string behind the tag; a number in the place of the tag.
        assertThat(linksOf("d82a5824" + HexFormat.of().formatHex(LINK.toBytes())))
                .isEmpty();
        assertThat(linksOf("d82a4100")).isEmpty();
        assertThat(linksOf("d82a430001ff")).isEmpty();
        assertThat(linksOf(link("d82a7825"))).isEmpty();
        assertThat(linksOf(link("d82a815825"))).isEmpty();
        assertThat(linksOf(link("182a5825"))).isEmpty();
        assertThat(linksOf("d82a5f5f4100ffff" + plain)).containsExactly(LINK);
        assertThat(linksOf("d82a5f" + "590801" + "00".repeat(2049) + "4100ff" + plain))
                .containsExactly(LINK);
    }

    /** Of what is no CBOR, the links before the first byte that shows it. */
    @Test
    void malformedBytesHaveTheLinksBefore_G4() {
        String plain = link("d82a5825");
        for (String broken : List.of("1c", "5d", "df", "3f", "5a00ffffff", "db00", "5bffffffffffffffff")) {
            assertThat(linksOf("82" + plain + broken + plain)).as(broken).containsExactly(LINK);
        }
    }

    /** Eight MiB of brackets, tags or chunks take no stack. */
    @ParameterizedTest
    @ValueSource(strings = {"9f", "81", "d82a", "d82a5f", "ff", "bf"})
    void deepNesting(String piece) {
        String plain = link("d82a5825");
        byte[] unit = HexFormat.of().parseHex(piece);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < (4 << 20) / unit.length; i++) {
            out.writeBytes(unit);
        }
        out.writeBytes(HexFormat.of().parseHex(plain));
        assertThat(links(out.toByteArray())).containsExactly(LINK);
    }

    /** For any bytes, nothing is thrown, and no CID reaches beyond them. */
    @Test
    void anythingIsRead() {
        Random random = new Random(Randomness.seed("CborLinksTest"));
        byte[] block = with("82f93e00", "d82a5825");
        for (int i = 0; i < 50_000; i++) {
            byte[] damaged = random.nextBoolean() ? block.clone() : Arrays.copyOf(block, random.nextInt(block.length));
            for (int at = 0; at < damaged.length && at < 1 + random.nextInt(3); at++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            CborLinks.forEach(damaged, cid -> assertThat(cid.toBytes()).hasSizeLessThan(damaged.length));
        }
        CborLinks.forEach(
                HexFormat.of().parseHex("d82a5affffffff00"),
                cid -> assertThat(cid).isNull());
        CborLinks.forEach(
                HexFormat.of().parseHex("d82a5bffffffffffffffff00"),
                cid -> assertThat(cid).isNull());
    }
}
