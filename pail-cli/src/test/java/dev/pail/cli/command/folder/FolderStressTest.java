package dev.pail.cli.command.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pail.cli.Answer;
import dev.pail.cli.Launched;
import dev.pail.cli.Main;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large files in a small heap, and processes that are killed or meet a full disk while they put or restore a folder. */
@Tag("stress")
class FolderStressTest {
    private static final long LARGE = 2L << 30;
    private static final int FILES = 60;
    private static final int KILLS = Randomness.times(10, 400);

    @TempDir
    Path folder;

    private static void random(Path file, long size, Random random) throws IOException {
        byte[] portion = new byte[1 << 20];
        random.nextBytes(portion);
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long left = size; left > 0; left -= portion.length) {
                // Other bytes in each portion, at the price of eight of them.
                random.nextBytes(portion);
                out.write(portion, 0, (int) Math.min(left, portion.length));
            }
        }
    }

    private Answer pail(String... arguments) {
        return Launched.pail(folder, arguments).answer();
    }

    private Answer small(String... arguments) {
        return Launched.start(Launched.builder(folder, smallCommand(arguments))).answer();
    }

    /** With both compilers, as the launcher starts commands that hash much. */
    private static List<String> smallCommand(String... arguments) {
        List<String> words = Launched.command(Main.class, arguments);
        words.set(words.indexOf("-XX:TieredStopAtLevel=1"), "-Xmx64m");
        return words;
    }

    @ParameterizedTest
    @ValueSource(strings = {"files", "segments"})
    void twoGibibytesInAHeapOf64Mebibytes(String blocks) throws IOException {
        pail("init", "-q", "--blocks", blocks).done();
        Path site = Files.createDirectory(folder.resolve("site"));
        random(site.resolve("large"), LARGE, new Random(1));
        small("put", "large", "--file", "site/large").done();
        assertThat(small("put", "-r", "site", "www").err()).isEqualTo("1 file: 1 new, 0 changed, 0 unchanged\n");
        assertThat(small("restore", "www", "--to", "out").err()).isEqualTo("1 file: 1 written, 0 unchanged\n");
        assertThat(Files.mismatch(site.resolve("large"), folder.resolve("out/large")))
                .isEqualTo(-1);
        Files.delete(folder.resolve("out/large"));
        Path out = folder.resolve("cat");
        ProcessBuilder cat =
                Launched.builder(folder, smallCommand("cat", "large")).redirectOutput(out.toFile());
        assertThat(Launched.start(cat).answer().status()).isZero();
        assertThat(Files.mismatch(site.resolve("large"), out)).isEqualTo(-1);
    }

    private Map<String, Long> makeFiles(Random random) throws IOException {
        Path site = Files.createDirectories(folder.resolve("site"));
        Map<String, Long> sizes = new TreeMap<>();
        for (int i = 0; i < FILES; i++) {
            String name = "d" + i % 7 + "/f" + i;
            Files.createDirectories(site.resolve(name).getParent());
            long size = i % 10 == 0 ? (3L << 20) + random.nextInt(1000) : random.nextInt(100_000);
            random(site.resolve(name), size, random);
            sizes.put(name, size);
        }
        return sizes;
    }

    /** How many files are below a folder. */
    private static long count(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).count();
        } catch (IOException | UncheckedIOException e) {
            // It is not there yet, or changes now.
            return 0;
        }
    }

    /** Kills a process when a folder has {@code files} files, unless it ends before. Returns whether it was killed. */
    private static boolean killAt(long files, Path in, Launched process) {
        while (process.process().isAlive() && count(in) < files) {
            Thread.onSpinWait();
        }
        boolean isAlive = process.process().isAlive();
        process.kill();
        process.answer();
        return isAlive;
    }

    private void checkRestored(String store, Map<String, Long> sizes) throws IOException {
        assertThat(pail("-C", store, "put", "-r", "site", "www").status()).isZero();
        assertThat(pail("-C", store, "ls").done().lines()).hasSize(FILES);
        pail("-C", store, "verify", "--values").done();
        Path out = folder.resolve(store + "-out");
        assertThat(pail("-C", store, "restore", "www", "--to", out.toString()).status())
                .isZero();
        for (String name : sizes.keySet()) {
            assertThat(Files.mismatch(folder.resolve("site").resolve(name), out.resolve(name)))
                    .as(name)
                    .isEqualTo(-1);
        }
        assertThat(count(out)).isEqualTo(FILES);
        assertThat(out.resolve(".pail-restore")).doesNotExist();
    }

    @Test
    void aKilledPutLeavesNothingHalfAndTheNextFinishes() throws IOException {
        Random random = Randomness.random("FolderStressTest.put");
        Map<String, Long> sizes = makeFiles(random);
        int killed = 0;
        for (int i = 0; i < KILLS; i++) {
            String store = "r" + i;
            String form = i % 2 == 0 ? "files" : "segments";
            pail("-C", store, "init", "-q", "--blocks", form).done();
            Path blocks = folder.resolve(store).resolve(i % 2 == 0 ? "blocks" : "segments");
            long at = i % 2 == 0 ? random.nextInt(FILES + 30) : random.nextInt(3);
            killed += killAt(at, blocks, Launched.pail(folder, "-C", store, "put", "-r", "site", "www")) ? 1 : 0;
            assertThat(pail("-C", store, "ls").done().text().lines().count()).isIn(0L, (long) FILES);
            checkRestored(store, sizes);
        }
        assertThat(killed).isPositive();
    }

    @Test
    void aKilledRestoreLeavesWholeFilesAndTheNextFinishes() throws IOException {
        Random random = Randomness.random("FolderStressTest.restore");
        Map<String, Long> sizes = makeFiles(random);
        pail("init", "-q").done();
        assertThat(pail("put", "-r", "site", "www").status()).isZero();
        int killed = 0;
        for (int i = 0; i < KILLS; i++) {
            Path out = folder.resolve("out" + i);
            long at = random.nextInt(FILES + 5);
            killed += killAt(at, out, Launched.pail(folder, "restore", "www", "--to", out.toString())) ? 1 : 0;
            for (String name : sizes.keySet()) {
                if (Files.exists(out.resolve(name))) {
                    assertThat(Files.mismatch(folder.resolve("site").resolve(name), out.resolve(name)))
                            .as(name)
                            .isEqualTo(-1);
                }
            }
            assertThat(pail("restore", "www", "--to", out.toString()).status()).isZero();
            assertThat(count(out)).isEqualTo(FILES);
            assertThat(out.resolve(".pail-restore")).doesNotExist();
        }
        assertThat(killed).isPositive();
    }

    /** A bound on the size of a file stands for a full disk: a write fails in the middle. */
    @ParameterizedTest
    @ValueSource(strings = {"files", "segments"})
    void aFullDiskLeavesNothingHalf(String blocks) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell");
        Map<String, Long> sizes = makeFiles(Randomness.random("FolderStressTest.full"));
        pail("-C", "r", "init", "-q", "--blocks", blocks).done();
        Answer put = bounded("-C", "r", "put", "-r", "site", "www");
        assertThat(put.status()).isEqualTo(Exit.FAILED);
        assertThat(put.err()).contains("error: ").doesNotContain("a defect in pail");
        assertThat(pail("-C", "r", "ls").done().text()).isEmpty();
        checkRestored("r", sizes);
        Answer restore = bounded("-C", "r", "restore", "www", "--to", "out");
        assertThat(restore.status()).isEqualTo(Exit.FAILED);
        assertThat(restore.err()).contains("error: cannot write: ", "hint: ");
        for (Map.Entry<String, Long> each : sizes.entrySet()) {
            Path file = folder.resolve("out").resolve(each.getKey());
            assertThat(!Files.exists(file) || Files.size(file) == each.getValue())
                    .as(each.getKey())
                    .isTrue();
        }
        assertThat(folder.resolve("out/.pail-restore")).doesNotExist();
    }

    /** Where no file may have more than 512 KiB. */
    private Answer bounded(String... arguments) {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", "ulimit -f 1024; exec \"$@\"", "sh"));
        words.addAll(Launched.command(Main.class, arguments));
        return Launched.start(Launched.builder(folder, words)).answer();
    }
}
