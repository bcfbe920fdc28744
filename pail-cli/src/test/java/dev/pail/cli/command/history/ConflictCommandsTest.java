package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code pail conflicts} and {@code pail resolve}: conflicts stay open until someone decides. */
class ConflictCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    /** Files that an editor reads are on a disk. */
    @TempDir
    Path disk;

    private Shell ann;
    private Shell bob;

    @BeforeEach
    void disagree() {
        Shell plain = Shell.withRepository(folder, "--format", "v1");
        ann = plain.withVariable("PAIL_AUTHOR", "Ann");
        bob = plain.withVariable("PAIL_AUTHOR", "Bob");
        ann.run("put", "title", "--text", "milk").done();
        ann.run("branch", "draft").done();
        ann.run("put", "title", "--text", "2 milk\nand more", "-m", "two").done();
        bob.run("-b", "draft", "put", "title", "--text", "tea", "-m", "tea please")
                .done();
    }

    /** Done, with something on standard error. */
    private Answer told(String... call) {
        Answer answer = ann.run(call);
        assertThat(answer.status()).isEqualTo(Exit.DONE);
        return answer;
    }

    private Answer merge() {
        Answer merged = told("merge", "draft");
        assertThat(merged.err())
                .contains("1 conflict is open, and all copies have the same value; see, and decide: pail conflicts");
        return merged;
    }

    @Test
    void listsBothSidesAsContents() {
        merge();
        List<String> lines = told("conflicts").lines();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).isEqualTo("title");
        assertThat(lines.get(1)).isEqualTo("  base     \"milk\"");
        assertThat(lines.get(2)).matches("  ours   [* ] \"2 milk\"\\.\\.\\.  \"two\"  by Ann  bafy\\w{11}");
        assertThat(lines.get(3)).matches("  theirs [* ] \"tea\"  \"tea please\"  by Bob  bafy\\w{11}");
        assertThat(lines).filteredOn(line -> line.contains(" * ")).hasSize(1);
        assertThat(ann.run("stat").done().lines()).contains("openConflicts\t1");
    }

    @Test
    void printsJson() {
        JsonNode merged = ann.run("merge", "draft", "--json").done().json().get(1);
        assertThat(merged.get("openConflicts").asInt()).isEqualTo(1);
        JsonNode json = ann.run("conflicts", "--json").done().json().get(0);
        assertThat(json.get("key").asText()).isEqualTo("title");
        assertThat(json.get("ours")).isNotEqualTo(json.get("theirs"));
        assertThat(json.get("now")).isIn(json.get("ours"), json.get("theirs"));
        assertThat(json.get("sides")).hasSize(2);
    }

    @Test
    void aDecisionIsAChangeWithAMessage() {
        merge();
        ann.run("resolve", "title", "--theirs").done();
        assertThat(ann.run("cat", "title").done().text()).isEqualTo("tea");
        assertThat(told("conflicts").text()).isEmpty();
        assertThat(ann.run("log", "-n", "1").done().text()).contains("\"resolve \\\"title\\\"\"  by Ann");
        assertThat(ann.run("resolve", "title", "--ours").failed(Exit.FAILED))
                .contains("no open conflict of main: \"title\"")
                .contains("pail conflicts");
        assertThat(told("resolve", "--all", "--ours").err()).contains("no conflict is open");
    }

    @Test
    void eachSideAndAValueOfItsOwnCanBeTaken() throws IOException {
        merge();
        Files.writeString(folder.resolve("f"), "from a file");
        for (List<String> way : List.of(
                List.of("--ours", "2 milk\nand more"),
                List.of("--theirs", "tea"),
                List.of("--base", "milk"),
                List.of("--text=both", "both"),
                List.of("--file=f", "from a file"))) {
            ann.run("resolve", "title", way.get(0)).done();
            assertThat(ann.run("cat", "title").done().text()).isEqualTo(way.get(1));
            told("undo");
        }
        String stands = ann.run("cat", "title").done().text();
        ann.run("resolve", "title", "--keep").done();
        assertThat(ann.run("cat", "title").done().text()).isEqualTo(stands);
        told("undo");
        ann.run("resolve", "--all", "--delete").done();
        assertThat(ann.run("ls").done().text()).isEmpty();
    }

    @Test
    void oneWayIsGiven() {
        merge();
        assertThat(ann.run("resolve", "title").failed(Exit.USAGE)).contains("give one of --ours");
        assertThat(ann.run("resolve", "title", "--ours", "--base").failed(Exit.USAGE))
                .contains("give one of --ours");
        assertThat(ann.run("resolve", "--theirs").failed(Exit.USAGE)).contains("give a key, or --all");
        assertThat(ann.run("resolve", "--all", "--text", "x").failed(Exit.USAGE))
                .contains("--text is for one conflict");
    }

    @Test
    void anEditorGetsTheValueThatStands() throws IOException {
        merge();
        Path editor = disk.resolve("editor");
        Files.writeString(editor, "#!/bin/sh\nprintf ' and cake' >> \"$1\"\n");
        assertThat(editor.toFile().setExecutable(true)).isTrue();
        String stands = ann.run("cat", "title").done().text();
        ann.withVariable("EDITOR", editor.toString())
                .run("resolve", "title", "--edit")
                .done();
        assertThat(ann.run("cat", "title").done().text()).isEqualTo(stands + " and cake");
    }

    @Test
    void afterAnEditorThatFailedTheConflictIsOpen() {
        merge();
        assertThat(ann.run("resolve", "title", "--edit").failed(Exit.FAILED))
                .contains("no editor is set")
                .contains("EDITOR");
        assertThat(ann.withVariable("PAIL_EDITOR", "false")
                        .run("resolve", "title", "--edit")
                        .failed(Exit.FAILED))
                .contains("the editor failed with status 1: false");
        assertThat(told("conflicts").lines()).hasSize(4);
    }

    @Test
    void aRowIsNamedByItsTable() {
        ann.run("table", "create", "people").done();
        ann.run("table", "index", "people", "age").done();
        ann.run("table", "put", "people", "eve", "{\"age\":1}").done();
        ann.run("branch", "rows").done();
        ann.run("table", "put", "people", "eve", "{\"age\":2}").done();
        bob.run("-b", "rows", "table", "put", "people", "eve", "{\"age\":3}").done();
        told("merge", "rows");
        List<String> lines = told("conflicts").lines();
        assertThat(lines.get(0)).isEqualTo("table people row eve");
        assertThat(lines).hasSize(4);
        assertThat(lines.get(1)).isEqualTo("  base     {\"age\":1}");
        assertThat(ann.run("resolve", "--table", "people", "bob", "--ours").failed(Exit.FAILED))
                .contains("no open conflict of the table \"people\": row \"bob\"");
        ann.run("resolve", "--table", "people", "eve", "--text", "{\"age\":9}").done();
        assertThat(ann.run("table", "find", "people", "age", "9").done().text()).contains("eve");
        assertThat(ann.run("table", "find", "people", "age", "2").done().text()).isEmpty();
        assertThat(told("conflicts").text()).isEmpty();
    }

    @Test
    void rowsThatATableDoesNotAllowAreListedUntilTheyAreChanged() {
        ann.run("table", "create", "people").done();
        ann.run("table", "index", "people", "mail", "--unique").done();
        ann.run("branch", "rows").done();
        ann.run("table", "put", "people", "eve", "{\"mail\":\"a\",\"age\":1}").done();
        ann.run("table", "schema", "people", "--column", "age integer").done();
        bob.run("-b", "rows", "table", "put", "people", "eva", "{\"mail\":\"a\",\"age\":\"x\"}")
                .done();
        told("merge", "rows");
        Answer answer = told("conflicts");
        assertThat(answer.lines())
                .containsExactly(
                        "the rows \"eva\" and \"eve\" of the table \"people\" (\"a\" in the index on the field \"mail\", which is unique)",
                        "the row \"eva\" of the table \"people\" (the column \"age\" has \"x\", and takes an integer)");
        assertThat(answer.err()).contains("rows that their tables do not allow");
        List<JsonNode> json = told("conflicts", "--json").json();
        assertThat(json.get(0).get("rows")).hasSize(2);
        assertThat(json.get(0).get("unique").asText()).isEqualTo("mail");
        assertThat(json.get(1).get("schema").asText()).contains("age");
        ann.run("table", "rm", "people", "eva").done();
        assertThat(told("conflicts").text()).isEmpty();
    }

    @Test
    void aHostileValueDoesNotReachTheTerminal() {
        ann.feed("\u001b[31mred\u0007".getBytes(StandardCharsets.UTF_8), "put", "title", "--file", "-")
                .done();
        merge();
        assertThat(told("conflicts").text()).contains("\\u{1b}[31mred\\u{7}").doesNotContain("\u001b");
    }
}
