package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.terminal.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** What a user types into {@code pail shell}, on a pseudo-terminal. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShellTerminalTest {
    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";
    private static final String UP = "\u001bOA";

    /** A pseudo-terminal of Python has no size. */
    private static final String SIZED = "stty cols 100 rows 24; exec \"$@\"";

    // A system may run no programs from a folder in memory.
    @TempDir(factory = TempDirFactory.Standard.class)
    Path folder;

    private Launched typed(Path folder, String... words) throws IOException {
        List<String> python = List.of("python3", "-c", HostileOutputTest.PSEUDO_TERMINAL, "sh", "-c", SIZED, "sh");
        List<String> all = new ArrayList<>(python);
        all.addAll(List.of(words));
        ProcessBuilder builder = Launched.builder(folder, all);
        builder.environment().put("TERM", "xterm");
        builder.environment().put("XDG_STATE_HOME", this.folder.resolve("state").toString());
        return Launched.start(builder);
    }

    @Test
    void commandsAreTypedCompletedAndKept() throws IOException {
        HostileOutputTest.assumePseudoTerminal(folder);
        String pail = LauncherTest.release(folder).toString();
        Path fruit = Files.createDirectory(folder.resolve("100% fruit"));
        Shell.withRepository(fruit);
        Launched shell = typed(fruit, pail, "shell");
        shell.readThrough("100% fruit:main> ");
        shell.write("put 'an apple' --te\tred\r");
        shell.readThrough("100% fruit:main> ");
        shell.write("cat an\t\r");
        assertThat(shell.readThrough("red")).contains("an\\ apple");
        shell.readThrough("main> ");
        shell.write("put 'open\r");
        shell.readThrough("a quote has no end");
        shell.readThrough("main> ");
        shell.write("switch -c draft\r");
        shell.readThrough("100% fruit:draft> ");
        shell.write("switch m\t\r");
        shell.readThrough("100% fruit:main> ");
        shell.write("half" + CTRL_C);
        shell.readThrough("main> ");
        shell.write(UP);
        shell.readThrough("switch main");
        shell.write(CTRL_C);
        shell.readThrough("main> ");
        shell.write(" get none\r");
        shell.readThrough("no such key");
        shell.readThrough("main> ");
        shell.write(CTRL_D);
        assertThat(shell.answer().status()).isEqualTo(Exit.NO);

        Path history = folder.resolve("state/pail/history");
        assertThat(Files.readString(history))
                .contains("put 'an apple' --text red", "switch -c draft")
                .doesNotContain("none");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
                .isEqualTo("rw-------");
    }

    @Test
    void theOptionsOfTheShellHoldForItsPromptAndItsCompletion() throws IOException {
        HostileOutputTest.assumePseudoTerminal(folder);
        String pail = LauncherTest.release(folder).toString();
        Path fruit = Files.createDirectory(folder.resolve("fruit"));
        Shell repository = Shell.withRepository(fruit);
        repository.run("branch", "draft").done();
        repository.run("put", "apple", "--text", "red", "-b", "draft").done();
        Launched shell = typed(folder, pail, "-C", "fruit", "shell", "-b", "draft");
        shell.readThrough("fruit:draft> ");
        shell.write("cat ap\t\r");
        shell.readThrough("red");
        shell.readThrough("fruit:draft> ");
        shell.write("quit\r");
        assertThat(shell.answer().status()).isZero();
    }
}
