package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
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
        assertThat(shell.run("diff", "-p", "--stat").status()).isEqualTo(Exit.USAGE);
    }
}
