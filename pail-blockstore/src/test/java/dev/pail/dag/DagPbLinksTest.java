package dev.pail.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The links of dag-pb. Nothing else of a block is read. */
class DagPbLinksTest {
    private static final Cid RAW = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final Cid V0 = Cid.parse("QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG");

    private static void field(ByteArrayOutputStream out, int number, byte[] content) {
        out.write(number << 3 | 2);
        out.write(content.length);
        out.writeBytes(content);
    }

    private static byte[] link(Cid cid) {
        ByteArrayOutputStream link = new ByteArrayOutputStream();
        field(link, 1, cid.toBytes());
        field(link, 2, new byte[] {'n'});
        link.writeBytes(new byte[] {3 << 3, (byte) 0x80, 1});
        return link.toByteArray();
    }

    private static byte[] node() {
        ByteArrayOutputStream node = new ByteArrayOutputStream();
        field(node, 2, link(RAW));
        field(node, 2, link(V0));
        field(node, 1, RAW.toBytes());
        return node.toByteArray();
    }

    private static List<Cid> links(byte[] node) {
        return Links.of(Block.of(Cid.DAG_PB, node), Link.Role.VALUE).stream()
                .map(Link::cid)
                .toList();
    }

    @Test
    void linksInTheirOrder() {
        assertThat(links(node())).containsExactly(RAW, V0);
        assertThat(links(new byte[0])).isEmpty();
    }

    /** What is no dag-pb has the links before the place where that shows, and never throws. */
    @Test
    void anythingElseIsReadAsFarAsItGoes() {
        byte[] node = node();
        int one = 2 + link(RAW).length;
        for (int length = 0; length < node.length; length++) {
            byte[] cut = Arrays.copyOf(node, length);
            if (length >= one) {
                assertThat(links(cut)).startsWith(RAW);
            }
        }
        Random random = new Random(Randomness.seed("DagPbLinksTest"));
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = node.clone();
            damaged[random.nextInt(node.length)] = (byte) random.nextInt();
            damaged[random.nextInt(node.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatCode(() -> links(damaged)).doesNotThrowAnyException();
        }
    }
}
