package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code pail merge --merge-values} and {@code pail merge-rules}. */
class MergeValuesCommandTest {
    private static final String BASE = "one\ntwo\nthree\n";

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        Shell plain = Shell.in(folder);
        plain.run("-C", "r", "init", "-q").done();
        shell = plain.withVariable("PAIL_STORE", "r");
    }

    /** Both branches change another line of one text, and another field of one row. */
    private void makeSides() {
        shell.run("put", "a", "--text", BASE).done();
        shell.run("table", "create", "people").done();
        shell.run("branch", "draft").done();
        shell.run("put", "a", "--text", BASE.replace("one", "ONE")).done();
        shell.run("-b", "draft", "put", "a", "--text", BASE.replace("three", "THREE"))
                .done();
    }

    private String text() {
        return shell.run("cat", "a").done().text();
    }

    @Test
    void mergesInsideOnDemand() {
        makeSides();
        Answer dry = shell.run("merge", "draft", "--merge-values", "text", "--dry-run");
        assertThat(dry.text()).startsWith("= a\tmerged inside\n");
        assertThat(dry.err()).contains("1 value that both sides changed has the changes of both");
        assertThat(shell.run("merge", "draft", "--merge-values", "json,text").status())
                .isEqualTo(Exit.DONE);
        assertThat(text()).isEqualTo("ONE\ntwo\nTHREE\n");
        assertThat(shell.run("conflicts").done().text()).isEmpty();
    }

    @Test
    void withoutKindsAConflictStaysOpen() {
        makeSides();
        assertThat(shell.run("merge", "draft").text()).startsWith("! a\t");
        assertThat(shell.run("conflicts").text()).startsWith("a\n");
    }

    @Test
    void refusesOtherKinds() {
        makeSides();
        Answer refused = shell.run("merge", "draft", "--merge-values", "text,lines");
        assertThat(refused.status()).isEqualTo(Exit.USAGE);
        assertThat(refused.err()).contains("--merge-values is one or several of text, json and rows");
        assertThat(shell.run("merge-rules", "set", "a", "rows").status()).isEqualTo(Exit.USAGE);
        assertThat(shell.run("merge-rules", "set", "a").status()).isEqualTo(Exit.USAGE);
        assertThat(shell.run("merge-rules", "rm", "a").status()).isEqualTo(Exit.NO);
    }

    @Test
    void rulesHoldForAllMerges_VM1() {
        shell.run("merge-rules", "set", "", "text").done();
        makeSides();
        assertThat(shell.run("merge", "draft").text()).startsWith("= a\tmerged inside\n");
        assertThat(text()).isEqualTo("ONE\ntwo\nTHREE\n");
        assertThat(shell.run("merge-rules").done().text()).isEqualTo("\"\"\ttext\n");
        assertThat(shell.run("ls").done().text()).contains(".pailmerge\t");
        shell.run("merge-rules", "rm", "").done();
        assertThat(shell.run("ls").done().text()).doesNotContain(".pailmerge");
    }

    @Test
    void initMakesRules() {
        shell.run("-C", "s", "init", "-q", "--merge-rules", "docs/=text", "--merge-rules", "a=b=text,json")
                .done();
        assertThat(shell.run("-C", "s", "merge-rules", "list", "--json").done().text())
                .isEqualTo("{\"prefix\":\"a=b\",\"kind\":\"text,json\"}\n{\"prefix\":\"docs/\",\"kind\":\"text\"}\n");
        assertThat(shell.run("-C", "t", "init", "--merge-rules", "docs/=text", "--events", "plain")
                        .status())
                .isEqualTo(Exit.USAGE);
        shell.run("-C", "t", "init", "-q", "--events", "plain").done();
        Answer refused = shell.run("-C", "t", "merge-rules", "set", "docs/", "text");
        assertThat(refused.status()).isEqualTo(Exit.FAILED);
        assertThat(refused.err()).contains("config set events described");
    }

    @Test
    void pullMergesInside() {
        shell.run("put", "a", "--text", BASE).done();
        shell.run("clone", "-q", "r", "copy").done();
        Shell copy = shell.withVariable("PAIL_STORE", "copy");
        copy.run("put", "a", "--text", BASE.replace("one", "ONE")).done();
        shell.run("put", "a", "--text", BASE.replace("three", "THREE")).done();
        assertThat(copy.run("pull", "--merge-values", "text").text()).startsWith("= a\tmerged inside\n");
        assertThat(copy.run("cat", "a").done().text()).isEqualTo("ONE\ntwo\nTHREE\n");
        assertThat(copy.run("push").status()).isEqualTo(Exit.DONE);
        assertThat(text()).isEqualTo("ONE\ntwo\nTHREE\n");
        assertThat(shell.run("conflicts").done().text()).isEmpty();
    }
}
