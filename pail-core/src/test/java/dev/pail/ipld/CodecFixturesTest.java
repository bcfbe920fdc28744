package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pail.testkit.Corpora;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The fixtures that IPLD's implementations share: each file is named by the CID of its bytes. */
class CodecFixturesTest {
    @Test
    void fixtures() throws IOException {
        List<Path> files = files("codec-fixtures/fixtures", ".dag-cbor");
        for (Path file : files) {
            String name = file.getFileName().toString();
            Cid cid = Cid.parse(name.substring(0, name.length() - ".dag-cbor".length()));
            byte[] bytes = Files.readAllBytes(file);
            Transcoder.check(bytes);
            assertThat(Transcoder.transcode(bytes)).as(name).isEqualTo(bytes);
            assertThat(cid.isShardLink()).as(name).isTrue();
            assertThat(cid + ".dag-cbor").isEqualTo(name);
            assertThat(Block.of(Cid.DAG_CBOR, bytes).cid()).isEqualTo(cid);
            assertThat(Block.verified(cid, bytes).bytes()).isEqualTo(bytes);
        }
        assertThat(files).hasSize(128);
    }

    @Test
    void negativeFixtures() throws IOException {
        int refused = 0;
        for (Path file : files("codec-fixtures/negative-fixtures/dag-cbor/decode", ".json")) {
            for (JsonNode each : new ObjectMapper().readTree(file.toFile())) {
                Refusals.ofDagCbor(HexFormat.of().parseHex(each.get("hex").asText()));
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    private static List<Path> files(String folder, String ending) throws IOException {
        try (Stream<Path> found = Files.walk(Corpora.find(folder))) {
            return found.filter(file -> file.getFileName().toString().endsWith(ending))
                    .toList();
        }
    }
}
