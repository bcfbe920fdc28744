package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of UnixFS that went through put, export and import is whole: npm {@code ipfs-car} and {@code @helia/unixfs} read it. */
class InteropUnixfsTest {
    private final InteropNode node = InteropNode.required();

    @TempDir
    Path folder;

    private String ipfsCar(String... arguments) {
        JsonNode answer =
                node.run("ipfs-car.js", List.of(), (Object[]) arguments).get(0);
        assertThat(answer.get("status").asInt()).as(answer.get("err").asText()).isZero();
        return answer.get("out").asText().strip();
    }

    /** Files of several blocks, one that is empty, and folders in each other. */
    private Map<String, byte[]> files() {
        Random random = new Random(1);
        byte[] large = new byte[3 << 20];
        random.nextBytes(large);
        return new TreeMap<>(Map.of(
                "index.html",
                "<p>Grüße</p>".getBytes(StandardCharsets.UTF_8),
                "empty",
                new byte[0],
                "pictures/large.bin",
                large,
                "pictures/small/one",
                new byte[] {1}));
    }

    @Test
    void aFolderArrivesWhole_G4() throws IOException {
        Map<String, byte[]> files = files();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve("site").resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        String site = folder.resolve("site.car").toString();
        ipfsCar("pack", folder.resolve("site").toString(), "--no-wrap", "--output", site);
        String root = ipfsCar("roots", site);

        Shell shell = Shell.in(folder);
        shell.run("-C", "ann", "init", "-q").done();
        // It names no version; its blocks are taken in.
        shell.run("-C", "ann", "import", "site.car");
        shell.run("-C", "ann", "put", "site", root).done();
        assertThat(shell.run("-C", "ann", "export", "ann.car").done().err()).isEmpty();
        shell.run("-C", "bob", "init", "-q").done();
        assertThat(shell.run("-C", "bob", "import", "ann.car").done().err()).isEmpty();
        assertThat(shell.run("-C", "bob", "verify", "--values").done().line())
                .contains("values absent 0", "below values absent 0");

        Map<String, byte[]> read = new TreeMap<>();
        node.run("read-unixfs.js", List.of(), folder.resolve("bob/blocks"), root)
                .forEach(file -> read.put(
                        file.get("path").asText(),
                        Base64.getDecoder().decode(file.get("bytes").asText())));
        assertThat(read.keySet()).isEqualTo(files.keySet());
        files.forEach((path, bytes) -> assertThat(read.get(path)).as(path).isEqualTo(bytes));

        ipfsCar(
                "unpack",
                folder.resolve("ann.car").toString(),
                "--root",
                root,
                "--output",
                folder.resolve("out").toString());
        files.forEach((path, bytes) ->
                assertThat(folder.resolve("out").resolve(path)).as(path).hasBinaryContent(bytes));
    }
}
