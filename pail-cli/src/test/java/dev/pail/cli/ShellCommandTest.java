package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell without a terminal; {@link ShellTerminalTest} has the rest. */
class ShellCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    @Test
    void eachLineIsACommandAndTheLastHasTheExitStatus() {
        Shell shell = Shell.withRepository(folder);
        Answer answer = shell.feed("# fruit\nput a --text 1 -q\nget none\n\npail cat a\n", "shell");
        assertThat(answer.status()).isZero();
        assertThat(answer.text()).isEqualTo("1");
        assertThat(answer.err()).contains("no such key: \"none\"").doesNotContain("main>");
        assertThat(shell.feed("get none\n# the end\n", "shell").status()).isEqualTo(Exit.NO);
        assertThat(shell.feed("cat a\nput 'a\n", "shell").status()).isEqualTo(Exit.USAGE);
    }

    @Test
    void exitAndQuitEndIt() {
        Shell shell = Shell.withRepository(folder);
        for (String end : new String[] {"exit", "quit"}) {
            Answer answer = shell.feed("get none\n" + end + "\nput a --text 1\n", "shell");
            assertThat(answer.status()).isEqualTo(Exit.NO);
        }
        assertThat(shell.run("ls").done().text()).isEmpty();
    }

    @Test
    void aShellRunsNoOther() {
        Shell shell = Shell.withRepository(folder);
        Answer answer = shell.feed("shell\n", "shell");
        assertThat(answer.status()).isEqualTo(Exit.USAGE);
        assertThat(answer.err()).contains("a shell does not run another one");
    }
}
