package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files in the folders of branches and tags that are neither (spec rule REP17). */
class ForeignFilesTest {
    private static final List<String> LOOKING = List.of("log", "branch", "tag", "verify", "verify --all", "gc");

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
        shell.put("a", 1, "b", 2);
        shell.run("tag", "v1").done();
    }

    private Path write(String file, String text) throws IOException {
        Path path = folder.resolve(".pail").resolve(file);
        Files.writeString(path, text, StandardCharsets.ISO_8859_1);
        return path;
    }

    private String head() throws IOException {
        return Files.readString(folder.resolve(".pail/heads/main"));
    }

    /** All commands work, and those that list branches or tags name the file, which the named command removes. */
    private void isIgnored(Path file, String removal) {
        for (String command : LOOKING) {
            Answer answer = shell.run(command.split(" "));
            assertThat(answer.status()).as(command).isZero();
            assertThat(answer.err()).as(command).startsWith("warning: not a ").contains(file.toString(), removal);
            assertThat(shell.run(Shell.concat("-q", command.split(" "))).err()).isEmpty();
        }
        assertThat(shell.run("--json", "verify").err())
                .startsWith("{\"warning\":\"not a ")
                .endsWith("\"}\n");
        assertThat(shell.run("put", "c", Shell.cid(3)).done().line()).isEqualTo(shell.root());
        assertThat(shell.run("branch").lines()).hasSize(1);
        assertThat(shell.run("tag").lines()).hasSize(1);
    }

    private void isRemoved(Path file, String... command) {
        shell.run(command).done();
        assertThat(Files.exists(file)).isFalse();
        for (String each : LOOKING) {
            assertThat(shell.run(each.split(" ")).done().err()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"junk", "", "\0\u00ff\n", "bafyreiawitiesapwxz4qhbcskjnbj6q63qplajvtsg3ikd6tfbcx6pzime", "HEAD"})
    void headWithoutLogIsIgnored_REP17(String text) throws IOException {
        Path file = write("heads/Thumbs.db", text.equals("HEAD") ? head() : text);
        isIgnored(file, "pail branch -d Thumbs.db");
        assertThat(shell.run("branch", "Thumbs.db").refused(Exit.FAILED)).contains("Thumbs.db");
        for (String command : List.of("put x " + Shell.cid(1), "ls", "undo", "log --head")) {
            assertThat(shell.run(Shell.concat("-b", ("Thumbs.db " + command).split(" ")))
                            .refused(Exit.FAILED))
                    .as(command)
                    .contains("not a branch", "branch -d Thumbs.db");
        }
        shell.run("switch", "Thumbs.db").refused(Exit.FAILED);
        isRemoved(file, "branch", "-d", "Thumbs.db");
    }

    @Test
    void namesThatNoBranchCanHaveAreIgnored_REP17() throws IOException {
        Path file = write("heads/main (copy)", head());
        isIgnored(file, "pail branch -d 'main (copy)'");
        isRemoved(file, "branch", "-d", "main (copy)");
        assertThat(shell.run("branch", "-d", "../config").refused(Exit.FAILED)).contains("not the name of a branch");
    }

    @Test
    void foldersAreIgnored_REP17() throws IOException {
        Path file = folder.resolve(".pail/heads/backup");
        Files.createDirectory(file);
        isIgnored(file, "pail branch -d backup");
        isRemoved(file, "branch", "-d", "backup");
        Path other = folder.resolve(".pail/tags/backup");
        Files.createDirectory(other);
        isIgnored(other, "pail tag -d backup");
        isRemoved(other, "tag", "-d", "backup");
    }

    /** A file manager writes its file into each folder that it shows. */
    @Test
    void foreignHeadWithForeignLogIsIgnored_REP17() throws IOException {
        write("logs/desktop.ini", "[.ShellClassInfo]\r\n");
        Path file = write("heads/desktop.ini", "[.ShellClassInfo]\r\n");
        isIgnored(file, "pail branch -d desktop.ini");
        assertThat(shell.run("branch", "desktop.ini").refused(Exit.FAILED)).contains("desktop.ini");
        isRemoved(file, "branch", "-d", "desktop.ini");
        shell.run("branch", "desktop.ini").done();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "junk",
                "\0\u00ff\n",
                "[.ShellClassInfo]\r\nIconResource=C:\\Windows\\System32\\SHELL32.dll,4\r\n"
            })
    void fileThatWasNeverATagIsIgnored_REP17(String text) throws IOException {
        Path file = write("tags/Thumbs.db", text);
        isIgnored(file, "pail tag -d Thumbs.db");
        assertThat(shell.run("tag", "Thumbs.db").refused(Exit.FAILED)).contains("not a tag", "tag -d Thumbs.db");
        assertThat(shell.run("ls", "--at", "Thumbs.db").refused(Exit.FAILED)).contains("not a tag");
        isRemoved(file, "tag", "-d", "Thumbs.db");
    }

    /** What a tag leads to is not collected because the tag is damaged. */
    @Test
    void tagThatIsDamagedIsNotForeign_G11() throws IOException {
        String head = head();
        for (String text : List.of("", "x" + head, head.substring(0, 30), "\0".repeat(head.length()))) {
            write("tags/v1", text);
            for (String command : List.of("gc", "verify", "tag")) {
                assertThat(shell.run(command).failed(Exit.DAMAGED)).as(command).contains("tags", "v1");
            }
        }
        shell.run("tag", "-d", "v1").done();
        shell.run("gc").done();
    }

    @Test
    void headOfTheCurrentBranchIsNotForeign_REP12() throws IOException {
        shell.run("branch", "topic").done();
        shell.run("switch", "topic").done();
        Files.delete(folder.resolve(".pail/logs/topic"));
        assertThat(shell.run("verify").failed(Exit.DAMAGED)).contains("the log is missing");
        shell.run("switch", "main").done();
        isIgnored(folder.resolve(".pail/heads/topic"), "pail branch -d topic");
        Files.delete(folder.resolve(".pail/logs/main"));
        assertThat(shell.run("-q", "verify").failed(Exit.DAMAGED)).contains("the log is missing");
    }
}
