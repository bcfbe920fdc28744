package dev.pail.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schemas of tables by the command. */
class TableSchemaTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeTable() {
        shell = Shell.withRepository(folder);
        shell.run("table", "create", "people", "-q").done();
        shell.run("table", "put", "people", "ada", "{\"id\":\"ada\",\"age\":36}", "-q")
                .done();
    }

    private void give(String... options) {
        shell.run(Shell.concat("table", Shell.concat("schema", Shell.concat("people", options))))
                .done();
    }

    @Test
    void aSchemaIsGivenAndShown() {
        assertThat(shell.run("table", "schema", "people").failed(Exit.NO))
                .contains("has no schema", "hint: give it one");
        give("--column", "id text required", "--column", "age integer null", "--key", "id", "-q");
        give("--column", "city text default \"Oslo\"", "--check", "not exists age or age >= 0", "--closed", "-q");
        assertThat(shell.run("table", "schema", "people").done().text()).isEqualTo("""
                        column  type             required  default
                        age     integer or null
                        city    text                       "Oslo"
                        id      text             required
                        check: not exists age or age >= 0
                        key: id
                        closed: a row has no other fields
                        """);
        assertThat(shell.run("table", "ls").done().text()).contains("schema").contains("yes");
        assertThat(shell.run("table", "ls", "--json").done().line()).contains("\"schema\":true");
        assertThat(shell.run("table", "schema", "people", "--at", "@{1}").done().text())
                .doesNotContain("city");
        give("--remove", "city", "--remove", "not exists age or age >= 0", "--remove", "id", "--open", "-q");
        assertThat(shell.run("table", "schema", "people", "--json").done().line())
                .isEqualTo(
                        "{\"table\":\"people\",\"schema\":{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
                                + "\"type\":\"object\",\"properties\":{\"age\":{\"type\":[\"integer\",\"null\"]}}}}");
        give("--drop", "-q");
        assertThat(shell.run("table", "schema", "people", "--drop").failed(Exit.FAILED))
                .contains("no schema of the table \"people\"");
    }

    @Test
    void everyChangeOfARowIsChecked() {
        give("--column", "age integer", "--check", "not exists age or age >= 0", "-q");
        String misfit = "of the table \"people\" does not fit its schema: ";
        assertThat(shell.run("table", "put", "people", "bo", "{\"age\":\"x\\u001b[31m\"}")
                        .failed(Exit.FAILED))
                .contains("the row \"bo\" " + misfit + "the column \"age\" has \"x\\u001b[31m\", and takes an integer")
                .contains("hint: ");
        assertThat(shell.run("table", "put", "people", "ada", "{\"age\":-1}", "--merge")
                        .failed(Exit.FAILED))
                .contains("the row \"ada\" " + misfit + "the check \"not exists age or age >= 0\" does not hold");
        assertThat(shell.run("table", "update", "people", "--all", "--set", "age=1.5")
                        .failed(Exit.FAILED))
                .contains("has 1.5, and takes an integer");
        assertThat(shell.feed("id,age:number\ncy,3\ndo,-3\n", "table", "load", "people", "--csv")
                        .failed(Exit.FAILED))
                .contains("line 3: the row \"do\" " + misfit);
        assertThat(shell.run("table", "ls", "people", "--json").done().json()).hasSize(1);
        assertThat(shell.run("table", "schema", "people", "--column", "id integer")
                        .failed(Exit.FAILED))
                .contains(
                        "rows of the table \"people\" do not fit the schema: the row \"ada\", where the column \"id\" has \"ada\"");
    }

    @Test
    void aJsonSchemaGoesOutAndIn() throws IOException {
        give("--column", "age integer", "--check", "not exists age or age >= 0", "--check", "exists id", "-q");
        String printed =
                shell.run("table", "schema", "people", "--json-schema").done().text();
        assertThat(printed)
                .startsWith("{\n  \"$schema\"")
                .contains("\"minimum\" : 0")
                .endsWith("}\n");
        give("--drop", "-q");
        Path file = folder.resolve("people.json");
        Files.writeString(file, printed.replace("\"type\" : \"integer\"", "\"title\":\"Age\",\"type\":\"integer\""));
        assertThat(shell.run("table", "schema", "people", "--set", file.toString())
                        .err())
                .contains("not kept, because it says nothing of rows: title");
        assertThat(shell.run("table", "schema", "people", "--json-schema")
                        .done()
                        .text())
                .isEqualTo(printed);
        assertThat(shell.feed("{\"type\":\"object\",\"allOf\":[]}", "table", "schema", "people", "--set", "-")
                        .failed(Exit.FAILED))
                .contains("the keyword \"allOf\" is not supported");
        assertThat(shell.run("table", "schema", "people", "--set", "-", "--closed")
                        .failed(Exit.USAGE))
                .contains("--set takes the whole schema");
        assertThat(shell.run("table", "schema", "people", "--remove", "zip").failed(Exit.USAGE))
                .contains("no column or check \"zip\"");
    }

    @Test
    void aMergeNamesRowsThatDoNotFit() {
        shell.run("branch", "feat").done();
        give("--column", "age integer", "-q");
        shell.run("-b", "feat", "table", "put", "people", "bo", "{\"age\":\"x\"}", "-q")
                .done();
        assertThat(shell.run("merge", "feat", "--policy", "fail").text())
                .contains(
                        "the row \"bo\" of the table \"people\" (the column \"age\" has \"x\", and takes an integer)");
        assertThat(shell.run("merge", "feat", "--policy", "ours", "--json")
                        .done()
                        .text())
                .contains("\"schema\":\"the column \\\"age\\\" has \\\"x\\\", and takes an integer\"");
        assertThat(shell.run("verify").done().text())
                .contains("the row \"bo\" of the table \"people\" does not fit its schema");
    }
}
