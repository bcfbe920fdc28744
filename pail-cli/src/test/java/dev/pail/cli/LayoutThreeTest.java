package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes a repository one of layout 3, and what does not. */
class LayoutThreeTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private String config() throws IOException {
        return Files.readString(folder.resolve(".pail/config"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"branch", "tag"})
    void aSlashInANameMakesLayout3AndOneFlatFile_REP25(String what) throws IOException {
        Shell shell = Shell.withRepository(folder, "--events", "plain");
        Path config = folder.resolve(".pail/config");
        Files.writeString(config, config() + "# mine\nlater = x = y\n");
        String before = config();
        shell.put("a", 1);
        shell.run(what, "plain").done();
        assertThat(config()).isEqualTo(before).contains("layout = 2\n");

        shell.run(what, "feature/x/y").done();

        assertThat(config()).isEqualTo(before.replace("layout = 2\n", "layout = 3\n"));
        assertThat(folder.resolve(what.equals("branch") ? ".pail/heads/feature%2Fx%2Fy" : ".pail/tags/feature%2Fx%2Fy"))
                .isRegularFile();
        assertThat(shell.run(what).done().text()).contains("feature/x/y\t").doesNotContain("%2F");
        assertThat(shell.run("root", "--at", "feature/x/y").done().line()).isEqualTo(shell.root());
        shell.run("verify", "--all").done();
        shell.run("gc").done();
        shell.run(what, "-d", "feature/x/y").done();
        assertThat(shell.run(what).done().text()).doesNotContain("feature");
    }

    @Test
    void aBranchWithASlashIsWrittenSwitchedToAndMerged_REP25() {
        Shell shell = Shell.withRepository(folder, "--events", "plain");
        shell.put("a", 1);
        shell.run("branch", "team/one").done();
        shell.run("switch", "team/one").done();
        shell.put("b", 2);
        assertThat(shell.run("log", "--head", "-b", "team/one").done().lines()).hasSize(2);
        assertThat(shell.run("root", "--at", "team/one@{1}").done().line())
                .isEqualTo(shell.run("root", "-b", "main").done().line());
        shell.run("switch", "main").done();
        shell.run("merge", "team/one").done();
        assertThat(shell.keys()).containsExactly("a", "b");
        assertThat(shell.run("completion", "words", "merge", "team/").done().text())
                .contains("team/one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a", "a/", "a//b", "../a", "a/../b", "a/.b", "a%2Fb", "a\\b", "a/\u001b[31m"})
    void oddNamesAreRefusedAndChangeNothing_REP25(String name) throws IOException {
        Shell shell = Shell.withRepository(folder, "--events", "plain");
        shell.put("a", 1);
        String before = config();
        for (String what : new String[] {"branch", "tag"}) {
            Answer answer = shell.run(what, "--", name);
            assertThat(answer.status()).isEqualTo(Exit.FAILED);
            assertThat(answer.err()).contains("not the name of a " + what).doesNotContain("\u001b");
        }
        assertThat(config()).isEqualTo(before);
    }

    @Test
    void aNameThatDiffersOnlyInCaseIsRefused_REP2() {
        Shell shell = Shell.withRepository(folder, "--events", "plain");
        shell.run("branch", "Team/x").done();
        assertThat(shell.run("branch", "team/X").err()).contains("differs from Team/x only in case");
    }

    @Test
    void aNewRepositoryWithSegmentsHasLayout3_REP25() throws IOException {
        Shell.withRepository(folder, "--blocks", "segments", "--events", "plain")
                .put("a", 1);
        assertThat(config()).contains("layout = 3\n");
    }

    @Test
    void aNewerLayoutIsRefusedWithASentence_REP3() throws IOException {
        Shell shell = Shell.withRepository(folder, "--events", "plain");
        Files.writeString(folder.resolve(".pail/config"), config().replace("layout = 2", "layout = 5"));
        assertThat(shell.run("ls").refused(Exit.DAMAGED))
                .contains("layout 5 is newer than layout 4, the newest that is known here", "install a newer pail");
    }

    @Test
    void aForeignFileWithAnEncodedSlashIsNamedAndRemoved_REP17() throws IOException {
        Shell shell = Shell.withRepository(folder, "--events", "plain");
        Files.writeString(folder.resolve(".pail/heads/copy%2F%2Fof"), "junk");
        assertThat(shell.run("branch").err()).contains("pail branch -d copy%2F%2Fof");
        shell.run("branch", "-d", "copy%2F%2Fof").done();
        assertThat(folder.resolve(".pail/heads/copy%2F%2Fof")).doesNotExist();
    }

    @Test
    void aHeadWithoutALogWhoseNameHasASlashIsRemovedAsItsHintSays_REP17() throws IOException {
        Shell shell = Shell.withRepository(folder, "--events", "plain");
        Files.writeString(folder.resolve(".pail/heads/copy%2Fof"), "junk");
        assertThat(shell.run("ls", "-b", "copy/of").err()).contains("pail branch -d copy/of");
        shell.run("branch", "-d", "copy/of").done();
        assertThat(folder.resolve(".pail/heads/copy%2Fof")).doesNotExist();
    }
}
