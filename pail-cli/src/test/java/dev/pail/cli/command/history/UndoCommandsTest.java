package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Line;
import dev.pail.cli.Shell;
import dev.pail.cli.Snapshot;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Undo, redo, revert, and merges by content. */
class UndoCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
    }

    private String event(int index) {
        List<JsonNode> log = shell.run("log", "--json").done().json();
        return log.get(index).get("event").asText();
    }

    private String get(String key) {
        return shell.run("get", key).done().line();
    }

    private String quiet(String... arguments) {
        shell.run(Shell.concat("-q", arguments)).done();
        return shell.root();
    }

    /** Refused with this exit status, and nothing has changed. */
    private String refused(int status, String... arguments) {
        Map<String, String> before = Snapshot.of(folder);
        String message = shell.run(arguments).failed(status);
        assertThat(Snapshot.of(folder)).isEqualTo(before);
        return message;
    }

    @Test
    void undoGoesFurtherBackAndRedoForward_REP22_REP23() {
        shell.put("a", 1, "b", 2, "c", 3, "d", 4);
        String last = shell.root();
        quiet("undo");
        quiet("undo");
        assertThat(shell.keys()).containsExactly("a", "b");
        assertThat(refused(Exit.FAILED, "undo", "3")).contains("main has 2 earlier moves to undo, not 3");
        quiet("redo");
        assertThat(shell.keys()).containsExactly("a", "b", "c");
        assertThat(refused(Exit.FAILED, "redo", "2")).contains("main has 1 undone move to redo, not 2");
        assertThat(shell.run("redo").done().line()).isEqualTo(last);
        assertThat(refused(Exit.FAILED, "redo")).contains("nothing to redo");
        quiet("undo", "4");
        assertThat(shell.keys()).isEmpty();
        assertThat(refused(Exit.FAILED, "undo")).contains("main has no earlier version");
        assertThat(quiet("redo", "4")).isEqualTo(last);
        assertThat(shell.run("log", "--head", "--json").done().json())
                .extracting(move -> move.get("reason").asText())
                .startsWith(
                        "redo to generation 4",
                        "undo to generation 0",
                        "redo to generation 4",
                        "redo to generation 3",
                        "undo to generation 2",
                        "undo to generation 3",
                        "put \"d\"");
    }

    @Test
    void aChangeAfterAnUndoEndsRedo_REP23() {
        shell.put("a", 1, "b", 2);
        quiet("undo");
        shell.put("c", 3);
        assertThat(refused(Exit.FAILED, "redo")).contains("nothing to redo");
        quiet("undo");
        assertThat(shell.keys()).containsExactly("a");
        quiet("undo");
        assertThat(shell.keys()).isEmpty();
        quiet("redo", "2");
        assertThat(shell.keys()).containsExactly("a", "c");
    }

    @Test
    void stepsThatLeadToWhereTheBranchStandsAreRefused_REP22() {
        shell.put("a", 1, "b", 2);
        shell.run("reset", "@{1}").done();
        assertThat(refused(Exit.FAILED, "undo", "2")).contains("undo 2", "nothing would change");
        quiet("undo", "1");
        assertThat(shell.keys()).containsExactly("a", "b");
    }

    @Test
    void undoHintsAtRevert() {
        shell.put("a", 1);
        String event = event(0);
        assertThat(shell.run("undo").err())
                .startsWith("hint: a replica that has this change")
                .contains("pail redo, then pail revert " + event.substring(0, 15));
        quiet("redo");
        assertThat(shell.run("undo", "--json").done().json()).hasSize(1);
        assertThat(refused(Exit.FAILED, "revert", event)).contains("main does not hold the event", "pail redo");
        shell.run("redo").done();
        shell.run("revert", event.substring(0, 15)).done();
        assertThat(shell.keys()).isEmpty();
    }

    @Test
    void revertTakesBackOneChange_M21() {
        shell.put("a", 1, "b", 2);
        shell.feed(Line.put("a", 3) + Line.put("c", 4) + "{\"op\":\"del\",\"key\":\"b\"}\n", "apply")
                .done();
        shell.put("d", 5);
        String event = event(1);
        assertThat(shell.run("revert", event).done().line()).isEqualTo(shell.root());
        assertThat(shell.keys()).containsExactly("a", "b", "d");
        assertThat(get("a")).isEqualTo(Shell.cid(1));
        assertThat(get("b")).isEqualTo(Shell.cid(2));
        JsonNode newest = shell.run("log", "-n", "1", "--json").done().json().get(0);
        assertThat(newest.get("ops")).hasSize(3);
        String root = shell.root();
        assertThat(shell.run("revert", event).done().line())
                .as("nothing is left")
                .isEqualTo(root);
        assertThat(shell.run("log", "--head").done().lines()).hasSize(5);
        shell.run("revert", "@{0}").done();
        assertThat(shell.keys()).containsExactly("a", "c", "d");
    }

    /** The implementation in JavaScript reads deletes of their own, but none within a batch. */
    @ParameterizedTest
    @CsvSource({"put b, del", "rm a, put"})
    void revertOfOneKeyIsNoBatch_M21(String command, String op) {
        shell.put("a", 1);
        shell.run(Shell.concat(
                        command.split(" ", -1)[0],
                        command.startsWith("put") ? new String[] {"b", Shell.cid(2)} : new String[] {"a"}))
                .done();
        shell.run("revert", "main").done();
        JsonNode newest = shell.run("log", "-n", "1", "--json").done().json().get(0);
        assertThat(newest.get("batch").asBoolean()).isFalse();
        assertThat(newest.get("ops").get(0).get("op").asText()).isEqualTo(op);
        assertThat(shell.keys()).containsExactly("a");
    }

    @Test
    void aKeyThatWasChangedSinceIsAConflict_M21() {
        shell.put("a", 1, "a", 2, "a", 3);
        String event = event(1);
        assertThat(refused(Exit.CONFLICT, "revert", event)).contains("\"a\"", "--policy");
        assertThat(shell.run("revert", event).lines())
                .containsExactly("! a\tours " + Shell.cid(3) + "\ttheirs " + Shell.cid(1));
        assertThat(refused(Exit.CONFLICT, "revert", event, "--policy", "fail")).contains("--policy");
        refused(Exit.USAGE, "revert", event, "--policy", "best");
        shell.run("revert", event, "--policy", "ours").done();
        assertThat(get("a")).isEqualTo(Shell.cid(3));
        shell.run("revert", event, "--policy", "theirs").done();
        assertThat(get("a")).isEqualTo(Shell.cid(1));
    }

    @Test
    void whatRevertTakesBackStaysAwayAfterAnImport() throws IOException {
        shell.put("a", 1, "wrong", 2);
        Shell other = Shell.withRepository(Files.createDirectory(folder.resolve("other")));
        shell.run("export", "one.car").done();
        other.run("import", "../one.car").done();
        quiet("undo");
        shell.run("import", "one.car").done();
        assertThat(shell.keys()).as("an undo is of this repository alone").containsExactly("a", "wrong");
        shell.run("revert", "main").done();
        shell.run("import", "one.car").done();
        assertThat(shell.keys()).containsExactly("a");
        shell.run("export", "two.car").done();
        other.put("more", 3);
        other.run("import", "../two.car").done();
        assertThat(other.keys()).containsExactly("a", "more");
    }

    @Test
    void revertNamesOneEvent() {
        assertThat(refused(Exit.FAILED, "revert", "main")).contains("no event: main");
        shell.put("a", 1);
        shell.run("branch", "side").done();
        shell.put("b", 2);
        shell.run("-b", "side", "put", "c", Shell.cid(3)).done();
        assertThat(refused(Exit.FAILED, "revert", "side")).contains("main does not hold the event");
        shell.run("merge", "side").done();
        assertThat(refused(Exit.FAILED, "revert", "main")).contains("more than one event: main");
        shell.run("revert", "side").done();
        assertThat(shell.keys()).containsExactly("a", "b");
        refused(Exit.USAGE, "revert");
    }

    /** An index follows its rows. */
    @Test
    void revertMakesTablesRight() {
        shell.run("table", "create", "people", "-q").done();
        shell.run("table", "index", "people", "city", "-q").done();
        shell.run("table", "put", "people", "ada", "{\"city\":\"Oslo\"}", "-q").done();
        shell.run("table", "put", "people", "ada", "{\"city\":\"Rome\"}", "-q").done();
        String event = event(0);
        shell.run("table", "put", "people", "ada", "{\"city\":\"Bern\"}", "-q").done();
        shell.run("revert", event, "--policy", "theirs", "-q").done();
        assertThat(shell.run("table", "find", "people", "city", "Oslo", "--json")
                        .done()
                        .lines())
                .hasSize(1);
        assertThat(shell.run("table", "find", "people", "city", "Bern", "--json")
                        .done()
                        .lines())
                .isEmpty();
        assertThat(shell.run("table", "reindex").done().line()).isEqualTo(shell.root());
    }

    /** As a version that another implementation has made of an exported one, without an event. */
    @Test
    void mergeWithABaseTakesDeletionsOver_MG1() {
        shell.put("a", 1, "b", 2, "c", 3);
        String base = event(0);
        shell.run("branch", "theirs").done();
        shell.run("-b", "theirs", "rm", "a").done();
        shell.run("-b", "theirs", "put", "d", Shell.cid(4)).done();
        String root = shell.run("-b", "theirs", "root").done().line();
        shell.put("c", 5, "e", 6);
        Map<String, String> before = Snapshot.of(folder);
        Answer dry = shell.run("merge", root, "--base", base, "--dry-run").done();
        assertThat(Snapshot.of(folder)).isEqualTo(before);
        assertThat(shell.run("merge", root, "--base", base).done().text()).isEqualTo(dry.text());
        assertThat(shell.keys()).containsExactly("b", "c", "d", "e");
        JsonNode newest = shell.run("log", "-n", "1", "--json").done().json().get(0);
        assertThat(newest.get("parents")).as("the other's events do not join").hasSize(1);
        assertThat(newest.get("ops")).hasSize(2);
        assertThat(shell.run("log", "--json").done().lines()).hasSize(6);
        assertThat(shell.run("log", "--head", "-n", "1").done().line()).endsWith("merge " + root + " --base " + base);
    }

    @Test
    void mergeWithABaseRefusesConflictsUnlessToldOtherwise_MG3() {
        shell.put("both", 1, "a", 2);
        shell.run("branch", "theirs").done();
        shell.put("both", 3);
        shell.run("-b", "theirs", "rm", "both").done();
        assertThat(refused(Exit.CONFLICT, "merge", "theirs", "--base", "@{1}")).contains("\"both\"", "--policy");
        Answer ours = shell.run("merge", "theirs", "--base", "@{1}", "--policy", "ours")
                .done();
        assertThat(ours.lines().get(0)).endsWith("ours stands");
        shell.run("merge", "theirs", "--base", "@{1}", "--policy", "theirs").done();
        assertThat(shell.keys()).containsExactly("a");
        assertThat(refused(Exit.FAILED, "merge", "theirs", "--base", "none")).contains("none");
        assertThat(refused(Exit.FAILED, "-b", "new", "merge", "theirs", "--base", "main"))
                .contains("no branch new");
    }

    /** The time of the import is not the time of the event. */
    @Test
    void logTellsTheTimeOfImportedEventsThatHaveIt_DE5() throws IOException {
        Shell plain = Shell.withRepository(Files.createDirectory(folder.resolve("plain")), "--events", "plain");
        plain.put("a", 1);
        plain.run("export", "../one.car").done();
        shell.put("x", 1);
        shell.run("export", "two.car").done();
        Shell other = Shell.withRepository(Files.createDirectory(folder.resolve("other")));
        other.run("import", "../one.car").done();
        other.put("b", 2);
        List<String> lines = other.run("log").done().lines();
        assertThat(lines.get(0)).matches("\\* bafyrei\\w{8}  20\\S+Z  put \"b\"  \\(main\\)");
        assertThat(lines.get(1)).matches("\\* bafyrei\\w{8} {24}put \"a\"");
        List<JsonNode> events = other.run("log", "--json").done().json();
        assertThat(events.get(0).has("time")).isTrue();
        assertThat(events.get(1).has("time")).isFalse();
        assertThat(events.get(1).get("imported").asText()).startsWith("20");
        assertThat(plain.run("log").done().line()).contains("Z  put");
        String time =
                shell.run("log", "--json").done().json().get(0).get("time").asText();
        other.run("import", "../two.car", "-b", "two").done();
        assertThat(other.run("-b", "two", "log", "--json")
                        .done()
                        .json()
                        .get(0)
                        .get("time")
                        .asText())
                .isEqualTo(time);
    }

    @Test
    void unrelatedHistoriesLeadToABase() throws IOException {
        Shell other = Shell.withRepository(Files.createDirectory(folder.resolve("other")));
        other.put("theirs", 1);
        other.run("export", "../other.car").done();
        shell.put("ours", 2);
        assertThat(shell.run("import", "other.car").failed(Exit.CONFLICT))
                .contains("--allow-unrelated-histories", "no deletions", "--base");
    }

    private void table(String... arguments) {
        shell.run(Shell.concat("table", arguments)).done();
    }

    /** Index entries match the rows, and each row has its table. */
    private void tablesAreSound() {
        assertThat(shell.run("table", "reindex").done().lines().get(0)).isEqualTo(shell.root());
        assertThat(shell.run("verify").done().text()).startsWith("sound").doesNotContain("index\t");
        assertThat(shell.run("table", "orphans").done().text()).isEmpty();
    }

    private String scan() {
        return shell.run("table", "scan", "t", "--format", "csv").done().text();
    }

    @Test
    void revertOfAnIndexKeepsIndexesOfLater_M21_R7() {
        table("create", "t");
        table("put", "t", "r1", "{\"a\":1,\"b\":1}");
        table("index", "t", "a");
        String event = event(0);
        table("index", "t", "b");
        table("put", "t", "r2", "{\"a\":2,\"b\":2}");
        shell.run("revert", event).done();
        assertThat(shell.run("table", "ls", "--format", "csv").done().lines()).containsExactly("table,indexes", "t,b");
        assertThat(scan()).contains("r1", "r2");
        tablesAreSound();
    }

    @Test
    void revertOfATableThatWasWrittenSinceIsAConflict_M21_R8() {
        table("create", "t");
        String event = event(0);
        table("put", "t", "r1", "{\"a\":1}");
        assertThat(refused(Exit.CONFLICT, "revert", event)).contains("the table \"t\"");
        assertThat(shell.run("revert", event).lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("! table t\t");
        for (String policy : List.of("ours", "theirs")) {
            assertThat(shell.run("revert", event, "--policy", policy).done().text())
                    .contains("the table \"t\" was dropped");
            assertThat(scan()).contains("r1");
            tablesAreSound();
        }
        table("rm", "t", "r1");
        shell.run("revert", event).done();
        assertThat(shell.keys()).isEmpty();
    }

    @Test
    void revertOfADropBringsRowsAndIndexesBackBesideNewOnes_M21_R7() {
        table("create", "t");
        table("index", "t", "a");
        table("put", "t", "r1", "{\"a\":1}");
        String before = shell.root();
        table("drop", "t");
        String event = event(0);
        shell.run("revert", event).done();
        assertThat(shell.root()).isEqualTo(before);
        shell.run("undo", "-q").done();
        tablesAreSound();
        table("create", "t");
        table("put", "t", "r2", "{\"a\":2,\"b\":2}");
        table("index", "t", "b");
        shell.run("revert", event).done();
        assertThat(shell.run("table", "ls", "--format", "csv").done().lines())
                .containsExactly("table,indexes", "t,a b");
        assertThat(scan()).contains("r1", "r2");
        tablesAreSound();
        shell.run("undo", "-q").done();
        tablesAreSound();
        shell.run("redo", "-q").done();
        tablesAreSound();
    }

    @Test
    void revertOfADeletedRowOfADroppedTableIsAConflict_M21_R8() {
        table("create", "t");
        table("put", "t", "r1", "{\"a\":1}");
        table("rm", "t", "r1");
        String event = event(0);
        table("drop", "t");
        assertThat(refused(Exit.CONFLICT, "revert", event)).contains("the table \"t\"", "\"r1\"");
        shell.run("revert", event, "--policy", "theirs").done();
        assertThat(scan()).contains("r1");
        tablesAreSound();
    }

    @Test
    void revertOfARowThatWasChangedSinceNamesTheRow_M21_R6() {
        table("create", "t");
        table("index", "t", "a");
        table("put", "t", "r1", "{\"a\":1}");
        String event = event(0);
        table("put", "t", "r1", "{\"a\":2}");
        table("put", "t", "r2", "{\"a\":2}");
        assertThat(refused(Exit.CONFLICT, "revert", event)).contains("the row \"r1\" of the table \"t\"");
        assertThat(shell.run("revert", event, "--json").json().stream().filter(line -> line.has("conflict")))
                .hasSize(1);
        shell.run("revert", event, "--policy", "theirs").done();
        assertThat(scan()).doesNotContain("r1").contains("r2");
        tablesAreSound();
    }
}
