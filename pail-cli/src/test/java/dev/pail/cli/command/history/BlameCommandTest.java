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

/** {@code pail blame}: the change that gave each key its value. */
class BlameCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeHistory() {
        shell = Shell.withRepository(folder);
        put("Ann", "n/a", 1, "first\nof all");
        put("Bob", "n/b", 2, "b");
        put("Bob", "n/a", 3, "other");
        put("Bob", "n/a", 1, "again");
        put("Ann", "z", 9, "last");
        shell.run("rm", "n/b").done();
        put("Ann", "n/b", 4, "b again");
    }

    private void put(String author, String key, int value, String message) {
        shell.withVariable("PAIL_AUTHOR", author)
                .run("put", key, Shell.cid(value), "-m", message)
                .done();
    }

    /** The message of the change of each key. */
    private List<String> messages(String... arguments) {
        return shell.run(Shell.concat("blame", arguments)).done().lines().stream()
                .map(line -> line.replaceFirst("bafy\\w{11}  20\\S+Z  ", ""))
                .toList();
    }

    @Test
    void namesTheNewestChangeThatPutTheValue() {
        assertThat(messages())
                .containsExactly(
                        "\"n/a\"  \"again\"  by Bob", "\"n/b\"  \"b again\"  by Ann", "\"z\"  \"last\"  by Ann");
        assertThat(messages("n/")).hasSize(2);
        assertThat(messages("none")).isEmpty();
        assertThat(messages("n/", "HEAD~5")).containsExactly("\"n/a\"  \"first\"  by Ann", "\"n/b\"  \"b\"  by Bob");
    }

    @Test
    void printsJson() {
        List<JsonNode> json = shell.run("blame", "n/b", "--json").done().json();
        assertThat(json).singleElement().satisfies(key -> {
            assertThat(key.get("key").asText()).isEqualTo("n/b");
            assertThat(key.get("value").asText()).isEqualTo(Shell.cid(4));
            assertThat(key.get("event").asText())
                    .isEqualTo(shell.run("log", "-n", "1", "--json")
                            .json()
                            .get(0)
                            .get("event")
                            .asText());
            assertThat(key.get("author").asText()).isEqualTo("Ann");
            assertThat(key.get("message").asText()).isEqualTo("b again");
            assertThat(key.has("time")).isTrue();
        });
    }

    @Test
    void namesTheSideThatStandsAfterAMerge() {
        shell.run("branch", "side").done();
        put("Ann", "n/a", 5, "ours");
        shell.withVariable("PAIL_AUTHOR", "Bob")
                .run("put", "n/a", Shell.cid(6), "-m", "theirs", "-b", "side")
                .done();
        assertThat(shell.run("merge", "side", "-q").status()).isZero();
        String stands = shell.run("get", "n/a").done().line();
        assertThat(messages("n/a"))
                .containsExactly(
                        stands.equals(Shell.cid(5)) ? "\"n/a\"  \"ours\"  by Ann" : "\"n/a\"  \"theirs\"  by Bob");
    }

    @Test
    void readsACarFile() {
        shell.run("export", "a.car").done();
        assertThat(shell.run("-C", "a.car", "blame").done().text())
                .isEqualTo(shell.run("blame").done().text());
        shell.run("squash").done();
        assertThat(shell.run("blame", "", "@1").done().lines()).hasSize(3);
    }

    @Test
    void aRevisionThatIsNothingIsRefused() {
        assertThat(shell.run("blame", "", "nothing").refused(Exit.FAILED)).contains("no branch and no event");
    }
}
