package dev.pail.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Shell;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each failure has a hint. */
class FailureHintsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "put --oneline, see: pail help put; what starts with a dash",
        "init x, see: pail help init; make a repository in a folder with",
        "ls --limit, see: pail help ls",
        "table creat, see: pail help table",
        "table create, see: pail help table create",
        "help foo, see: pail help",
        "lgo, see: pail help",
        "commit -m x, see: pail help; each put is a version at once",
        "reflog, pail log --head"
    })
    void wrongUsageNamesTheHelpOfTheCommand(String command, String hint) {
        String told = Shell.withRepository(folder).run(command.split(" ")).refused(Exit.USAGE);
        assertThat(told).contains(hint).doesNotContain(hint + " help");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gc --prune", "log --graphs", "branch -D x", "init --bare"})
    void whereNothingStartsWithADashNoSuchHintIsGiven(String command) {
        assertThat(Shell.withRepository(folder).run(command.split(" ")).refused(Exit.USAGE))
                .contains("no such option")
                .doesNotContain("behind --");
    }

    @Test
    void whatIsNoCidIsNamedWithTheWayToKeepBytes() {
        String told =
                Shell.withRepository(folder).run("put", "k", "--cid", "hello").refused(Exit.USAGE);
        assertThat(told).contains("not a CID: \"hello\": ").contains("--file FILE");
    }

    @Test
    void aKeyThatIsTakenForARevisionLeadsToItsChanges() {
        Shell shell = Shell.withRepository(folder);
        for (String key : new String[] {"photos/1.jpg", "notes"}) {
            assertThat(shell.run("log", key).refused(Exit.FAILED))
                    .contains(key)
                    .contains("pail log --key KEY")
                    .contains("a branch, a tag");
        }
        assertThat(shell.run("log", "@{99}").refused(Exit.FAILED)).doesNotContain("--key");
    }

    @Test
    void whatACarFileHasNotIsToldWithTheWayToIt() {
        Shell shell = Shell.withRepository(folder);
        shell.put("a", 1);
        shell.run("export", "one.car").done();
        assertThat(shell.run("-C", "one.car", "branch").refused(Exit.FAILED))
                .contains("one.car")
                .contains("pail import FILE");
        assertThat(shell.run("-C", "one.car", "diff").refused(Exit.FAILED)).contains("name two versions");
    }

    @Test
    void aRepositoryInAFolderThatIsNotThere() {
        assertThat(Shell.in(folder).run("-C", "nowhere/x", "init").refused(Exit.FAILED))
                .contains("nowhere/x: the folder around it is not there");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void movesThatWereNotMadeLeadToTheLog() {
        String told = Shell.withRepository(folder).run("undo", "100").refused(Exit.FAILED);
        assertThat(told).contains("pail log --head -b main");
    }
}
