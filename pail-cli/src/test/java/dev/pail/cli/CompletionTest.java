package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a shell offers for the word that is being typed. */
class CompletionTest {
    @TempDir
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
        shell.put("photos/1.jpg", 1, "photos/2.jpg", 2, "notes", 3, "a\u001b[1m", 4);
        shell.run("branch", "experiment").done();
        shell.run("tag", "exact").done();
    }

    private List<String> candidates(String... words) {
        String[] all = new String[words.length + 3];
        all[0] = "completion";
        all[1] = "words";
        all[2] = "--";
        System.arraycopy(words, 0, all, 3, words.length);
        return shell.run(all).done().text().lines().toList();
    }

    @Test
    void completesCommandsAndActions() {
        assertThat(candidates("sw")).containsExactly("switch");
        assertThat(candidates("table", "re")).containsExactly("reindex");
        assertThat(candidates("help", "sw")).containsExactly("switch");
        assertThat(candidates("-q", "sw")).containsExactly("switch");
        assertThat(candidates("")).contains("put", "ls");
    }

    @Test
    void completesOptions() {
        assertThat(candidates("ls", "--li")).containsExactly("--limit");
        assertThat(candidates("--col")).containsExactly("--color");
        assertThat(candidates("log", "--color", "n")).containsExactly("never");
        assertThat(candidates("get", "--", "--no")).isEmpty();
    }

    @Test
    void completesKeysButNoneThatATerminalWouldNotShow() {
        assertThat(candidates("get", "ph")).containsExactly("photos/1.jpg", "photos/2.jpg");
        assertThat(candidates("rm", "notes", "photos/2")).containsExactly("photos/2.jpg");
        assertThat(candidates("get", "a")).isEmpty();
        assertThat(candidates("put", "notes", "")).isEmpty();
    }

    @Test
    void completesBranchesAndTags() {
        assertThat(candidates("switch", "ex")).containsExactlyInAnyOrder("experiment", "exact");
        assertThat(candidates("ls", "--at", "exp")).containsExactly("experiment");
        assertThat(candidates("-b", "m")).containsExactly("main");
    }

    @Test
    void readsTheStoreThatTheWordsName() {
        Shell outside = Shell.in(folder.getParent());
        List<String> found = outside.run(
                        "completion",
                        "words",
                        "--",
                        "-C",
                        folder.resolve(".pail").toString(),
                        "get",
                        "n")
                .done()
                .text()
                .lines()
                .toList();

        assertThat(found).containsExactly("notes");
        assertThat(outside.run("completion", "words", "--", "-C", "nothing", "get", "n")
                        .done()
                        .text())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void printsAScript(String name) {
        assertThat(shell.run("completion", name).done().text()).contains("completion words -- ", name);
        assertThat(shell.run("completion", "tcsh").refused(Exit.USAGE)).contains("bash, zsh, fish");
    }
}
