package dev.pail.cli.command.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mv} and {@code cp}. */
class MoveCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    @Test
    void aKeyIsRenamedInOneChange() {
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "a", "--text", "1").done();
        String value = shell.run("get", "a").done().line();
        assertThat(shell.run("mv", "a", "b", "-m", "why").done().line()).isEqualTo(shell.root());
        assertThat(shell.run("ls").done().text()).isEqualTo("b\t" + value + "\n");
        assertThat(shell.run("log", "--oneline").done().lines()).hasSize(2).anyMatch(line -> line.contains("why"));
        assertThat(shell.run("undo").status()).isZero();
        assertThat(shell.run("ls").done().text()).isEqualTo("a\t" + value + "\n");
    }

    @Test
    void aCopyKeepsBoth() {
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "a", "--text", "1").done();
        shell.run("cp", "a", "b").done();
        assertThat(shell.run("cat", "a").done().text())
                .isEqualTo(shell.run("cat", "b").done().text())
                .isEqualTo("1");
    }

    @Test
    void nothingIsReplacedWithoutForce() {
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "a", "--text", "1").done();
        shell.run("put", "b", "--text", "2").done();
        String root = shell.root();
        for (String command : new String[] {"mv", "cp"}) {
            assertThat(shell.run(command, "a", "b").refused(Exit.FAILED))
                    .contains("the key has a value: \"b\"; nothing was changed", "hint: replace it with --force");
            assertThat(shell.run(command, "none", "c").refused(Exit.NO)).contains("no such key: \"none\"");
            assertThat(shell.root()).isEqualTo(root);
        }
        shell.run("mv", "-f", "a", "a").done();
        assertThat(shell.root()).isEqualTo(root);
        shell.run("mv", "-f", "a", "b").done();
        assertThat(shell.run("ls").done().lines()).hasSize(1);
        assertThat(shell.run("cat", "b").done().text()).isEqualTo("1");
    }

    @Test
    void inANamespace() {
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "a", "--text", "1", "--namespace", "x").done();
        shell.run("mv", "a", "b", "--namespace", "x").done();
        assertThat(shell.run("cat", "b", "--namespace", "x").done().text()).isEqualTo("1");
        assertThat(shell.run("get", "a", "--namespace", "x").status()).isEqualTo(Exit.NO);
    }
}
