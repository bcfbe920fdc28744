package dev.pail.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Cid;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Symbolic links that lead out of a foreign repository. A command may refuse them or put files in their place, but it never changes
 * their targets.
 */
class LinksTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;
    private Path store;
    private Path outside;
    private Map<String, String> before;

    @BeforeEach
    void makeRepository() throws IOException {
        Files.createDirectory(folder.resolve("shell"));
        shell = Shell.withRepository(folder.resolve("shell"));
        shell.put("a", 1);
        store = folder.resolve("shell/.pail");
        outside = Files.createDirectory(folder.resolve("outside"));
        for (String name : new String[] {"precious", "main"}) {
            Files.writeString(outside.resolve(name), "precious");
            Files.setLastModifiedTime(outside.resolve(name), FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
        }
        before = Snapshot.of(outside);
    }

    /** Makes all kinds of changes, and looks at what they have done to what is outside. */
    private void checkHarmless() {
        for (Answer answer : new Answer[] {
            shell.run("put", "b", Shell.cid(2)),
            shell.feed("precious", "put", "c", "--file", "-"),
            shell.feed(Line.put("d", 3), "apply"),
            shell.run("rm", "a")
        }) {
            if (answer.status() == Exit.DONE) {
                answer.done();
            } else {
                assertThat(answer.status()).isIn(Exit.FAILED, Exit.DAMAGED);
                answer.refused(answer.status());
            }
        }
        assertThat(Snapshot.of(outside)).isEqualTo(before);
    }

    private static void link(Path from, Path to) throws IOException {
        Files.deleteIfExists(from);
        Files.createSymbolicLink(from, to);
    }

    @Test
    void inThePlaceOfTheLock() throws IOException {
        link(store.resolve("LOCK"), outside.resolve("precious"));

        checkHarmless();
    }

    @Test
    void inThePlaceOfTheLockToNothing() throws IOException {
        link(store.resolve("LOCK"), outside.resolve("new"));

        checkHarmless();
    }

    @Test
    void inThePlaceOfTemporaryFiles() throws IOException {
        link(store.resolve("blocks/.tmp"), outside);

        checkHarmless();
    }

    @Test
    void inThePlaceOfTheHead() throws IOException {
        String root = shell.root();
        Files.writeString(outside.resolve("precious"), root + "\n");
        before = Snapshot.of(outside);
        link(store.resolve("heads/main"), outside.resolve("precious"));

        checkHarmless();
    }

    @Test
    void inThePlaceOfABlock() throws IOException {
        String name = Cid.parse(Shell.cid("precious".getBytes(US_ASCII))).multihashName();
        Path file = store.resolve("blocks/" + name.substring(name.length() - 2) + "/" + name + ".data");
        Files.createDirectories(file.getParent());
        link(file, outside.resolve("new"));

        checkHarmless();
    }
}
