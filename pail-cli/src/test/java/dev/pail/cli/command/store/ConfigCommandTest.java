package dev.pail.cli.command.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings, where they come from, and aliases. */
class ConfigCommandTest {
    @TempDir
    Path folder;

    private Shell shell() {
        return Shell.withRepository(folder).withVariable("XDG_CONFIG_HOME", folder.toString());
    }

    @Test
    void anAliasStandsForACommandWithArguments() {
        Shell shell = shell();
        shell.run("put", "a", "x", "-q").done();
        shell.run("put", "b", "x", "-q").done();
        assertThat(shell.run("last").refused(Exit.USAGE)).contains("no such command: \"last\"");
        shell.run("config", "set", "alias.last", "log -1 --oneline").done();
        assertThat(shell.run("last").done().lines()).hasSize(1);
        assertThat(shell.run("last", "--json").done().json()).hasSize(1);
        assertThat(shell.run("config", "get", "alias.last").done().line()).isEqualTo("log -1 --oneline");
        assertThat(shell.run("completion", "words", "la").done().lines()).containsExactly("last");
        shell.run("config", "unset", "alias.last").done();
        assertThat(shell.run("config", "unset", "alias.last").status()).isEqualTo(Exit.NO);
        assertThat(shell.run("last").refused(Exit.USAGE)).contains("no such command: \"last\"");
    }

    @Test
    void anAliasReplacesNoCommandAndNoOtherAlias() {
        Shell shell = shell();
        assertThat(shell.run("config", "set", "alias.put", "ls").refused(Exit.USAGE))
                .contains("an alias replaces no command");
        assertThat(shell.run("config", "set", "alias.x", "ls 'a").refused(Exit.USAGE))
                .contains("no command");
        assertThat(shell.run("config", "set", "alias.x y", "ls").refused(Exit.USAGE))
                .contains("the name of an alias");
        shell.run("config", "set", "alias.x", "y").done();
        shell.run("config", "set", "alias.y", "x").done();
        assertThat(shell.run("x").refused(Exit.USAGE)).contains("no such command: \"y\"");
    }

    @Test
    void eachSettingHasAnOrigin() {
        Shell shell = shell();
        shell.run("config", "set", "author", "Ann").done();
        shell.run("config", "set", "alias.x", "ls").done();
        assertThat(shell.run("config", "list", "--show-origin").done().lines())
                .contains(
                        "author\tAnn\trepository",
                        "alias.x\tls\t" + folder.resolve("pail/config"),
                        "lock-timeout\t10\tdefault",
                        "store\t" + folder.resolve(".pail") + "\tfound");
        assertThat(shell.withVariable("PAIL_AUTHOR", "Bo")
                        .run("config", "list", "--show-origin", "--lock-timeout", "3")
                        .done()
                        .lines())
                .contains("author\tBo\tPAIL_AUTHOR", "lock-timeout\t3\tcommand line");
        shell.run("config", "unset", "author").done();
        assertThat(shell.run("config", "get", "author").status()).isEqualTo(Exit.NO);
    }
}
