package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code pail show}: one change with its description. */
class ShowCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeHistory() {
        shell = Shell.withRepository(folder).withVariable("PAIL_AUTHOR", "Ann <ann@example.org>");
        shell.run("put", "a", Shell.cid(1), "-m", "one\n\nand \u001b[31m more").done();
        shell.run("put", "a", Shell.cid(2)).done();
        shell.run("rm", "a", "-m", "gone").done();
    }

    @Test
    void showsTheDescriptionAndTheKeys() {
        List<String> lines = shell.run("show").done().lines();
        assertThat(lines.get(0)).matches("event   bafy\\w{55}");
        assertThat(lines.get(1)).isEqualTo("author  Ann <ann@example.org>");
        assertThat(lines.get(2)).matches("time    20\\d\\d-.*Z");
        assertThat(lines.subList(3, lines.size())).containsExactly("", "    gone", "", "- a\t" + Shell.cid(2));
        assertThat(shell.run("show", "HEAD~1").done().text())
                .endsWith("Z\n\n~ a\t" + Shell.cid(1) + " -> " + Shell.cid(2) + "\n");
        assertThat(shell.run("show", "HEAD~2").done().text())
                .endsWith("\n\n    one\n\n    and \\u{1b}[31m more\n\n+ a\t" + Shell.cid(1) + "\n");
    }

    @Test
    void printsJson() {
        List<JsonNode> json = shell.run("show", "--json").done().json();
        assertThat(json).hasSize(2);
        assertThat(json.get(0).get("author").asText()).isEqualTo("Ann <ann@example.org>");
        assertThat(json.get(0).get("message").asText()).isEqualTo("gone");
        assertThat(json.get(0).get("parents")).hasSize(1);
        assertThat(json.get(0).has("events")).isFalse();
        assertThat(json.get(1).get("change").asText()).isEqualTo("removed");
        assertThat(json.get(1).get("key").asText()).isEqualTo("a");
    }

    @Test
    void aChangeOfSeveralEventsIsOne_DE7() {
        StringBuilder lines = new StringBuilder();
        IntStream.range(0, 12_000).forEach(i -> lines.append("key/%06d\t%s\n".formatted(i, Shell.cid(i % 10))));
        shell.feed(lines.toString().getBytes(StandardCharsets.UTF_8), "load", "-m", "many")
                .done();
        List<String> shown = shell.run("show").done().lines();
        assertThat(shown.get(1)).startsWith("events  3: bafy");
        assertThat(shown)
                .contains("    many")
                .filteredOn(line -> line.startsWith("+ "))
                .hasSize(12_000);
        assertThat(shell.run("show", "--json").done().json().get(0).get("events"))
                .hasSize(3);
    }

    @Test
    void showsAChangeOfACarFile() {
        shell.run("export", "a.car").done();
        assertThat(shell.run("-C", "a.car", "show").done().text())
                .isEqualTo(shell.run("show").done().text());
        assertThat(shell.run("-C", "a.car", "show", "HEAD~2").done().text())
                .isEqualTo(shell.run("show", "HEAD~2").done().text());
    }

    /** What a change with several parents changed is the difference to the version of all of them. */
    @Test
    void comparesWithAllParents() {
        shell.run("branch", "side").done();
        shell.run("put", "b", Shell.cid(3)).done();
        shell.run("put", "c", Shell.cid(4), "-b", "side").done();
        shell.run("merge", "side", "-q").done();
        assertThat(shell.run("show").refused(Exit.FAILED)).contains("the current version has 2 newest events: bafy");
        shell.run("put", "d", Shell.cid(5)).done();
        assertThat(shell.run("show").done().lines()).endsWith("", "+ d\t" + Shell.cid(5));
    }

    @Test
    void namesWhatHasNoChange() {
        assertThat(shell.run("show", "HEAD~3").refused(Exit.FAILED)).contains("no change leads to HEAD~3");
        assertThat(shell.run("show", "nothing").refused(Exit.FAILED)).contains("no branch and no event");
    }
}
