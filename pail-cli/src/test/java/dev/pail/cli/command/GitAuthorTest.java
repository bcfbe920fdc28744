package dev.pail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Shell;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The author of changes, if nothing but git's configuration names one. */
class GitAuthorTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private static final String ANN = "[user]\n\tname = Ann\n\temail = ann@example.org\n";

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    /** The author of a change in a new repository; empty, if it has none. */
    private String author(Shell shell, String... init) {
        assertThat(shell.run(Shell.concat("init", init)).status()).isZero();
        shell.run("put", "a", "--text", "x").done();
        return authorOfLast(shell);
    }

    private static String authorOfLast(Shell shell) {
        JsonNode last =
                shell.run("log", "--json", "-n", "1").done().json().get(0).path("author");
        return last.asText("");
    }

    private Shell shell() {
        return Shell.in(folder);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "'[user]\\n\\tname = Ann B\\n\\temail = ann@example.org\\n' | Ann B <ann@example.org>",
                "'[user]\\nname = Ann\\n' | Ann",
                "'[user]\\nemail = ann@example.org\\n' | ''",
                "'[user] name = Ann # me\\r\\nemail=a@b ; mine\\r\\n' | Ann <a@b>",
                "'[USER]\\nName = \"Ann # \\\\\"B\\\\\"\"\\n' | 'Ann # \"B\"'",
                "'[user]\\nname = An\\\\\\nn\\n' | Ann",
                "'[core]\\nname = x\\n[user \"y\"]\\nname = y\\n' | ''",
                "'[user]\\nname = Ann\\n[core]\\nname = x\\n[user]\\nname = Bea\\n' | Bea",
                "'[user]\\nname = \\n' | ''",
                "'[user\\nname = Ann' | ''",
                "'' | ''",
            })
    void readsSectionsOfTheUser(String text, String author) throws IOException {
        write(
                "config",
                text.replace("\\\\", "\0")
                        .replace("\\n", "\n")
                        .replace("\\r", "\r")
                        .replace("\\t", "\t")
                        .replace('\0', '\\'));
        assertThat(author(shell().withVariable("GIT_CONFIG_GLOBAL", "config"))).isEqualTo(author);
    }

    @Test
    void readsTheFilesOfGit() throws IOException {
        write("home/.config/git/config", "[user]\nname = Xavier\nemail = x@example.org\n");
        Shell shell = shell().withVariable("HOME", folder.resolve("home").toString());
        assertThat(author(shell)).isEqualTo("Xavier <x@example.org>");
        write("home/.gitconfig", "[user]\nname = Ann\n");
        shell.run("put", "b", "--text", "x").done();
        assertThat(authorOfLast(shell)).isEqualTo("Ann <x@example.org>");
        write("xdg/git/config", "[user]\nemail = ann@work\n");
        shell.withVariable("XDG_CONFIG_HOME", folder.resolve("xdg").toString())
                .run("put", "c", "--text", "x")
                .done();
        assertThat(authorOfLast(shell)).isEqualTo("Ann <ann@work>");
        shell.withVariable("GIT_CONFIG_GLOBAL", folder.resolve("none").toString())
                .run("put", "d", "--text", "x")
                .done();
        assertThat(authorOfLast(shell)).isEmpty();
    }

    @Test
    void allElseCountsMore() throws IOException {
        write("home/.gitconfig", ANN);
        Shell shell = shell().withVariable("HOME", folder.resolve("home").toString());
        assertThat(author(shell)).isEqualTo("Ann <ann@example.org>");
        shell.run("config", "set", "author", "Bob").done();
        shell.run("put", "b", "--text", "x").done();
        assertThat(authorOfLast(shell)).isEqualTo("Bob");
        shell.withVariable("PAIL_AUTHOR", "Cleo").run("put", "c", "--text", "x").done();
        assertThat(authorOfLast(shell)).isEqualTo("Cleo");
    }

    /** A note in the log of such a repository would shut out programs that read it now. */
    @Test
    void aRepositoryOfPlainEventsHasNoSuchAuthor() throws IOException {
        write("home/.gitconfig", ANN);
        Shell shell = shell().withVariable("HOME", folder.resolve("home").toString());
        assertThat(author(shell, "--events", "plain")).isEmpty();
    }

    @Test
    void aFileThatCannotBeReadNamesNobody() throws IOException {
        Files.write(folder.resolve("latin"), "[user]\nname = J\u00f6\n".getBytes(StandardCharsets.ISO_8859_1));
        Files.createDirectories(folder.resolve("dir"));
        write("long", "[user]\nname = " + "x".repeat(201) + "\n");
        write("hidden", "[user]\nname = \"a\\nb\"\n");
        assertThat(shell().run("init").status()).isZero();
        for (String file : new String[] {"latin", "dir", "long", "hidden", "none"}) {
            Shell shell = shell().withVariable("GIT_CONFIG_GLOBAL", file);
            shell.run("put", file, "--text", "x").done();
            assertThat(authorOfLast(shell)).as(file).isEmpty();
        }
    }
}
