package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Randomness;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes that are nearly dag-cbor, and all short ones: what is accepted is canonical, and is what the twin accepts. */
class DagCborMutationTest {
    private static final List<byte[]> DOCUMENTS = List.of(
            new DagCborWriter().integer(1000).toByteArray(),
            new DagCborWriter().integer(Long.MIN_VALUE).toByteArray(),
            new DagCborWriter().number(1.5).toByteArray(),
            new DagCborWriter().text("a\u00fc\u20ac\ud83d\ude00").toByteArray(),
            new DagCborWriter().bytes(new byte[300]).toByteArray(),
            new DagCborWriter()
                    .link(Cid.fromBytes(Cids.v1(Cid.DAG_CBOR, Cid.SHA2_256, 32)))
                    .toByteArray(),
            new DagCborWriter().link(Cid.fromBytes(Cids.v0(Cids.filled(32)))).toByteArray(),
            new DagCborWriter()
                    .link(Cid.fromBytes(Cids.v1(Cid.RAW, Cid.IDENTITY, 1)))
                    .toByteArray(),
            new DagCborWriter().array(3).bool(true).nothing().array(0).toByteArray(),
            new DagCborWriter()
                    .map(4)
                    .text("")
                    .integer(0)
                    .text("a")
                    .map(1)
                    .text("k")
                    .bool(false)
                    .text("b")
                    .array(2)
                    .text("x")
                    .number(-2)
                    .text("bb")
                    .link(Cid.fromBytes(Cids.v1(Cid.RAW, Cid.SHA2_256, 32)))
                    .toByteArray());

    private int accepted;
    private int refused;

    @Test
    void everyCut() {
        for (byte[] document : DOCUMENTS) {
            assertThat(Transcoder.transcode(document)).isEqualTo(document);
            for (int length = 0; length < document.length; length++) {
                Refusals.ofDagCbor(Arrays.copyOf(document, length));
            }
        }
    }

    @Test
    void everyByteReplaced() {
        for (byte[] document : DOCUMENTS) {
            for (int i = 0; i < Math.min(document.length, 100); i++) {
                byte[] changed = document.clone();
                for (int b = 0; b < 256; b++) {
                    changed[i] = (byte) b;
                    check(changed);
                }
            }
        }
        assertBoth();
    }

    @Test
    void everyShortDocument() {
        check(new byte[0]);
        for (int first = 0; first < 256; first++) {
            check(new byte[] {(byte) first});
            for (int second = 0; second < 256; second++) {
                check(new byte[] {(byte) first, (byte) second});
            }
        }
        assertBoth();
    }

    /** Documents with a few bytes changed, moved, left out or put in. */
    @Test
    void randomChanges() {
        Random random = Randomness.random("DagCborMutationTest.randomChanges");
        for (int n = 0; n < 50_000; n++) {
            byte[] document = DOCUMENTS.get(random.nextInt(DOCUMENTS.size()));
            StringBuilder hex = new StringBuilder(HexFormat.of().formatHex(document));
            for (int changes = 1 + random.nextInt(3); changes > 0 && hex.length() > 2; changes--) {
                int at = 2 * random.nextInt(hex.length() / 2);
                String value = HexFormat.of().toHexDigits((byte) interesting(random));
                switch (random.nextInt(3)) {
                    case 0 -> hex.replace(at, at + 2, value);
                    case 1 -> hex.insert(at, value);
                    default -> hex.delete(at, at + 2);
                }
            }
            check(HexFormat.of().parseHex(hex));
        }
        assertBoth();
    }

    /** Short documents of heads that mean something, with small contents. */
    @Test
    void randomHeads() {
        Random random = Randomness.random("DagCborMutationTest.randomHeads");
        for (int n = 0; n < 100_000; n++) {
            byte[] bytes = new byte[1 + random.nextInt(12)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) interesting(random);
            }
            check(bytes);
        }
        assertBoth();
    }

    /** Initial bytes of all kinds with small arguments, letters, and a few others. */
    private static int interesting(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(256);
            case 1 -> random.nextInt(3);
            case 2 -> 0x60 + random.nextInt(3);
            default ->
                (random.nextInt(8) << 5) | List.of(0, 1, 2, 3, 21, 22, 24, 27).get(random.nextInt(8));
        };
    }

    private void check(byte[] bytes) {
        if (PlainCbor.isDagCbor(bytes)) {
            accepted++;
            Transcoder.check(bytes);
            assertThat(Transcoder.transcode(bytes)).isEqualTo(bytes);
        } else {
            refused++;
            Refusals.ofDagCbor(bytes);
        }
    }

    private void assertBoth() {
        assertThat(accepted).isPositive();
        assertThat(refused).isPositive();
    }
}
