package dev.pail.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that have changed on two branches, merged by the command. */
class TableMergeTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeTable() {
        shell = Shell.withRepository(folder);
        here("create", "t");
        here("put", "t", "r1", "{\"n\":1,\"a\":\"a1\",\"b\":\"b1\"}");
        shell.run("branch", "feat").done();
    }

    private void here(String... arguments) {
        shell.run(Shell.concat("table", arguments)).done();
    }

    private void there(String... arguments) {
        shell.run(Shell.concat("-b", Shell.concat("feat", Shell.concat("table", arguments))))
                .done();
    }

    private List<String> ids(String... arguments) {
        return shell.run(Shell.concat("--json", arguments)).done().json().stream()
                .map(row -> row.get("id").asText())
                .toList();
    }

    private List<String> tables() {
        return shell.run("table", "ls", "--format", "csv").done().lines();
    }

    /** The only conflict, which the policy refuses. */
    private JsonNode refused() {
        String before = shell.root();
        List<JsonNode> lines =
                shell.run("merge", "feat", "--policy", "fail", "--json").json();
        assertThat(shell.run("merge", "feat", "--policy", "fail").failed(Exit.CONFLICT))
                .contains("the table \"t\"");
        assertThat(shell.root()).isEqualTo(before);
        assertThat(lines.stream().filter(line -> line.has("conflict"))).hasSize(1);
        return lines.get(0);
    }

    /** Merges both ways, and by an import, which all come to the same. */
    private String merge() {
        shell.run("branch", "mirror", "feat").done();
        shell.run("branch", "imported", "main").done();
        shell.run("-b", "feat", "export", "feat.car").done();
        String told = shell.run("merge", "feat").done().text();
        shell.run("-b", "mirror", "merge", "main@{1}", "-q").done();
        shell.run("-b", "imported", "import", "feat.car", "-q").done();
        assertThat(shell.run("-b", "mirror", "root").done().line()).isEqualTo(shell.root());
        assertThat(shell.run("-b", "imported", "root").done().line()).isEqualTo(shell.root());
        assertThat(shell.run("table", "reindex").done().lines().get(0)).isEqualTo(shell.root());
        assertThat(shell.run("verify").done().text()).startsWith("sound").doesNotContain("index\t");
        return told;
    }

    @Test
    void aTableDroppedHereAndWrittenThereStaysWithTheRowsWritten_R8() {
        here("drop", "t");
        there("put", "t", "r2", "{\"n\":2}");
        JsonNode conflict = refused();
        assertThat(conflict.get("table").asText()).isEqualTo("t");
        assertThat(conflict.get("dropped").asText()).isEqualTo("ours");
        assertThat(conflict.get("rows").asInt()).isEqualTo(1);
        assertThat(conflict.get("madeAgain").asBoolean()).isFalse();
        assertThat(merge()).contains("the table \"t\" was dropped", "with 1 row written meanwhile");
        assertThat(ids("table", "scan", "t")).containsExactly("r2");
    }

    @Test
    void aTableWrittenHereAndDroppedThereStays_R8() {
        here("put", "t", "r1", "{\"n\":7}");
        here("index", "t", "n");
        there("drop", "t");
        assertThat(refused().get("dropped").asText()).isEqualTo("theirs");
        assertThat(merge()).contains("with 1 row written meanwhile and the index on \"n\"");
        assertThat(ids("table", "find", "t", "n", "7")).containsExactly("r1");
    }

    /** Both sides know the drop and the rows, and have merged them in different ways: in the replay of both, no table has the rows. */
    @Test
    void rowsAreKeptWhenTheBaseHasThemUnderNoTable_R6() {
        there("put", "t", "r2", "{\"n\":2}");
        there("put", "t", "r3", "{\"n\":3}");
        here("drop", "t");
        shell.run("branch", "written", "feat").done();
        there("index", "t", "n");
        shell.run("-b", "feat", "merge", "main").done();
        here("create", "t");
        shell.run("-b", "written", "table", "rm", "t", "r2").done();
        shell.run("merge", "written").done();
        assertThat(ids("table", "scan", "t")).isEmpty();
        String orphans = shell.run("table", "orphans").done().text();
        merge();
        assertThat(ids("table", "scan", "t")).containsExactly("r2", "r3");
        assertThat(ids("table", "find", "t", "n", "2")).containsExactly("r2");
        assertThat(shell.run("table", "orphans").done().text()).isEqualTo(orphans);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "theirs"})
    void aPolicyDoesNotMakeTheDropWin_R8(String policy) {
        here("drop", "t");
        there("put", "t", "r2", "{}");
        assertThat(shell.run("merge", "feat", "--policy", policy).done().text()).contains("declared again, with 1 row");
        assertThat(ids("table", "scan", "t")).containsExactly("r2");
    }

    @Test
    void aDropAndAnIndexAreAConflict_R8() {
        here("drop", "t");
        there("index", "t", "a");
        assertThat(refused().get("indexes").get(0).asText()).isEqualTo("a");
        assertThat(merge()).contains("with no rows and the index on \"a\"");
        assertThat(tables()).containsExactly("table,indexes", "t,a");
    }

    @Test
    void aDropAndADeletedRowAreNone_R8() {
        here("drop", "t");
        there("rm", "t", "r1");
        shell.run("merge", "feat", "--policy", "fail", "--dry-run").done();
        assertThat(merge()).doesNotContain("!");
        assertThat(shell.keys()).isEmpty();
    }

    @Test
    void rowsOfATableThatWasMadeAgainAreKept_R8_R9() {
        here("drop", "t");
        here("create", "t");
        here("put", "t", "r1", "{\"n\":7}");
        there("put", "t", "r1", "{\"n\":3}");
        there("put", "t", "r2", "{\"n\":2}");
        JsonNode conflict = refused();
        assertThat(conflict.get("madeAgain").asBoolean()).isTrue();
        assertThat(conflict.get("rows").asInt()).isEqualTo(2);
        assertThat(merge()).contains("the table \"t\" was dropped and made again", "2 rows kept under the number");
        assertThat(ids("table", "scan", "t")).containsExactly("r1");
        JsonNode found = shell.run("table", "orphans", "--json").done().json().get(0);
        assertThat(found.get("table").asText()).isEqualTo("t");
        String number = found.get("number").asText();
        for (String command : List.of("verify", "table reindex", "table orphans")) {
            assertThat(shell.run(command.split(" ")).done().text())
                    .contains("2 rows under the number " + number + ", written to a former table \"t\"");
        }
        assertThat(ids("table", "orphans", number)).containsExactly("r1", "r2");
        // What is written to the old table later joins them.
        there("put", "t", "r3", "{\"n\":3}");
        shell.run("merge", "feat").done();
        assertThat(ids("table", "orphans", number)).containsExactly("r1", "r2", "r3");
        assertThat(shell.run("table", "orphans", number, "--into", "t").done().text())
                .contains("rows taken into the table: 2, left because the table has other rows of their ids: 1");
        assertThat(ids("table", "scan", "t", "--where", "n == 2")).containsExactly("r2");
        assertThat(ids("table", "scan", "t", "--where", "n == 7")).containsExactly("r1");
        assertThat(shell.run("table", "orphans", number, "--delete").done().text())
                .contains("rows deleted: 1");
        assertThat(shell.run("table", "orphans").done().text()).isEmpty();
        assertThat(shell.keys()).hasSize(4);
    }

    @Test
    void aDropThatWasTakenBackIsNotANewTable_R8() {
        shell.run("branch", "third").done();
        here("drop", "t");
        there("put", "t", "r2", "{}");
        shell.run("merge", "feat").done();
        shell.run("-b", "third", "table", "put", "t", "r3", "{}").done();
        assertThat(shell.run("merge", "third").done().text()).doesNotContain("made again");
        assertThat(ids("table", "scan", "t")).containsExactly("r2", "r3");
    }

    @ParameterizedTest
    @CsvSource({"index t a, index t b, a b", "index t a, index t a, a", "index t n, put t r9 {}, n"})
    void indexesOfBothSidesAreKept_R7(String ours, String theirs, String indexes) {
        here(ours.split(" "));
        there(theirs.split(" "));
        shell.run("merge", "feat", "--policy", "fail", "--dry-run").done();
        assertThat(merge()).doesNotContain("! ");
        assertThat(tables()).containsExactly("table,indexes", "t," + indexes);
    }

    @Test
    void anIndexDroppedHereAndOneAddedThereCombine_R7() {
        here("index", "t", "a");
        shell.run("-b", "feat", "merge", "main").done();
        here("index", "t", "a", "--drop");
        there("index", "t", "b");
        merge();
        assertThat(tables()).containsExactly("table,indexes", "t,b");
        assertThat(ids("table", "find", "t", "b", "b1")).containsExactly("r1");
    }

    @Test
    void aTableMadeOnBothSidesHasTheIndexesOfBoth_R7() {
        for (String index : List.of("x", "y")) {
            String[] make = {"create", "u"};
            String[] declare = {"index", "u", index};
            String[] put = {"put", "u", "of-" + index, "{\"x\":1,\"y\":2}"};
            for (String[] line : List.of(make, declare, put)) {
                if (index.equals("x")) {
                    here(line);
                } else {
                    there(line);
                }
            }
        }
        merge();
        assertThat(tables()).containsExactly("table,indexes", "t,", "u,x y");
        assertThat(ids("table", "find", "u", "x", "1")).containsExactly("of-x", "of-y");
        assertThat(ids("table", "find", "u", "y", "2")).containsExactly("of-x", "of-y");
    }

    @Test
    void theSameIndexOnBothSidesIsNoConflict_R6() {
        here("put", "t", "r9", "{\"a\":\"a9\"}");
        here("index", "t", "a");
        there("index", "t", "a");
        there("put", "t", "r1", "{\"a\":\"a1\",\"b\":\"b2\"}");
        shell.run("merge", "feat", "--policy", "fail", "--dry-run").done();
        merge();
        assertThat(shell.run("table", "find", "t", "a", "a1", "--json")
                        .done()
                        .json()
                        .get(0)
                        .get("document")
                        .get("b")
                        .asText())
                .isEqualTo("b2");
    }

    @Test
    void aRowIsOneConflictThatNamesIt_R6() {
        here("index", "t", "n");
        shell.run("-b", "feat", "merge", "main").done();
        here("put", "t", "r1", "{\"n\":2}");
        there("put", "t", "r1", "{\"n\":3}");
        JsonNode conflict = refused();
        assertThat(conflict.get("table").asText()).isEqualTo("t");
        assertThat(conflict.get("row").asText()).isEqualTo("r1");
        assertThat(shell.run("merge", "feat", "--policy", "theirs")
                        .done()
                        .lines()
                        .get(0))
                .startsWith("! table t row r1\tours ")
                .endsWith("\ttheirs stands");
        assertThat(ids("table", "find", "t", "n", "3")).containsExactly("r1");
    }

    /** Two newest events in a file that no merge of tables has joined. */
    @Test
    void aNewBranchOfTwoEventsIsMergedAsTablesAre_R7_R8() {
        here("drop", "t");
        here("create", "u");
        here("index", "u", "x");
        there("put", "t", "r2", "{}");
        there("create", "u");
        there("index", "u", "y");
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            repository.change(
                    "main",
                    "merge alone",
                    ours -> ours.merge(repository.snapshot("feat").head()));
        }
        shell.run("export", "both.car").done();
        assertThat(shell.run("import", "both.car", "-b", "new").done().text()).contains("the table \"t\" was dropped");
        assertThat(ids("-b", "new", "table", "scan", "t")).containsExactly("r2");
        assertThat(shell.run("-b", "new", "table", "ls", "--format", "csv")
                        .done()
                        .lines())
                .containsExactly("table,indexes", "t,", "u,x y");
    }

    @Test
    void verifyFindsEntriesThatDoNotMatch_T5() {
        here("index", "t", "n");
        String entry = shell.keys().stream()
                .filter(key -> key.startsWith("F"))
                .findFirst()
                .orElseThrow();
        Cid other = Cid.parse(shell.root());
        shell.run("put", entry, other.toString()).done();
        assertThat(shell.run("verify").failed(Exit.NO))
                .contains("index entries do not match the rows", "pail -b main table reindex");
        shell.run("table", "reindex").done();
        shell.run("verify").done();
        shell.run("rm", entry).done();
        assertThat(shell.run("verify", "--json").json().stream().filter(line -> line.has("table")))
                .singleElement()
                .satisfies(line -> assertThat(line.get("entries").asInt()).isEqualTo(1));
    }
}
