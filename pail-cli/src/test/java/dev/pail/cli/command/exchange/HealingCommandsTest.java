package dev.pail.cli.command.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that a copy has lost, and that a remote has. */
final class HealingCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeCopy() {
        shell = Shell.in(folder);
        shell.run("-C", "origin", "init", "-q", "--format", "v1").done();
        for (int i = 0; i < 20; i++) {
            shell.run("-C", "origin", "put", "key" + i, "--text", "text " + i, "-q")
                    .done();
        }
        shell.run("clone", "origin", "copy", "-q").done();
        shell.run("-C", "copy", "unpack", "-q").done();
    }

    private void loseAll() throws IOException {
        for (String place : List.of("copy/segments", "copy/blocks")) {
            try (Stream<Path> all = Files.walk(folder.resolve(place))) {
                all.filter(Files::isRegularFile).forEach(HealingCommandsTest::delete);
            }
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aReadGetsALostBlockAndSaysSoOnce() throws IOException {
        loseAll();
        Answer cat = shell.run("-C", "copy", "cat", "key7");
        assertThat(cat.status()).isZero();
        assertThat(cat.text()).isEqualTo("text 7");
        assertThat(cat.err().lines().filter(line -> line.contains("came from origin")))
                .hasSize(1);
        assertThat(shell.run("-C", "copy", "cat", "key7").done().err()).isEmpty();
    }

    @Test
    void verifyHealsAll() throws IOException {
        loseAll();
        assertThat(shell.run("-C", "copy", "verify", "--all").status()).isEqualTo(Exit.DAMAGED);
        Answer healed = shell.run("-C", "copy", "verify", "--all", "--values", "--heal");
        assertThat(healed.status()).isZero();
        assertThat(healed.err()).contains("fetched").contains("missing or damaged here");
        shell.run("-C", "copy", "verify", "--all", "--values").done();
    }

    /** New blocks go to segments here, and a damaged file is replaced all the same. */
    @Test
    void verifyHealsDamagedFiles() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("copy/blocks"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2] ^= 1;
                Files.write(file, bytes);
            }
        }
        assertThat(shell.run("-C", "copy", "verify", "--all", "--values").status())
                .isEqualTo(Exit.DAMAGED);
        assertThat(shell.run("-C", "copy", "verify", "--all", "--values", "--heal")
                        .status())
                .isZero();
        shell.run("-C", "copy", "verify", "--all", "--values").done();
    }

    @Test
    void fetchHealsAll() throws IOException {
        loseAll();
        assertThat(shell.run("-C", "copy", "fetch", "--heal").status()).isZero();
        shell.run("-C", "copy", "verify", "--all", "--values").done();
    }

    @Test
    void aCarFileHeals() throws IOException {
        shell.run("-C", "origin", "export", "backup.car", "-q").done();
        loseAll();
        assertThat(shell.run("-C", "copy", "verify", "--all", "--values", "--heal", "--from", "backup.car")
                        .status())
                .isZero();
        shell.run("-C", "copy", "verify", "--all", "--values").done();
    }

    /** Without the remote, a lost block is lost: the error is that of before, and a line says why it could not be had. */
    @Test
    void aRemoteThatIsGoneIsNamed() throws IOException {
        loseAll();
        Files.move(folder.resolve("origin"), folder.resolve("elsewhere"));
        Answer cat = shell.run("-C", "copy", "cat", "key7");
        assertThat(cat.status()).isEqualTo(Exit.DAMAGED);
        assertThat(cat.err()).contains("origin cannot be asked for them").contains("error: missing block");
        assertThat(shell.run("-C", "copy", "verify", "--heal").status()).isEqualTo(Exit.DAMAGED);
    }

    @Test
    void usageOfHeal() {
        shell.run("-C", "origin", "verify", "--heal").refused(Exit.USAGE);
        shell.run("-C", "copy", "verify", "--from", "origin").refused(Exit.USAGE);
    }
}
