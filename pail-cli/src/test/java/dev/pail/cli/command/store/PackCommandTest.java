package dev.pail.cli.command.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.Snapshot;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks in segments: {@code init --blocks}, {@code pack}, {@code unpack}, {@code stat --storage}. */
class PackCommandTest {
    private static final int VERSIONS = 60;

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private final List<String> roots = new ArrayList<>();
    private final List<List<String>> versions = new ArrayList<>();

    /** A repository with many versions, which each add a key, and with the block of one value. */
    private Shell grown(String... options) {
        Shell shell = Shell.withRepository(folder, options);
        shell.feed("some bytes", "put", "stored", "--file", "-").done();
        for (int i = 0; i < VERSIONS; i++) {
            String key = "key/" + i * 7919 % 1000;
            roots.add(shell.run("put", key, Shell.cid(i)).done().line());
            versions.add(shell.keys());
        }
        return shell;
    }

    private long files(String name) throws IOException {
        Path path = folder.resolve(".pail").resolve(name);
        if (!Files.isDirectory(path)) {
            return 0;
        }
        try (Stream<Path> all = Files.walk(path)) {
            return all.filter(file -> file.toString().endsWith(".data")).count();
        }
    }

    private static JsonNode storage(Shell shell) {
        return shell.run("stat", "--storage", "--json").done().json().get(0);
    }

    private void allIsThere(Shell shell) {
        for (int i = 0; i < roots.size(); i++) {
            List<String> keys = shell.run("ls", "--json", "--at", roots.get(i)).done().json().stream()
                    .map(entry -> entry.get("key").asText())
                    .toList();
            assertThat(keys).isEqualTo(versions.get(i));
        }
        assertThat(shell.run("cat", "stored").done().text()).isEqualTo("some bytes");
        shell.run("verify", "--all").done();
    }

    @Test
    void packsAndUnpacks() throws IOException {
        Shell shell = grown();
        long blocks = files("blocks");
        JsonNode before = storage(shell);
        assertThat(before.get("inFiles").asLong()).isEqualTo(blocks);
        assertThat(before.get("inSegments").asLong()).isZero();
        assertThat(before.get("versions").asLong()).isEqualTo(VERSIONS + 1);

        JsonNode packed = shell.run("pack", "--json").done().json().get(0);

        assertThat(packed.get("moved").asLong()).isEqualTo(blocks);
        assertThat(files("blocks")).isZero();
        JsonNode after = storage(shell);
        assertThat(after.get("inSegments").asLong()).isEqualTo(blocks);
        assertThat(after.get("logicalBytes")).isEqualTo(before.get("logicalBytes"));
        assertThat(after.get("physicalBytes")).isEqualTo(packed.get("physicalBytes"));
        assertThat(after.get("physicalBytes").asLong())
                .isLessThan(before.get("physicalBytes").asLong() / 2);
        assertThat(after.get("longestChain").asLong()).isBetween(1L, 32L);
        allIsThere(shell);

        shell.put("loose", 1);
        assertThat(files("blocks")).isPositive();
        allIsThere(shell);
        assertThat(shell.run("unpack").done().text()).contains("moved\tblocks " + blocks);
        assertThat(storage(shell).get("inSegments").asLong()).isZero();
        assertThat(files("blocks")).isGreaterThan(blocks);
        allIsThere(shell);
        assertThat(shell.run("unpack").done().text()).contains("moved\tblocks 0");
    }

    @Test
    void keepsNewBlocksInSegments() throws IOException {
        Shell shell = grown("--blocks", "segments");
        assertThat(files("blocks")).isZero();
        JsonNode storage = storage(shell);
        assertThat(storage.get("inFiles").asLong()).isZero();
        assertThat(storage.get("ratio").asDouble()).isGreaterThan(2);
        assertThat(storage.get("bytesPerVersion").asDouble()).isLessThan(1000);
        allIsThere(shell);
        assertThat(shell.run("pack").done().text()).contains("moved\tblocks 0");
        shell.run("undo", "-q").done();
        shell.run("gc").done();
        roots.remove(roots.size() - 1);
        allIsThere(shell);
    }

    @Test
    void carriesOnBetweenRepositories() {
        Shell shell = grown();
        shell.run("export", "all.car").done();
        shell.run("-C", "other", "init", "-q", "--blocks", "segments").done();
        shell.run("-C", "other", "import", "all.car").done();
        assertThat(shell.run("-C", "other", "root").done().line()).isEqualTo(shell.root());
        JsonNode storage = shell.run("-C", "other", "stat", "--storage", "--json")
                .done()
                .json()
                .get(0);
        assertThat(storage.get("inFiles").asLong()).isZero();
        shell.run("-C", "other", "verify", "--all").done();
    }

    @Test
    void saysWhatIsDamaged() throws IOException {
        Shell shell = grown("--blocks", "segments");
        Path segment = folder.resolve(".pail/segments/00000.open");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[bytes.length / 2] ^= 1;
        Files.write(segment, bytes);
        Answer verified = shell.run("verify", "--all");
        assertThat(verified.status()).isEqualTo(Exit.DAMAGED);
        assertThat(verified.text() + verified.err()).contains("00000.open at offset ");
        shell.run("put", "more", Shell.cid(1)).done();
        Map<String, String> before = Snapshot.of(folder);
        shell.run("gc").refused(Exit.DAMAGED);
        assertThat(Snapshot.of(folder)).isEqualTo(before);
    }

    @Test
    void countsWhatIsLeft() throws IOException {
        Shell shell = grown("--blocks", "segments");
        long blocks = storage(shell).get("inSegments").asLong();
        Path segment = folder.resolve(".pail/segments/00000.open");
        byte[] bytes = Files.readAllBytes(segment);
        int payload = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("some bytes");
        for (int left = 0; left < 2; left++) {
            // The header of the record, which names the block, or its payload.
            int at = payload - 1 + left;
            bytes[at] ^= 1;
            Files.write(segment, bytes);
            Answer counted = shell.run("stat", "--storage");
            assertThat(counted.status()).isEqualTo(Exit.DAMAGED);
            assertThat(counted.text()).contains("inSegments\t" + (blocks - 1 + left));
            assertThat(counted.err()).contains("damage was found while counting", "00000.open at offset ");
            bytes[at] ^= 1;
        }
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        assertThat(Shell.in(folder).run("init", "--blocks", "rocks").refused(2)).contains("files or segments");
        assertThat(Files.exists(folder.resolve(".pail"))).isFalse();
        Shell shell = grown();
        assertThat(shell.run("stat", "--storage", "--at", "main").refused(2)).contains("--at");
        Path damaged;
        try (Stream<Path> all = Files.walk(folder.resolve(".pail/blocks"))) {
            damaged = all.filter(file -> file.toString().endsWith(".data"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        byte[] sound = Files.readAllBytes(damaged);
        Files.write(damaged, "something else".getBytes(StandardCharsets.US_ASCII));
        assertThat(shell.run("pack").refused(5)).contains(damaged.getFileName().toString());
        Files.write(damaged, sound);
        shell.run("pack").done();
        assertThat(files("blocks")).isZero();
        allIsThere(shell);
    }
}
