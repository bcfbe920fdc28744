package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Corpora;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The test vectors of the CBOR working group: the reader accepts those that are dag-cbor, and no others. */
class CborWgTest {
    private int accepted;
    private int refused;
    private int malformed;

    @Test
    void everyCase() throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(Corpora.find("cbor-wg/tests"))) {
            files = found.filter(file -> file.toString().endsWith(".cbor"))
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSize(13);
        for (Path file : files) {
            PlainCbor.Item suite = PlainCbor.read(Files.readAllBytes(file));
            boolean fails = isTrue(suite.get("fail"));
            for (PlainCbor.Item each : suite.get("tests").items()) {
                check(each.get("encoded").bytes(), fails || isTrue(each.get("fail")));
            }
        }
        assertThat(accepted).isPositive();
        assertThat(refused).isPositive();
        assertThat(malformed).isPositive();
        assertThat(accepted + refused + malformed).isEqualTo(1381);
    }

    private static boolean isTrue(PlainCbor.Item item) {
        return item != null && item.major() == 7 && item.argument() == 21;
    }

    private void check(byte[] encoded, boolean fails) {
        String hex = HexFormat.of().formatHex(encoded);
        boolean expected = PlainCbor.isDagCbor(encoded);
        if (fails) {
            malformed++;
            assertThat(expected).as(hex).isFalse();
            Refusals.ofDagCbor(encoded);
        } else if (expected) {
            accepted++;
            Transcoder.check(encoded);
            assertThat(Transcoder.transcode(encoded)).as(hex).isEqualTo(encoded);
        } else {
            refused++;
            Refusals.ofDagCbor(encoded);
        }
    }
}
