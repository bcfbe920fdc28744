package dev.pail.dag;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links of dag-json. CID stands for the text of one. */
class DagJsonLinksTest {
    private static final long DAG_JSON = 0x0129;
    private static final Cid LINK = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final Cid V0 = Cid.parse("QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG");

    private static List<Cid> links(String json) {
        return links(json.replace("CID", LINK.toString()).getBytes(UTF_8));
    }

    private static List<Cid> links(byte[] json) {
        return Links.of(Block.of(DAG_JSON, json), Link.Role.VALUE).stream()
                .map(Link::cid)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"/\":\"CID\"}",
                " { \"/\" :\t\"CID\"\r\n } ",
                "{\"\\u002f\":\"CID\"}",
                "{\"\\/\":\"\\u0062CID\"}",
                "{\"a\":[1,-2.5E+3,true,false,null,{\"/\":\"CID\"}]}",
                "{\"/\":{\"/\":\"CID\"}}",
                "{\"a\":{\"/\":{\"bytes\":\"AQ\"}},\"b\":{\"/\":\"CID\"}}",
                "{\"\":\"\",\"\\\"{\":{\"/\":\"CID\"}}",
                "{\"long\":\"LONG\",\"b\":{\"/\":\"CID\"}}",
                "[\"\u00e9\ud83e\udea3\\ud83e\\q\",{\"/\":\"CID\"}",
            })
    void oneLink_G4(String json) {
        String text = json.replace("\\u0062CID", "\\u0062" + LINK.toString().substring(1));
        assertThat(links(text.replace("LONG", "/".repeat(100_000)))).containsExactly(LINK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"CID\"",
                "[\"/\",\"CID\"]",
                "{\"/\":{\"bytes\":\"CID\"}}",
                "{\"/\":\"CID\",\"a\":1}",
                "{\"a\":1,\"/\":\"CID\"}",
                "{\"/a\":\"CID\"}",
                "{\"/\\u0000\":\"CID\"}",
                "{\"/\":[\"CID\"]}",
                "{\"/\":\"CID\\n\"}",
                "{\"/\":\"/ipfs/CID\"}",
                "{\"/\":\"\"}",
                "{\"/\":\"no cid\"}",
                "{\"/\":1}",
                "\"{\\\"/\\\":\\\"CID\\\"}\"",
                "{\"/\":\"CID\"",
                "{\"/\":\"CID",
                "{\"/\":\"CID\"]}",
            })
    void noLink_G4(String json) {
        assertThat(links(json)).isEmpty();
    }

    @Test
    void linksInTheirOrder() {
        assertThat(links("[{\"/\":\"" + V0 + "\"},{\"/\":\"CID\"},{\"/\":\"" + V0 + "\"}]"))
                .containsExactly(V0, LINK, V0);
    }

    /** Of what is no JSON, the links before the first byte that shows it. */
    @Test
    void malformedBytesHaveTheLinksBefore_G4() {
        for (String broken : List.of("'", "\u0001", "\ufeff", "X", "\u00e9")) {
            assertThat(links("[{\"/\":\"CID\"}," + broken + ",{\"/\":\"CID\"}]"))
                    .as(broken)
                    .containsExactly(LINK);
        }
    }

    @Test
    void deepNesting() {
        for (String piece : List.of("[", "{", "{\"/\":", "]", "\"\",")) {
            assertThat(links(piece.repeat((4 << 20) / piece.length()) + "{\"/\":\"CID\"}"))
                    .as(piece)
                    .containsExactly(LINK);
        }
    }

    /** For any bytes, nothing is thrown. */
    @Test
    void anythingIsRead() {
        Random random = new Random(Randomness.seed("DagJsonLinksTest"));
        byte[] json = ("{\"a\\u00e9\":[{\"/\":\"" + LINK + "\"},1.5]}").getBytes(UTF_8);
        for (int i = 0; i < 50_000; i++) {
            byte[] damaged = random.nextBoolean() ? json.clone() : Arrays.copyOf(json, random.nextInt(json.length));
            for (int at = 0; at < damaged.length && at < 1 + random.nextInt(3); at++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            assertThat(links(damaged)).hasSizeLessThan(2);
        }
    }
}
