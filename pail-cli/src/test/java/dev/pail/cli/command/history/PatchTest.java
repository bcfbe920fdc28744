package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code -p} of diff, log and show: what differs in the values. */
class PatchTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
    }

    @Test
    void showsTheLinesAroundADifference() {
        shell.run("put", "a", "--text", "1\n2\n3\n4\n5\n6\n7\n8\n9\n").done();
        shell.run("put", "a", "--text", "1\n2\n3\n4\nfive\u001b[31m\n6\n7\n8\n9")
                .done();
        assertThat(shell.run("diff", "-p").done().lines())
                .containsExactly(
                        "~ a",
                        "@@ -2,8 +2,8 @@",
                        " 2",
                        " 3",
                        " 4",
                        "-5",
                        "+five\\u{1b}[31m",
                        " 6",
                        " 7",
                        " 8",
                        "-9",
                        "+9",
                        "\\ No newline at end of file");
    }

    @Test
    void showsFieldsOfJsonAndOfRows() {
        shell.run("table", "create", "people").done();
        shell.run("table", "index", "people", "age").done();
        shell.run("table", "put", "people", "ann", "{\"name\":\"Ann\",\"address\":{\"city\":\"Oslo\"}}")
                .done();
        shell.run("put", "settings", "--text", "{\"a\":1,\"b\":2}").done();
        shell.run("table", "put", "people", "ann", "{\"name\":\"Ann\",\"address\":{\"city\":\"Bergen\"},\"age\":3}")
                .done();
        shell.run("put", "settings", "--text", "{\"b\":3,\"a\":1}").done();
        assertThat(shell.run("diff", "-p", "@{2}").done().lines())
                .containsExactly(
                        "~ settings",
                        "  b: 2 -> 3",
                        "~ table people row ann",
                        "  address.city: \"Oslo\" -> \"Bergen\"",
                        "  age: 3 (added)");
        assertThat(shell.run("show", "-p", "HEAD~1").done().text())
                .endsWith("~ table people row ann\n  address.city: \"Oslo\" -> \"Bergen\"\n  age: 3 (added)\n");
        assertThat(shell.run("show", "-p", "HEAD~4").done().text())
                .endsWith("~ table people\n  index on age (added)\n");
        List<JsonNode> json = shell.run("diff", "-p", "@{2}", "--json").done().json();
        assertThat(json.get(0).get("fields").get(0).get("after").asInt()).isEqualTo(3);
        assertThat(json.get(1).get("row").asText()).isEqualTo("ann");
        assertThat(json.get(1).get("fields").get(0).get("field").asText()).isEqualTo("address.city");
    }

    @Test
    void aPrefixMayNameATable() {
        shell.run("table", "create", "people").done();
        shell.run("table", "create", "pets").done();
        shell.run("table", "put", "people", "ann", "{\"age\":1}").done();
        shell.run("table", "put", "pets", "rex", "{\"age\":2}").done();
        shell.run("put", "people/x", "--text", "x").done();
        List<String> lines = List.of("+ table people", "+ table people row ann", "  age: 1 (added)");
        assertThat(shell.run("diff", "-p", "--prefix", "people", "HEAD~5", "HEAD")
                        .done()
                        .lines())
                .containsAll(lines)
                .contains("+ people/x")
                .doesNotContain("+ table pets row rex");
        String prefix = shell.run("log", "-n", "1", "HEAD~1", "--json")
                .done()
                .json()
                .get(0)
                .get("ops")
                .get(0)
                .get("key")
                .asText();
        assertThat(shell.run("diff", "-p", "--prefix", prefix, "HEAD~5", "HEAD")
                        .done()
                        .lines())
                .containsExactly("+ table pets row rex", "  age: 2 (added)");
        assertThat(shell.run("diff", "-p", "--prefix", "nothing", "--exit-code", "HEAD~5", "HEAD")
                        .status())
                .isEqualTo(Exit.DONE);
    }

    @Test
    void theHistoryOfARowHasItsFields() {
        shell.run("table", "create", "people").done();
        shell.run("table", "put", "people", "ann", "{\"age\":1,\"city\":\"Oslo\"}")
                .done();
        shell.run("table", "put", "people", "bob", "{\"age\":1}").done();
        shell.run("table", "put", "people", "ann", "{\"age\":2,\"city\":\"Oslo\"}")
                .done();
        shell.run("table", "rm", "people", "ann").done();
        List<String> lines =
                shell.run("table", "history", "people", "ann", "-p").done().lines();
        assertThat(lines)
                .filteredOn(line -> line.startsWith("  "))
                .containsExactly(
                        "  age: 2 (removed)",
                        "  city: \"Oslo\" (removed)",
                        "  age: 1 -> 2",
                        "  age: 1 (added)",
                        "  city: \"Oslo\" (added)");
        JsonNode changed = shell.run("table", "history", "people", "ann", "-p", "--json")
                .done()
                .json()
                .get(1);
        assertThat(changed.get("fields").get(0).get("before").asInt()).isEqualTo(1);
        assertThat(changed.get("fields").size()).isEqualTo(1);
        assertThat(shell.run("table", "history", "people", "ann", "-p", "--format", "csv")
                        .refused(Exit.USAGE))
                .contains("--json");
    }

    @Test
    void saysWhichValuesAreNotHere() {
        shell.run("put", "a", Shell.cid(1)).done();
        assertThat(shell.run("log", "-p", "-n", "1").done().lines().subList(1, 3))
                .containsExactly("+ a", "  not here: " + Shell.cid(1) + " (added)");
    }

    @Test
    void exitsWith1IfAnythingDiffers() {
        shell.run("put", "a", "--text", "x").done();
        assertThat(shell.run("diff", "-p", "--exit-code").status()).isEqualTo(Exit.NO);
        assertThat(shell.run("diff", "-p", "--exit-code", "HEAD", "HEAD").status())
                .isEqualTo(Exit.DONE);
        assertThat(shell.run("diff", "--word-diff", "--stat").status()).isEqualTo(Exit.USAGE);
    }

    @Test
    void showsTheFilesOfAFolder() throws IOException {
        Path files = Files.createDirectories(folder.resolve("files/inner/deep"));
        Files.writeString(files.resolve("text"), "a\nb\n");
        Files.write(files.resolve("bytes"), new byte[3]);
        Files.writeString(folder.resolve("files/same"), "same");
        String before = importedFolder();
        Files.writeString(files.resolve("text"), "a\nc\n");
        Files.write(files.resolve("bytes"), new byte[5]);
        Files.writeString(folder.resolve("files/new"), "new\n");
        String after = importedFolder();
        shell.run("put", "site", before).done();
        shell.run("put", "site", after).done();
        List<String> lines = shell.run("diff", "-p").done().lines();
        assertThat(lines)
                .filteredOn(line -> !line.contains(" bytes -> "))
                .containsExactly(
                        "~ site",
                        "  ~ inner/deep/bytes",
                        "  ~ inner/deep/text",
                        "@@ -1,2 +1,2 @@",
                        " a",
                        "-b",
                        "+c",
                        "  + new",
                        "@@ -0,0 +1 @@",
                        "+new");
        assertThat(lines.get(2)).matches("  \\S+, 3 bytes -> \\S+, 5 bytes");
    }

    /** The CID of the folder, as an export of its files makes it. */
    private String importedFolder() {
        shell.run("put", "-q", "-r", "files", "f").done();
        String cid = shell.run("export", "f.car", "--as", "unixfs", "--prefix", "f", "--json")
                .done()
                .json()
                .get(0)
                .get("roots")
                .get(0)
                .asText();
        shell.run("import", "-q", "f.car").done();
        return cid;
    }

    @Test
    void countsLinesAndFields() {
        shell.run("put", "a", "--text", "1\n2\n3\n").done();
        shell.run("put", "b", "--text", "{\"x\":1,\"y\":2}").done();
        shell.run("put", "c", Shell.cid(1)).done();
        shell.run("put", "a", "--text", "1\ntwo\nthree\n3\n").done();
        shell.run("put", "b", "--text", "{\"x\":3,\"y\":2,\"z\":0}").done();
        shell.run("put", "c", Shell.cid(2)).done();
        assertThat(shell.run("diff", "-p", "--stat", "@{3}").done().lines())
                .containsExactly(
                        "~ a | 3 ++-",
                        "~ b | 3 ++-",
                        "~ c | not here: " + Shell.cid(1) + " -> not here: " + Shell.cid(2),
                        "3 values changed, 4 insertions(+), 2 deletions(-)");
        JsonNode counts = shell.run("diff", "-p", "--stat", "@{3}", "--json")
                .done()
                .json()
                .get(0);
        assertThat(counts.get("added").asInt()).isEqualTo(2);
        assertThat(counts.get("removed").asInt()).isEqualTo(1);
        assertThat(shell.run("log", "--stat", "-n", "2").done().lines())
                .contains("~ b | 3 ++-", "1 value changed, 2 insertions(+), 1 deletion(-)");
        assertThat(shell.run("show", "--stat", "HEAD~2").done().lines()).contains("~ a | 3 ++-");
        // Without -p, the numbers of keys and shards, as ever.
        assertThat(shell.run("diff", "--stat", "@{3}").done().lines()).contains("changed\t3");
    }

    @Test
    void aLongBarIsScaled() {
        shell.run("put", "a", "--text", "x\n".repeat(30) + "y\n".repeat(90)).done();
        shell.run("put", "a", "--text", "y\n".repeat(90) + "z\n".repeat(90)).done();
        assertThat(shell.run("diff", "-p", "--stat").done().lines().get(0))
                .isEqualTo("~ a | 120 " + "+".repeat(30) + "-".repeat(10));
    }

    @Test
    void marksWordsThatDiffer() {
        shell.run("put", "a", "--text", "one\nthe quick fox, jumps\nlast\ngone\n")
                .done();
        shell.run("put", "a", "--text", "one\nthe slow fox. jumps\u001b[31m\nlast\n")
                .done();
        assertThat(shell.run("diff", "--word-diff").done().lines())
                .containsExactly(
                        "~ a",
                        "@@ -1,4 +1,3 @@",
                        "one",
                        "the [-quick-]{+slow+} fox[-,-]{+.+} jumps{+\\u{1b}[31m+}",
                        "last",
                        "[-gone-]");
    }

    @Test
    void colorsWhatWasRemovedAndAdded() {
        shell.run("put", "a", "--text", "1\n").done();
        shell.run("put", "a", "--text", "2\u001b[32m\n").done();
        assertThat(shell.run("diff", "-p", "--color", "always").done().text())
                .contains("\u001b[31m-1\u001b[0m\n", "\u001b[32m+2\\u{1b}[32m\u001b[0m\n");
        assertThat(shell.run("diff", "--word-diff", "--color", "always").done().text())
                .contains("\u001b[31m[-1-]\u001b[0m\u001b[32m{+2");
    }
}
