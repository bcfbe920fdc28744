package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code squash} and {@code convert}: a history that begins with the current version. */
class NewHistoryTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private void load(Shell shell, int count) {
        StringBuilder lines = new StringBuilder();
        IntStream.range(0, count).forEach(i -> lines.append("key/%06d\t%s\n".formatted(i, Shell.cid(i % 10))));
        shell.feed(lines.toString().getBytes(StandardCharsets.UTF_8), "load").done();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void squashKeepsEntriesAndTheRootAndEndsTheHistory(String format) {
        Shell shell = Shell.withRepository(folder, "--format", format);
        shell.put("a", 1, "b", 2, "a", 3);
        shell.run("rm", "b").done();
        String root = shell.root();
        String entries = shell.run("ls").done().text();

        assertThat(shell.run("squash", "-m", "begin").done().line()).isEqualTo(root);
        assertThat(shell.run("log").done().lines()).singleElement().asString().contains("put \"a\"  \"begin\"");
        assertThat(shell.run("ls").done().text()).isEqualTo(entries);
        String head = shell.run("branch").done().text();
        shell.run("squash").done();
        assertThat(shell.run("branch").done().text())
                .as("nothing is left to squash")
                .isEqualTo(head);
        shell.put("c", 4);
        shell.run("verify", "--all").done();
        shell.run("undo", "2", "-q").done();
        assertThat(shell.run("log").done().lines()).hasSize(4);
    }

    @Test
    void aHistoryOfManyKeysIsSeveralEvents_M7() {
        Shell shell = Shell.withRepository(folder, "--format", "v1", "--events", "plain");
        load(shell, 12_000);
        shell.run("rm", "key/000000").done();
        String root = shell.root();
        shell.run("squash").done();

        assertThat(shell.root()).isEqualTo(root);
        assertThat(shell.run("log", "--json").done().json())
                .hasSizeGreaterThan(1)
                .allSatisfy(event -> assertThat(event.get("ops")).isNotEmpty());
        shell.run("verify", "--all").done();
    }

    @Test
    void anEmptyVersionHasNoEvent_M18() {
        Shell shell = Shell.withRepository(folder);
        shell.run("squash").done();
        shell.put("a", 1);
        shell.run("rm", "a").done();
        shell.run("squash").done();
        assertThat(shell.run("log").done().text()).isEmpty();
        assertThat(shell.run("branch", "--json").done().text()).contains("\"head\":[]");
        shell.put("b", 2);
        shell.run("verify", "--all").done();
    }

    @ParameterizedTest
    @CsvSource({"v0,v1", "v0,v2", "v1,v0", "v1,v2", "v2,v0", "v2,v1"})
    void convertKeepsEntriesAndChangesTheFormat(String from, String to) {
        Shell shell = Shell.withRepository(folder, "--format", from);
        load(shell, 6_000);
        String entries = shell.run("ls").done().text();
        String before = shell.root();

        String root = shell.run("convert", "--format", to).done().line();
        assertThat(shell.run("stat", "--json").done().text()).contains("\"" + to);
        assertThat(shell.run("ls").done().text()).isEqualTo(entries);
        shell.put("another", 1);
        assertThat(shell.run("ls").done().lines()).hasSize(6_001);
        shell.run("verify", "--all").done();
        shell.run("undo", "2", "-q").done();
        assertThat(shell.root()).isEqualTo(before).isNotEqualTo(root);
    }

    @Test
    void convertGivesTheRootThatTheFormatGives() {
        Shell shell = Shell.withRepository(folder);
        load(shell, 300);
        Shell other = Shell.in(folder);
        other.run("-C", "other", "init", "--format", "v1");
        other.feed(shell.run("ls").done().bytes(), "-C", "other", "load").done();
        assertThat(shell.run("convert", "--format", "V1").done().line())
                .isEqualTo(other.run("-C", "other", "root").done().line());
    }

    @Test
    void convertRefusesWhatCannotBe() {
        Shell shell = Shell.withRepository(folder);
        assertThat(shell.run("convert").refused(Exit.USAGE)).contains("pail convert --format v1");
        assertThat(shell.run("convert", "--format", "v3").refused(Exit.USAGE)).contains("v0, v1 or v2, not \"v3\"");
        assertThat(shell.run("convert", "--format", "v1").refused(Exit.FAILED)).contains("an empty branch");
        shell.put("a", 1, "é", 2, "\u202e", 3);
        String before = shell.run("branch", "--json").done().text();
        assertThat(shell.run("convert", "--format", "v1").refused(Exit.FAILED))
                .contains("2 keys are not allowed in v1: \"é\", ", "V1.1", "hint: ")
                .doesNotContain("\u202e");
        assertThat(shell.run("branch", "--json").done().text()).isEqualTo(before);

        Answer same = shell.run("convert", "--format", "v0");
        assertThat(same.status()).isZero();
        assertThat(same.line()).isEqualTo(shell.root());
        assertThat(same.err()).contains("has the format v0 already");
    }

