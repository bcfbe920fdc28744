package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code pail cherry-pick} and {@code pail pull --rebase}: changes that are made again keep who made them, why and when. */
class CherryPickCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell ann;
    private Shell bob;

    @BeforeEach
    void makeBranches() {
        Shell plain = Shell.in(folder);
        plain.run("-C", "r", "init", "-q", "--format", "v1").done();
        ann = plain.withVariable("PAIL_AUTHOR", "Ann").withVariable("PAIL_STORE", "r");
        bob = plain.withVariable("PAIL_AUTHOR", "Bob")
                .withVariable("SOURCE_DATE_EPOCH", "1700000000")
                .withVariable("PAIL_STORE", "r");
        ann.run("put", "title", "--text", "milk").done();
        ann.run("branch", "draft").done();
        bob.run("-b", "draft", "put", "a", "--text", "1", "-m", "one").done();
        bob.run("-b", "draft", "put", "b", "--text", "2", "-m", "two").done();
        bob.run("-b", "draft", "put", "title", "--text", "tea", "-m", "three").done();
    }

    private String log(int count) {
        return ann.run("log", "-n", "" + count).done().text();
    }

    @Test
    void aChangeKeepsItsDescription() {
        ann.run("cherry-pick", "draft~1").done();
        assertThat(ann.run("ls").done().lines())
                .extracting(line -> line.replaceAll("\\t.*", ""))
                .containsExactly("b", "title");
        assertThat(log(1)).contains("2023-11-14T22:13:20Z  put \"b\" = \"2\"  \"two\"  by Bob");
    }

    @Test
    void aRangeIsOneUpdate() {
        ann.run("cherry-pick", "main..draft").done();
        assertThat(ann.run("cat", "title").done().text()).isEqualTo("tea");
        assertThat(log(3)).containsSubsequence("three", "two", "one");
        ann.run("undo");
        assertThat(ann.run("ls").done().lines()).hasSize(1);
    }

    @Test
    void aLargeChangeIsOneChange_DE7() {
        StringBuilder lines = new StringBuilder();
        IntStream.range(0, 12_000).forEach(i -> lines.append("key/%06d\t%s\n".formatted(i, Shell.cid(i % 10))));
        bob.feed(lines.toString().getBytes(StandardCharsets.UTF_8), "-b", "draft", "load", "-m", "many")
                .done();
        ann.run("cherry-pick", "draft").done();
        assertThat(ann.run("ls").done().lines()).hasSize(12_001);
        assertThat(log(2).lines().filter(line -> line.startsWith("*"))).hasSize(2);
        ann.run("cherry-pick", "draft").done();
        assertThat(log(3).lines().filter(line -> line.startsWith("*"))).hasSize(2);
    }

    @Test
    void aConflictChangesNothing() {
        ann.run("put", "title", "--text", "cake").done();
        String root = ann.run("root").done().text();
        assertThat(ann.run("cherry-pick", "main..draft").status()).isEqualTo(Exit.CONFLICT);
        assertThat(ann.run("cherry-pick", "main..draft").text()).startsWith("! title\t");
        assertThat(ann.run("root").done().text()).isEqualTo(root);
        ann.run("cherry-pick", "main..draft", "--policy", "theirs");
        assertThat(ann.run("cat", "title").done().text()).isEqualTo("tea");
    }

    @Test
    void whatIsNoChangeIsRefused() {
        ann.run("put", "c", "--text", "3").done();
        assertThat(ann.run("merge", "draft").status()).isZero();
        assertThat(ann.run("cherry-pick", "main").failed(Exit.FAILED)).contains("more than one event: main");
    }

    @Test
    void aPullMayRebase() {
        Shell carl = Shell.in(folder).withVariable("PAIL_AUTHOR", "Carl").withVariable("PAIL_STORE", "c");
        Shell.in(folder).run("clone", "r", "c", "-q").done();
        carl.run("put", "mine", "--text", "1", "-m", "mine").done();
        ann.run("put", "hers", "--text", "1", "-m", "hers").done();
        carl.run("pull", "--rebase").done();
        String log = carl.run("log", "--oneline").done().text();
        assertThat(log.lines()).hasSize(3);
        assertThat(log).containsSubsequence("mine", "hers");
        assertThat(carl.run("show").done().text()).contains("author  Carl");
        carl.run("push", "-q").done();
        assertThat(ann.run("ls").done().lines()).hasSize(3);
        // Nothing to do: the branch stays.
        String root = carl.run("root").done().text();
        assertThat(carl.run("pull", "--rebase").done().text()).isEqualTo(root);
        ann.run("put", "title", "--text", "x").done();
        carl.run("put", "title", "--text", "y").done();
        assertThat(carl.run("pull", "--rebase").status()).isEqualTo(Exit.CONFLICT);
        assertThat(carl.run("cat", "title").done().text()).isEqualTo("y");
    }

    @Test
    void withoutChangesOfItsOwnABranchMovesForward() {
        Shell.in(folder).run("clone", "r", "c", "-q").done();
        ann.run("put", "hers", "--text", "1").done();
        Shell carl = Shell.in(folder).withVariable("PAIL_STORE", "c");
        carl.run("pull", "--rebase").done();
        assertThat(carl.run("log", "--oneline").done().text())
                .isEqualTo(ann.run("log", "--oneline").done().text());
    }
}
