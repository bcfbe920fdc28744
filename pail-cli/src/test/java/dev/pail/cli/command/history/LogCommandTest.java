package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which changes {@code pail log} lists. */
class LogCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    /** Two branches that parted behind the change of the key a. */
    @BeforeEach
    void makeHistory() {
        shell = Shell.withRepository(folder);
        put("Ann", "a", "the first");
        shell.run("branch", "side").done();
        put("Bob", "b", "Second\nmore");
        put("Ann", "c", null);
        shell.run("switch", "side").done();
        put("Bob", "d", "on the side");
        shell.run("switch", "main").done();
    }

    private void put(String author, String key, String message) {
        Shell by = shell.withVariable("PAIL_AUTHOR", author);
        if (message == null) {
            by.run("put", key, "--text", key).done();
        } else {
            by.run("put", key, "--text", key, "-m", message).done();
        }
    }

    /** The keys that the listed changes put, by way of {@code --json}; the lines for people list as many. */
    private List<String> keys(String... options) {
        String[] log = Shell.concat("log", options);
        List<String> keys = shell.run(Shell.concat("--json", log)).done().json().stream()
                .map(change -> change.get("ops").get(0).get("key").asText())
                .toList();
        assertThat(shell.run(log).done().lines().stream().filter(line -> line.contains("bafy")))
                .as(Arrays.toString(options))
                .hasSameSizeAs(keys);
        return keys;
    }

    @Test
    void findsAuthorsAndMessages() {
        assertThat(keys("--author", "ANN")).containsExactly("c", "a");
        assertThat(keys("--author", "ann", "-n", "1")).containsExactly("c");
        assertThat(keys("--grep", "second")).containsExactly("b");
        assertThat(keys("--grep", "MORE", "--author", "bob")).containsExactly("b");
        assertThat(keys("--author", "bob", "--key", "a")).isEmpty();
        assertThat(keys("--author", "bob", "--prefix", "b")).containsExactly("b");
        assertThat(keys("--author", "carol")).isEmpty();
    }

    @Test
    void findsTimes() {
        assertThat(keys("--since", "2 hours ago")).containsExactly("c", "b", "a");
        assertThat(keys("--until", "2 hours ago")).isEmpty();
        assertThat(keys("--since", "yesterday", "--until", "today", "-n", "2")).containsExactly("c", "b");
        String time =
                shell.run("log", "--json", "-n", "1").json().get(0).get("time").asText();
        assertThat(keys("--since", time, "--until", time, "--key", "c")).containsExactly("c");
        assertThat(shell.run("log", "--since", "noon").refused(Exit.FAILED))
                .contains("not a time: \"noon\"", "2 hours ago");
    }

    @Test
    void listsRanges() {
        assertThat(keys("side..main")).containsExactly("c", "b");
        assertThat(keys("main..side")).containsExactly("d");
        assertThat(keys("side..")).containsExactly("c", "b");
        assertThat(keys("..side")).containsExactly("d");
        assertThat(keys("HEAD~1..HEAD")).containsExactly("c");
        assertThat(keys("main..main")).isEmpty();
        assertThat(keys("side..", "--author", "bob")).containsExactly("b");
        assertThat(keys("side..main", "--key", "b")).containsExactly("b");
        assertThat(shell.run("log", "side..main").done().lines()).allMatch(line -> line.startsWith("* bafy"));
        assertThat(shell.run("log", "nothing..main").refused(Exit.FAILED)).contains("nothing");
    }

    @Test
    void aNameWithTwoPointsIsNoRange() {
        shell.run("tag", "side..main", "main~2").done();
        assertThat(keys("side..main")).containsExactly("a");
    }

    @Test
    void listsAllBranchesAndTags() {
        assertThat(keys("--all")).containsExactlyInAnyOrder("c", "b", "d", "a").endsWith("a");
        shell.run("undo", "-q").done();
        assertThat(keys("--all")).doesNotContain("c");
        shell.run("tag", "kept", "@{1}").done();
        assertThat(keys("--all")).contains("c");
        assertThat(keys("--all", "--author", "bob")).containsExactlyInAnyOrder("b", "d");
        assertThat(shell.run("log", "--all", "main").refused(Exit.USAGE)).contains("no revision goes with it");
    }

    @Test
    void printsOneLineWithTheMessage() {
        List<String> lines = shell.run("log", "--oneline").done().lines();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).matches("bafy\\w{11}  put \"c\" = \"c\"");
        assertThat(lines.get(1)).matches("bafy\\w{11}  Second");
        assertThat(lines.get(2)).matches("bafy\\w{11}  the first");
    }

    @Test
    void namesTablesAndRows() throws IOException {
        shell.run("table", "create", "people").done();
        shell.run("table", "index", "people", "age").done();
        shell.run("table", "put", "people", "ann", "{\"age\":3}").done();
        Files.writeString(folder.resolve("rows"), "{\"id\":\"a\",\"age\":4}\n{\"id\":\"b\",\"age\":5}\n");
        shell.run("table", "load", "people", "rows").done();
        shell.run("table", "rm", "people", "ann").done();
        shell.run("table", "drop", "people").done();
        shell.run("put", "Title", "--text", "x").done();
        assertThat(shell.run("log", "-n", "7").done().lines())
                .extracting(line -> line.replaceAll("^.*Z  |  by .*|  \\(main\\)", ""))
                .containsExactly(
                        "put \"Title\" = \"x\"",
                        "del table people, 2 rows",
                        "del table people row ann",
                        "batch of 2 rows",
                        "put table people row ann = {\"age\":3}",
                        "put table people",
                        "put table people");
    }

    @Test
    void listsACarFile() {
        shell.run("export", "a.car").done();
        assertThat(keys("-C", "a.car", "--author", "bob")).containsExactly("b");
        assertThat(keys("-C", "a.car", "HEAD~1..")).containsExactly("c");
        assertThat(keys("-C", "a.car", "--all")).containsExactly("c", "b", "a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--author=x", "--grep=x", "--since=today", "--until=today", "--oneline", "--all", "--key=a"})
    void theLogOfABranchTakesNoneOfThem(String option) {
        assertThat(shell.run("log", "--head", option).refused(Exit.USAGE)).contains("only -n and -b go with it");
    }
}
