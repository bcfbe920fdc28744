package dev.pail.dag;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.testkit.Randomness;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The links of git-raw and of dag-jose. */
class GitLinksTest {
    private static final String ONE = "1".repeat(40);
    private static final String TWO = "ab".repeat(20);
    private static final Cid FIRST = Cid.parse("f01781114" + ONE);
    private static final Cid SECOND = Cid.parse("f01781114" + TWO);
    private static final Cid RAW = Block.of(Cid.RAW, new byte[] {1}).cid();

    private static byte[] object(String type, String body) {
        return (type + " " + body.length() + "\0" + body).getBytes(ISO_8859_1);
    }

    private static List<Cid> links(byte[] object) {
        return Links.of(Block.verified(RandomDag.sha1(object), object), Link.Role.VALUE).stream()
                .map(Link::cid)
                .toList();
    }

    private static List<Cid> jose(byte[] bytes) {
        return Links.of(Block.of(0x85, bytes), Link.Role.VALUE).stream()
                .map(Link::cid)
                .toList();
    }

    private static byte[] tree() {
        return object(
                "tree",
                "100644 a b\0" + new String(FIRST.digest(), ISO_8859_1) + "40000 c\0"
                        + new String(SECOND.digest(), ISO_8859_1));
    }

    @Test
    void treeLinksToItsEntries_G4() {
        assertThat(links(tree())).containsExactly(FIRST, SECOND);
        assertThat(links(object("tree", ""))).isEmpty();
        assertThat(links(object("blob", "tree " + ONE + "\n"))).isEmpty();
        assertThat(links("tree".getBytes(ISO_8859_1))).isEmpty();
    }

    @Test
    void commitLinksToTreeAndParentsBeforeItsMessage_G4() {
        String body = "tree " + ONE + "\nparent " + TWO + "\nparent " + ONE + "\nauthor parent " + TWO
                + "\nmergetag object " + TWO + "\n type commit\n object " + ONE + "\n\nparent " + ONE + "\n";
        assertThat(links(object("commit", body))).containsExactly(FIRST, SECOND, FIRST, SECOND);
        assertThat(links(object(
                        "commit", "tree " + ONE + "x\nparent " + ONE.substring(1) + "\nparent " + "g".repeat(40))))
                .isEmpty();
        assertThat(links(object("commit", "parent " + TWO))).containsExactly(SECOND);
    }

    @Test
    void tagLinksToItsObject_G4() {
        assertThat(links(object("tag", "object " + TWO + "\ntype commit\ntag v1\n\nobject " + ONE + "\n")))
                .containsExactly(SECOND);
    }

    @Test
    void signatureLinksToItsPayload_G4() {
        DagCborWriter signed = new DagCborWriter().map(3).text("link").link(FIRST);
        signed.text("payload").bytes(RAW.toBytes());
        signed.text("signatures")
                .array(1)
                .map(2)
                .text("header")
                .map(1)
                .text("by")
                .link(SECOND);
        signed.text("payload").bytes(FIRST.toBytes());
        assertThat(jose(signed.toByteArray())).containsExactly(FIRST, RAW, SECOND);
    }

    @Test
    void payloadThatIsNoCidIsNoLink_G4() {
        assertThat(jose(new DagCborWriter()
                        .map(1)
                        .text("payload")
                        .bytes(new byte[] {1, 2})
                        .toByteArray()))
                .isEmpty();
        assertThat(jose(new DagCborWriter().map(1).text("payload").link(RAW).toByteArray()))
                .containsExactly(RAW);
        assertThat(jose(new DagCborWriter().array(1).link(RAW).toByteArray())).containsExactly(RAW);
    }

    /** Older programs wrote the fields in another order. */
    @Test
    void fieldsOfSignaturesMayBeInAnyOrder_G4() {
        byte[] signatures = new DagCborWriter().text("signatures").toByteArray();
        byte[] payload = new DagCborWriter().text("payload").toByteArray();
        byte[] cid = new DagCborWriter().bytes(RAW.toBytes()).toByteArray();
        byte[] bytes = new byte[2 + signatures.length + payload.length + cid.length];
        bytes[0] = (byte) 0xa2;
        System.arraycopy(signatures, 0, bytes, 1, signatures.length);
        bytes[1 + signatures.length] = (byte) 0x80;
        System.arraycopy(payload, 0, bytes, 2 + signatures.length, payload.length);
        System.arraycopy(cid, 0, bytes, 2 + signatures.length + payload.length, cid.length);
        assertThat(jose(bytes)).containsExactly(RAW);
    }

    /** Damaged objects have the links before the damage, and never throw. */
    @Test
    void anythingElseIsReadAsFarAsItGoes_G4() {
        byte[] tree = tree();
        assertThat(links(Arrays.copyOf(tree, tree.length - 1))).containsExactly(FIRST);
        byte[] commit = object("commit", "tree " + ONE + "\nparent " + TWO + "\n\n");
        byte[] signed = new DagCborWriter()
                .map(2)
                .text("payload")
                .bytes(RAW.toBytes())
                .text("signatures")
                .array(1)
                .link(FIRST)
                .toByteArray();
        assertThat(jose(Arrays.copyOf(signed, signed.length - 1))).containsExactly(RAW);
        Random random = new Random(Randomness.seed("GitLinksTest"));
        for (int i = 0; i < 20_000; i++) {
            for (byte[] whole : List.of(tree, commit, signed)) {
                byte[] damaged = Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                assertThatCode(() -> {
                            links(damaged);
                            jose(damaged);
                        })
                        .doesNotThrowAnyException();
            }
        }
    }
}
