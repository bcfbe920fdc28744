package dev.pail.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.car.Randomness;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
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

    /** Whatever the bytes are, nothing is thrown, and no CID reaches beyond them. */
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
