package dev.pail.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Launched;
import dev.pail.cli.Main;
import dev.pail.cli.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that Ctrl-C ends says what is kept. */
class InterruptionTest {
    private static final String NOTHING = "error: interrupted: nothing was changed\n";

    /** More than a pipe takes while its reader does not read. */
    private static final int KEYS = 5_000;

    @TempDir
    Path folder;

    private Shell shell;

    @BeforeEach
    void begin() {
        shell = Shell.withRepository(folder);
    }

    /** A thread of the runner must not be left interrupted. */
    @AfterEach
    void end() {
        assertThat(Thread.interrupted()).isFalse();
    }

    private static Answer interrupted(Launched command) throws IOException, InterruptedException {
        String pid = Long.toString(command.process().pid());
        new ProcessBuilder("kill", "-INT", pid).start().waitFor();
        return command.answer();
    }

    private static String lines() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < KEYS; i++) {
            lines.append("key").append(i).append('\t').append(Shell.cid(i)).append('\n');
        }
        return lines.toString();
    }

    @Test
    void endsWhileItReadsStandardInput() throws IOException, InterruptedException {
        List<String> words = Launched.command(Main.class, "load", "--progress", "always");
        Launched load = Launched.start(Launched.builder(folder, words).redirectErrorStream(true));
        load.write("a\t" + Shell.cid(1) + "\n");
        // No step comes, as the input does not end.
        assertThat(load.readThrough(" s")).contains("keys, ");
        Answer answer = interrupted(load);
        assertThat(answer.status()).isEqualTo(Exit.INTERRUPTED);
        assertThat(answer.text()).endsWith(NOTHING);
        assertThat(shell.run("ls").done().text()).isEmpty();
    }

    @Test
    void endsWhileItWorks() throws IOException, InterruptedException {
        shell.feed(lines(), "load").done();
        Launched export = Launched.pail(folder, "export", "-", "--json");
        assertThat(export.process().getInputStream().read()).isPositive();
        Answer answer = interrupted(export);
        assertThat(answer.status()).isEqualTo(Exit.INTERRUPTED);
        assertThat(answer.err())
                .isEqualTo("{\"error\":\"interrupted: nothing was changed\",\"code\":\"interrupted\"}\n");
    }

    @Test
    void endsTheBatchThatRunsIt() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("commands"), "put a x -q\nexport -\nput b x\n");
        shell.feed(lines(), "load").done();
        Launched batch = Launched.pail(folder, "batch", "commands", "--keep-going");
        assertThat(batch.process().getInputStream().read()).isPositive();
        Answer answer = interrupted(batch);
        assertThat(answer.status()).isEqualTo(Exit.INTERRUPTED);
        assertThat(answer.err()).contains(NOTHING);
        assertThat(shell.run("get", "a").status()).isEqualTo(Exit.DONE);
        assertThat(shell.run("get", "b").status()).isEqualTo(Exit.NO);
    }

    @Test
    void saysWhatIsKept() throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("files")).resolve("a"), "a");
        shell.run("put", "-r", "files", "-q").done();
        Shell other = Shell.withRepository(Files.createDirectory(folder.resolve("other")));
        other.run("remote", "add", "origin", folder.resolve(".pail").toString()).done();
        assertThat(interrupted(shell, "put", "-r", "files", "p")).isEqualTo(NOTHING);
        assertThat(interrupted(shell, "load")).isEqualTo(NOTHING);
        assertThat(interrupted(other, "fetch"))
                .isEqualTo(
                        "error: interrupted: the blocks that arrived are kept; run the same command again to continue\n");
        assertThat(interrupted(shell, "restore", "--to", "to"))
                .isEqualTo(
                        "error: interrupted: 0 of 1 file restored; run the same command again to restore the others\n");
        other.run("fetch").done();
    }

    /** What a command says whose thread is interrupted. */
    private static String interrupted(Shell shell, String... words) {
        Thread.currentThread().interrupt();
        Answer answer = shell.feed("a\t" + Shell.cid(1) + "\n", words);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(answer.status()).as(answer.err()).isEqualTo(Exit.INTERRUPTED);
        return answer.err();
    }
}
