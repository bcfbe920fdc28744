package dev.pail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.MemoryLocator;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on a repository that a URL names, which is in no folder. */
class StoreUrlTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private String url;

    /** In a folder without a repository, with the URL in the environment. */
    private Shell shell;

    @BeforeEach
    void make() {
        url = MemoryLocator.url("notes");
        Answer made = Shell.in(folder).run("-C", url, "init", "--format", "v1");
        assertThat(made.status()).as(made.err()).isZero();
        assertThat(made.err()).contains("made " + url + ", format v1").doesNotContain("blocks in");
        shell = Shell.in(folder).withVariable("PAIL_STORE", url);
        assertThat(shell.root()).isEqualTo(made.line());
    }

    @Test
    void initRefusesWhatIsThere() {
        assertThat(shell.run("init").refused(Exit.FAILED)).contains("a repository already: " + url);
        String other = MemoryLocator.url("other");
        assertThat(Shell.in(folder)
                        .run("-C", other, "init", "--blocks", "segments")
                        .refused(Exit.USAGE))
                .contains("--blocks", "folder");
        assertThat(Shell.in(folder)
                        .run("-C", other, "init", "--namespace-codec", "hex:!")
                        .refused(Exit.USAGE))
                .contains("--namespace-codec", "folder");
        var made = Shell.in(folder).run("-C", other, "init", "--json").json().get(0);
        assertThat(made.get("repository").asText()).isEqualTo(other);
        assertThat(made.has("blocks")).isFalse();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void eventsArePlainUntilTheOwnerDescribesThem_DE11() {
        assertThat(shell.run("config", "get", "events").done().line()).isEqualTo("described");
        Shell plain = Shell.in(folder).withVariable("PAIL_STORE", MemoryLocator.url("plain"));
        assertThat(plain.run("init", "--events", "plain").status()).isZero();
        assertThat(plain.run("config", "get", "events").done().line()).isEqualTo("plain");
        plain.run("config", "set", "events", "described").done();
        assertThat(plain.run("config", "get", "events").done().line()).isEqualTo("described");
        assertThat(plain.run("config", "set", "events", "plain").refused(Exit.USAGE))
                .contains("events stay described");
    }

    @Test
    void everydayCommandsWork() {
        shell.run("put", "a", "--text", "1").done();
        Shell.in(folder).run("put", "b", "--text", "2", "-C", url).done();
        assertThat(shell.run("get", "a").done().line()).isEqualTo(Shell.cid(1));
        assertThat(shell.run("cat", "b").done().text()).isEqualTo("2");
        assertThat(shell.keys()).containsExactly("a", "b");
        assertThat(shell.run("log").done().lines()).hasSize(2);
        assertThat(shell.run("stat").done().text()).contains("entries\t2");
        assertThat(shell.run("undo", "-q").status()).isZero();
        assertThat(shell.keys()).containsExactly("a");
        shell.run("redo").done();
        assertThat(shell.run("verify", "--all", "--values").done().status()).isZero();
        assertThat(shell.run("gc", "--dry-run").done().text()).contains("moved to the trash\tblocks 0");
        assertThat(shell.run("get", "nothing").refused(Exit.NO)).contains("no such key");
    }

    @Test
    void branchesAndTagsAreThere() {
        shell.run("put", "a", "--text", "1").done();
        shell.run("branch", "draft").done();
        shell.run("switch", "draft").done();
        shell.run("put", "b", "--text", "2", "-m", "why").done();
        shell.run("tag", "first").done();
        assertThat(shell.run("branch").done().text()).contains("draft", "main");
        assertThat(shell.run("log").done().text()).contains("why");
        assertThat(shell.run("diff", "main", "first").done().text()).startsWith("+ b\t");
        shell.run("merge", "draft", "-b", "main").done();
        assertThat(shell.run("root", "-b", "main").done().line()).isEqualTo(shell.root());
    }

    @Test
    void versionsGoToAndComeFromCarFiles() {
        shell.run("put", "a", "--text", "1").done();
        Answer exported = shell.run("export", "all.car");
        assertThat(exported.status()).as(exported.err()).isZero();
        Shell other = Shell.in(folder).withVariable("PAIL_STORE", MemoryLocator.url("other"));
        assertThat(other.run("init", "-q", "--format", "v1").status()).isZero();
        Answer imported = other.run("import", "all.car");
        assertThat(imported.status()).as(imported.err()).isZero();
        assertThat(other.root()).isEqualTo(shell.root());
    }

    @Test
    void foldersOfFilesArePut() throws IOException {
        Path files = Files.createDirectory(folder.resolve("files"));
        Files.writeString(files.resolve("x"), "1");
        assertThat(shell.run("put", "-r", "files", "in/").status()).isZero();
        assertThat(shell.run("get", "in/x").done().line()).isEqualTo(Shell.cid(1));
        Answer restored = shell.run("restore", "in/", "--to", "out");
        assertThat(restored.status()).as(restored.err()).isZero();
        assertThat(folder.resolve("out/x")).hasContent("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pack",
                "unpack",
                "stat --storage",
                "config set author Ann",
                "remote",
                "remote add origin https://example.org",
                "fetch",
                "pull",
                "push"
            })
    void whatOnlyAFolderHasIsRefused(String command) {
        assertThat(shell.run(command.split(" ")).refused(Exit.USAGE))
                .contains("only a repository in a folder has ", ", not " + url, "pail copy " + url + " DIR");
    }

    @Test
    void wrongUrlsAreRefusedInOneSentence() {
        assertThat(shell.run("-C", "memory://No", "ls").refused(Exit.USAGE)).contains("a name of small letters");
        assertThat(shell.run("-C", MemoryLocator.url("none"), "ls").refused(Exit.FAILED))
                .contains("no repository: memory://none");
        assertThat(shell.run("-C", "mysql://ann:secret@host/x", "ls").refused(Exit.USAGE))
                .contains("no store has a URL with the scheme mysql", "postgresql://")
                .doesNotContain("secret");
        assertThat(shell.run("-C", "https://host/x", "init").refused(Exit.USAGE))
                .contains("pail clone URL DIR");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aUrlIsARemote() {
        shell.run("put", "a", "--text", "1").done();
        Answer cloned = Shell.in(folder).run("clone", url, "mine");
        assertThat(cloned.status()).as(cloned.err()).isZero();
        Shell mine = Shell.in(folder).withVariable("PAIL_STORE", "mine");
        assertThat(mine.root()).isEqualTo(shell.root());
        assertThat(mine.run("remote").done().text()).contains(url);

        mine.run("put", "b", "--text", "2").done();
        Answer pushed = mine.run("push");
        assertThat(pushed.status()).as(pushed.err()).isZero();
        assertThat(shell.keys()).containsExactly("a", "b");
        shell.run("put", "c", "--text", "3").done();
        Answer pulled = mine.run("pull");
        assertThat(pulled.status()).as(pulled.err()).isZero();
        assertThat(mine.keys()).containsExactly("a", "b", "c");

        assertThat(mine.run("remote", "add", "other", "postgresql://ann:secret@host/x?repository=r")
                        .refused(Exit.USAGE))
                .contains("a URL has no password")
                .doesNotContain("secret");
        assertThat(mine.run("remote", "add", "other", "ftp://host/x").refused(Exit.USAGE))
                .contains("or the URL of a store, not \"ftp://host/x\"");
    }

    @Test
    void completionKnowsItsKeys() {
        shell.run("put", "alpha", "--text", "1").done();
        assertThat(Shell.in(folder)
                        .run("completion", "words", "--", "-C", url, "get", "al")
                        .done()
                        .lines())
                .containsExactly("alpha");
        assertThat(shell.run("completion", "words", "--", "pull", "").done().text())
                .isEmpty();
    }
}