    @Test
    void squashedCopiesDoNotMergeByThemselves() throws Exception {
        Files.createDirectories(folder.resolve("b"));
        Shell shell = Shell.withRepository(folder);
        shell.put("a", 1, "b", 2);
        shell.run("export", "old.car").done();
        shell.run("squash").done();
        assertThat(shell.run("import", "old.car").failed(Exit.CONFLICT)).contains("hint: ");
        assertThat(shell.keys()).isEqualTo(List.of("a", "b"));
    }

    @Test
    void branchesAreRenamed_REP25() {
        Shell shell = Shell.withRepository(folder);
        shell.put("a", 1);
        shell.run("branch", "dev").done();
        shell.put("b", 2);
        assertThat(shell.run("branch", "-m", "dev", "feature/dev").done().line())
                .isEqualTo(shell.run("root", "--at", "@{1}").done().line());
        shell.run("switch", "feature/dev").done();
        shell.run("branch", "-m", "done").done();
        assertThat(shell.run("branch").done().text()).contains("* done\t").doesNotContain("dev");
        assertThat(shell.run("root", "--at", "dev@{1}").done().line()).isEqualTo(shell.root());
        assertThat(shell.run("log", "--head").done().text()).contains("rename feature/dev");
        shell.run("verify", "--all").done();

        assertThat(shell.run("branch", "-m", "main", "trunk").refused(Exit.FAILED))
                .contains("every repository has the branch main", "pail branch trunk");
        assertThat(shell.run("branch", "-m", "nothing", "x").refused(Exit.FAILED))
                .contains("no branch nothing");
        assertThat(shell.run("branch", "-m", "done", "main").refused(Exit.FAILED))
                .contains("a branch main already");
        assertThat(shell.run("branch", "-m", "done", "a b").refused(Exit.FAILED))
                .contains("not the name of a branch");
        assertThat(shell.run("branch", "-m").refused(Exit.USAGE)).contains("pail branch -m OLD NEW");
        assertThat(shell.run("branch", "-m", "x", "-d", "done").refused(Exit.USAGE))
                .contains("one of them");
    }

    @Test
    void anEmptyBranchIsRenamed() {
        Shell shell = Shell.withRepository(folder);
        shell.run("branch", "a").done();
        shell.run("branch", "-m", "a", "b").done();
        assertThat(shell.run("branch").done().text()).contains("  b\t").doesNotContain("  a\t");
    }

    @Test
    void logAndDiffShowOnePrefix() {
        Shell shell = Shell.withRepository(folder);
        shell.put("a", 1, "b/x", 2, "c", 3);
        load(shell, 3);
        shell.put("b/y", 4);

        assertThat(shell.run("log", "--prefix", "b/").done().lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains("put \"b/y\""),
                        line -> assertThat(line).contains("put \"b/x\""));
        assertThat(shell.run("log", "--prefix", "key/").done().lines())
                .singleElement()
                .asString()
                .contains("3 of batch of 3");
        assertThat(shell.run("log", "--prefix", "key/000001").done().lines())
                .singleElement()
                .asString()
                .contains("put \"key/000001\"");
        assertThat(shell.run("log", "--prefix", "b/", "--key", "a").refused(Exit.USAGE))
                .contains("one of them");
        assertThat(shell.run("diff", "@{5}", "--prefix", "b/").done().lines())
                .extracting(line -> line.substring(0, 5))
                .containsExactly("+ b/x", "+ b/y");
        assertThat(shell.run("diff", "@{1}", "--prefix", "key/").done().text()).isEmpty();
        assertThat(shell.run("diff", "@{1}", "--prefix", "key/", "--exit-code").status())
                .isEqualTo(Exit.DONE);
        assertThat(shell.run("diff", "@{1}", "--prefix", "b/", "-q").status()).isEqualTo(Exit.NO);
        assertThat(shell.run("diff", "@{5}", "--stat", "--prefix", "b/").done().lines())
                .containsExactly("added\t2", "changed\t0", "removed\t0");
    }
}
