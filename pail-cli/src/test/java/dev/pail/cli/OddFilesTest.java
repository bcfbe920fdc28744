package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Cid;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Something else where a repository has a file or a folder (spec rule REP1): an error at once, and no wait. */
@Timeout(300)
class OddFilesTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;
    private Path store;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder, "--format", "v1");
        store = folder.resolve(".pail");
        shell.put("a", 1, "b", 2);
        shell.run("tag", "v1").done();
    }

    /** What is there instead. */
    enum Odd {
        PIPE {
            @Override
            void make(Path at) throws IOException {
                try {
                    assertThat(new ProcessBuilder("mkfifo", at.toString())
                                    .start()
                                    .waitFor())
                            .isZero();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        },
        DEVICE {
            @Override
            void make(Path at) throws IOException {
                Files.createSymbolicLink(at, Path.of("/dev/zero"));
            }
        },
        LOOP {
            @Override
            void make(Path at) throws IOException {
                Files.createSymbolicLink(at, at.getFileName());
            }
        },
        LINK_TO_NOTHING {
            @Override
            void make(Path at) throws IOException {
                Files.createSymbolicLink(at, Path.of("nothing"));
            }
        },
        OTHER {
            /** A file for a folder, and a folder for a file. */
            @Override
            void make(Path at) throws IOException {
                if (List.of("heads", "logs", "blocks", "tags", "segments", "trash")
                        .contains(at.getFileName().toString())) {
                    Files.writeString(at, "text");
                } else {
                    Files.createDirectory(at);
                }
            }
        };

        abstract void make(Path at) throws IOException;
    }

    private static void delete(Path path) throws IOException {
        if (Files.exists(path)) {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path each, IOException error) throws IOException {
                    Files.delete(each);
                    return FileVisitResult.CONTINUE;
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void insteadOfAFolder_REP1(Odd odd) throws IOException {
        for (String name : List.of("heads", "logs", "blocks", "tags", "segments", "trash")) {
            Path at = store.resolve(name);
            Path aside = store.resolveSibling("aside");
            boolean present = Files.exists(at);
            if (present) {
                Files.move(at, aside);
            }
            odd.make(at);
            for (String command : List.of("verify", "gc", "ls", "log", "undo", "stat", "pack")) {
                assertThat(shell.run(command).refused(Exit.DAMAGED))
                        .as(command)
                        .contains("not a folder", store.resolve(name).toString());
            }
            shell.run("put", "c", Shell.cid(3)).refused(Exit.DAMAGED);
            Files.delete(at);
            if (present) {
                Files.move(aside, at);
            }
            shell.run("verify", "--all").done();
        }
    }

    @ParameterizedTest
    @EnumSource
    void insteadOfAFile_REP1(Odd odd) throws IOException {
        String value = shell.feed("text", "put", "file", "--file", "-").done().line();
        assertThat(value).isNotEmpty();
        Cid root = Cid.parse(shell.root());
        String name = root.multihashName();
        String block = "blocks/" + name.substring(name.length() - 2) + "/" + name + ".data";
        for (String file : List.of("config", "branch", "gc", "LOCK", "heads/main", "logs/main", "tags/v1", block)) {
            Path at = store.resolve(file);
            Path aside = store.resolveSibling("aside");
            boolean present = Files.exists(at);
            if (present) {
                Files.move(at, aside);
            }
            odd.make(at);
            for (String command : List.of("ls", "log", "gc", "verify")) {
                int status = shell.run(command).status();
                assertThat(status).as("%s with %s", command, file).isIn(Exit.DONE, Exit.FAILED, Exit.DAMAGED);
            }
            // What has the name of a tag and is no file, is no tag (REP17). A damaged file gc was replaced, or is
            // refused.
            if (!List.of("LOCK", "tags/v1", "gc").contains(file)) {
                assertThat(shell.run("verify").status()).as(file).isIn(Exit.FAILED, Exit.DAMAGED);
            }
            delete(at);
            Files.deleteIfExists(at);
            if (present) {
                Files.move(aside, at);
            }
        }
        shell.run("verify").done();
    }

    /** The last generation that there can be is not moved from, and what is beyond it is no line. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, 1L << 53, (1L << 53) - 1})
    void aGenerationWithoutANextOne_REP9(long generation) throws IOException {
        Path log = store.resolve("logs/main");
        List<String> lines = Files.readAllLines(log);
        String last = lines.get(lines.size() - 1);
        String body = generation + last.substring(last.indexOf('\t'), last.lastIndexOf('\t'));
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(StandardCharsets.US_ASCII));
        lines.set(lines.size() - 1, body + "\t" + String.format("%08x", crc.getValue()));
        Files.writeString(log, String.join("\n", lines) + "\n");
        assertThat(shell.run("put", "c", Shell.cid(3)).refused(Exit.DAMAGED)).contains("main");
        assertThat(shell.run("verify").status()).isEqualTo(Exit.DAMAGED);
        assertThat(Files.readAllLines(log)).isEqualTo(lines);
    }

    /** A pipe that a user names is read. */
    @Test
    void aPipeThatIsNamedIsRead() throws IOException, InterruptedException {
        shell.run("export", "s.car").done();
        Odd.PIPE.make(folder.resolve("pipe"));
        Process cat = new ProcessBuilder("sh", "-c", "cat s.car > pipe")
                .directory(folder.toFile())
                .start();
        shell.run("import", "pipe", "-b", "copy").done();
        assertThat(cat.waitFor()).isZero();
        assertThat(shell.run("root", "-b", "copy").line()).isEqualTo(shell.root());
        assertThat(shell.run("-C", "pipe", "ls").status()).isEqualTo(Exit.FAILED);
    }
}
