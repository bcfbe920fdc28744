package dev.pail.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands for tables. */
public class TableCommandsTest {
    public static final List<String> ACTIONS = List.of(
            "create",
            "drop",
            "ls",
            "index",
            "reindex",
            "load",
            "put",
            "get",
            "rm",
            "update",
            "locate",
            "find",
            "scan",
            "count",
            "sum",
            "min",
            "max",
            "avg",
            "percentile",
            "explain",
            "diff",
            "history");

    private static final String ADA =
            "{\"id\":\"ada\",\"age\":36,\"name\":\"Ada\",\"tags\":[\"a\",\"b\"],\"address\":{\"city\":\"Oslo\"}}";
    private static final String BO =
            "{\"id\":\"bo\",\"age\":9,\"name\":\"Bo, \\\"B\\\"\",\"address\":{\"city\":\"New York\"}}";
    private static final String CLEO = "{\"id\":\"cleo\",\"age\":41.5,\"name\":\"Cleo\"}";

    @TempDir(factory = MemoryTempDir.class)
    public Path folder;

    private Shell shell;

    @BeforeEach
    public void makeTable() {
        shell = Shell.withRepository(folder);
        shell.run("table", "create", "people").done();
        shell.run("table", "index", "people", "age").done();
        shell.run("table", "index", "people", "address.city").done();
        shell.feed(ADA + "\n\n" + BO + "\n" + CLEO + "\n", "table", "load", "people")
                .done();
    }

    private List<String> ids(String... arguments) {
        return shell.run(Shell.concat("--json", arguments)).done().json().stream()
                .map(row -> row.get("id").asText())
                .toList();
    }

    @Test
    public void find() {
        assertThat(ids("table", "find", "people", "age")).containsExactly("bo", "ada", "cleo");
        assertThat(ids("table", "find", "people", "age", "36")).containsExactly("ada");
        assertThat(ids("table", "find", "people", "age", "36.0")).containsExactly("ada");
        assertThat(ids("table", "find", "people", "age", "\"36\"", "-q")).isEmpty();
        assertThat(ids("table", "find", "people", "age", "--gt", "9", "--lte", "41.5"))
                .containsExactly("ada", "cleo");
        assertThat(ids("table", "find", "people", "age", "--gte", "9", "--lt", "41.5"))
                .containsExactly("bo", "ada");
        assertThat(ids("table", "find", "people", "age", "--limit", "1")).containsExactly("bo");
        assertThat(ids("table", "find", "people", "address.city", "New York")).containsExactly("bo");
        assertThat(ids("table", "find", "people", "address.city", "--prefix", "New"))
                .containsExactly("bo");
    }

    @Test
    void countsAndSums() {
        assertThat(shell.run("table", "count", "people").done().line()).isEqualTo("3");
        assertThat(shell.run("table", "count", "people", "--where", "age < 40")
                        .done()
                        .line())
                .isEqualTo("2");
        assertThat(shell.run("table", "count", "people", "--json").done().line())
                .isEqualTo("{\"count\":3}");
        assertThat(shell.run("table", "count", "people", "--by", "address.city")
                        .done()
                        .lines())
                .containsExactly("address.city  count", "New York      1", "Oslo          1", "              1");
        assertThat(shell.run("table", "count", "people", "--by", "address.city", "--json")
                        .done()
                        .lines())
                .containsExactly(
                        "{\"group\":\"New York\",\"count\":1}", "{\"group\":\"Oslo\",\"count\":1}", "{\"count\":1}");
        assertThat(shell.run("table", "sum", "people", "age").done().line()).isEqualTo("86.5");
        assertThat(shell.run("table", "min", "people", "age").done().line()).isEqualTo("9");
        assertThat(shell.run("table", "max", "people", "name").done().line()).isEqualTo("Cleo");
        assertThat(shell.run("table", "max", "people", "name", "--json").done().line())
                .isEqualTo("{\"max\":\"Cleo\"}");
        assertThat(shell.run("table", "max", "people", "name", "--format", "csv", "--cells", "json")
                        .done()
                        .lines())
                .containsExactly("max", "\"\"\"Cleo\"\"\"");
        assertThat(shell.run("table", "avg", "people", "age", "--where", "age < 40")
                        .done()
                        .line())
                .isEqualTo("22.5");
        assertThat(shell.run("table", "avg", "people", "age", "--by", "address.city", "--format", "csv")
                        .done()
                        .lines())
                .containsExactly("address.city,avg", "New York,9", "Oslo,36", ",41.5");
        assertThat(shell.run("table", "sum", "people", "name").done().line()).isEqualTo("0");
        assertThat(shell.run("table", "percentile", "people", "age", "0", "--format", "csv")
                        .done()
                        .lines())
                .containsExactly("percentile", "9");
        assertThat(shell.run("table", "percentile", "people", "nothing", "50").failed(Exit.NO))
                .contains("no row has a value for percentile");
        assertThat(shell.run("table", "percentile", "people", "age", "101").failed(Exit.USAGE))
                .contains("a percentage is a number from 0 to 100, not \"101\"");
        assertThat(shell.run("table", "avg", "people", "name").failed(Exit.NO)).contains("no row has a value for avg");
        assertThat(shell.run("table", "min", "people", "absent", "--by", "age", "--json")
                        .done()
                        .lines())
                .containsExactly("{\"group\":9}", "{\"group\":36}", "{\"group\":41.5}");
    }

    @Test
    void historyOfARow() throws Exception {
        shell.run("table", "put", "people", "bo", "{\"age\":10}", "-m", "a birthday")
                .done();
        shell.run("table", "put", "people", "ada", "{}").done();
        shell.run("table", "rm", "people", "bo").done();
        List<JsonNode> changes =
                shell.run("table", "history", "people", "bo", "--json").done().json();
        assertThat(changes).hasSize(3).allMatch(change -> change.has("event") && change.has("time"));
        assertThat(changes.get(0).has("document")).isFalse();
        assertThat(changes.get(0).has("cid")).isFalse();
        assertThat(changes.get(1).get("document").toString()).isEqualTo("{\"age\":10}");
        assertThat(changes.get(1).get("message").asText()).isEqualTo("a birthday");
        assertThat(changes.get(2).get("document").get("age").asInt()).isEqualTo(9);
        List<String> events = shell.run("log", "--json").done().json().stream()
                .map(event -> event.get("event").asText())
                .toList();
        assertThat(changes.stream().map(change -> change.get("event").asText()).toList())
                .isSubsetOf(events)
                .startsWith(events.get(0));
        for (JsonNode change : changes) {
            Answer then = shell.run(
                    "table", "get", "people", "bo", "--at", change.get("event").asText());
            if (change.has("document")) {
                assertThat(then.done().line()).isEqualTo(change.get("document").toString());
            } else {
                assertThat(then.failed(Exit.NO)).contains("no such row");
            }
        }
        List<String> lines =
                shell.run("table", "history", "people", "bo").done().lines();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).startsWith("event").contains("time", "document", "message");
        assertThat(lines.get(2)).startsWith(events.get(2).substring(0, 15)).contains("Z  {\"age\":10}", "a birthday");
        assertThat(shell.run("table", "history", "people", "bo", "--limit", "1", "--format", "csv")
                        .done()
                        .lines())
                .hasSize(2)
                .first()
                .isEqualTo("event,time,document,author,message");
        assertThat(shell.run("table", "history", "people", "bo", "--at", "@{1}", "--json")
                        .done()
                        .json())
                .hasSize(2);
        assertThat(shell.run("table", "history", "people", "cy").refused(Exit.NO))
                .contains("no such row: \"cy\"");
        assertThat(shell.run("table", "history", "people", "bo", "--limit", "0")
                        .done()
                        .lines())
                .isEmpty();
    }

    @Test
    void scansInOrder() {
        assertThat(ids("table", "scan", "people", "--order-by", "age")).containsExactly("bo", "ada", "cleo");
        assertThat(ids("table", "scan", "people", "--order-by", "name", "--desc"))
                .containsExactly("cleo", "bo", "ada");
        assertThat(ids("table", "scan", "people", "--order-by", "age", "--desc", "--limit", "2"))
                .containsExactly("cleo", "ada");
        assertThat(ids("table", "scan", "people", "--order-by", "address.city", "--where", "age > 9"))
                .containsExactly("ada", "cleo");
        assertThat(shell.run("table", "scan", "people", "--desc").refused(Exit.USAGE))
                .contains("--desc needs --order-by FIELD");
    }

    @Test
    void scanAndExplain() {
        assertThat(ids("table", "scan", "people")).containsExactly("ada", "bo", "cleo");
        assertThat(ids("table", "scan", "people", "--where", "tags contains \"b\""))
                .containsExactly("ada");
        assertThat(ids("table", "scan", "people", "--where", "not exists address"))
                .containsExactly("cleo");
        assertThat(shell.run("table", "explain", "people", "age > 10 and age < 40")
                        .done()
                        .line())
                .isEqualTo("index age: > 10 and < 40; filter: age > 10 and age < 40");
        JsonNode plan = shell.run("--json", "table", "explain", "people", "name == 'Ada'")
                .done()
                .json()
                .get(0);
        assertThat(plan.get("fullScan").asBoolean()).isTrue();
        assertThat(plan.get("filter").asText()).isEqualTo("name == \"Ada\"");
    }

    @Test
    void formats() {
        assertThat(shell.run("table", "scan", "people", "--fields", "name,address.city")
                        .done()
                        .text())
                .isEqualTo(
                        "id    name        address.city\nada   Ada         Oslo\nbo    Bo, \"B\"     New York\ncleo  Cleo\n"
                                .replace("name        ", "name     ")
                                .replace("Ada         ", "Ada      ")
                                .replace("Bo, \"B\"     ", "Bo, \"B\"  "));
        assertThat(shell.run("table", "scan", "people", "--format", "csv")
                        .done()
                        .lines())
                .containsExactly(
                        "id,age,name,tags,address.city",
                        "ada,36,Ada,\"[\"\"a\"\",\"\"b\"\"]\",Oslo",
                        "bo,9,\"Bo, \"\"B\"\"\",,New York",
                        "cleo,41.5,Cleo,,");
        Answer lines =
                shell.run("table", "scan", "people", "--format", "ndjson").done();
        assertThat(lines.lines().get(0)).isEqualTo("{\"id\":\"ada\",\"document\":" + ADA + "}");
        assertThat(shell.run("table", "scan", "people", "--json", "--fields", "address.city,tags")
                        .done()
                        .lines())
                .contains("{\"id\":\"ada\",\"fields\":{\"address.city\":\"Oslo\",\"tags\":[\"a\",\"b\"]}}")
                .contains("{\"id\":\"cleo\",\"fields\":{}}");
        assertThat(shell.run("table", "scan", "people", "--where", "age < 0")
                        .done()
                        .text())
                .isEmpty();
    }

    @Test
    void aFieldThatIsAskedForTwiceIsThereOnce() {
        assertThat(shell.run("table", "get", "people", "ada").done().text()).contains("\"Oslo\"");
        assertThat(shell.run(
                                "table",
                                "find",
                                "people",
                                "address.city",
                                "Oslo",
                                "--json",
                                "--fields",
                                "name,address.city,name")
                        .done()
                        .lines())
                .contains("{\"id\":\"ada\",\"fields\":{\"name\":\"Ada\",\"address.city\":\"Oslo\"}}");
    }

    @Test
    void cellsStayInTheirColumnsBehindAnEmptyId() {
        shell.run("table", "create", "few").done();
        shell.run("table", "put", "few", "", "{\"a\":1}").done();
        shell.run("table", "put", "few", "x", "{\"b\":2}").done();
        assertThat(shell.run("table", "scan", "few", "--format", "csv").done().lines())
                .containsExactly("id,a,b", ",1,", "x,,2");
    }

    @Test
    void rowsArePutReadAndRemoved() throws Exception {
        shell.run("table", "put", "people", "dag", "{\"age\": 1e1, \"b\\u0007\": null}")
                .done();
        assertThat(shell.run("table", "get", "people", "dag").done().line())
                .isEqualTo("{\"b\\u0007\":null,\"age\":10.0}");
        Files.writeString(folder.resolve("dag.json"), "{\"age\":\n11}\n", StandardCharsets.UTF_8);
        shell.run("table", "put", "people", "dag", "--file", "dag.json").done();
        JsonNode row = shell.run("table", "get", "people", "dag", "--json")
                .done()
                .json()
                .get(0);
        assertThat(row.get("document").get("age").asInt()).isEqualTo(11);
        assertThat(ids("table", "find", "people", "age", "10")).isEmpty();
        shell.run("table", "rm", "people", "dag").done();
        assertThat(shell.run("table", "get", "people", "dag").refused(Exit.NO)).contains("no such row: \"dag\"");
        assertThat(shell.run("table", "rm", "people", "ada", "zed").failed(Exit.NO))
                .contains("\"zed\"");
        assertThat(ids("table", "scan", "people")).containsExactly("bo", "cleo");
        assertThat(ids("table", "scan", "people", "--at", "@{1}")).containsExactly("ada", "bo", "cleo");
        assertThat(ids("table", "find", "people", "address.city", "Oslo", "--at", "@{1}"))
                .containsExactly("ada");
    }

    @Test
    void aLoneSurrogateIsNotWrittenAsCsv() {
        shell.run("table", "create", "texts").done();
        shell.run("table", "put", "texts", "1", "{\"text\":\"a\\ud800\"}").done();
        assertThat(shell.run("table", "scan", "texts", "--format", "csv").refused(Exit.FAILED))
                .contains("lone surrogate", "\"a\\u{d800}\"", "ndjson");
        assertThat(shell.run("table", "scan", "texts", "--format", "ndjson")
                        .done()
                        .text())
                .contains("a\\ud800");
    }

    @Test
    void aRowThatIsRemovedTwiceAtOnceWasThere() {
        shell.run("table", "rm", "people", "ada", "ada").done();
        assertThat(shell.run("table", "get", "people", "ada").status()).isEqualTo(Exit.NO);
        assertThat(shell.run("table", "rm", "people", "ada", "ada").failed(Exit.NO))
                .contains("no such row: \"ada\"")
                .doesNotContain("\"ada\", \"ada\"");
    }

    /** Nothing that a document holds moves the cursor of a terminal; and JSON stays what it is. */
    @Test
    void hiddenCharactersAreEscaped() {
        String json = "{\"t\":\"\u009b31m\u202e\udb40\udc01\u007f\\\\é\"}";
        shell.run("table", "put", "people", "a\nb\u202e", json).done();
        String line = shell.run("table", "get", "people", "a\nb\u202e").done().line();
        assertThat(line).isEqualTo("{\"t\":\"\\u009b31m\\u202e\\udb40\\udc01\\u007f\\\\é\"}");
        assertThat(Answer.parse(line)).isEqualTo(Answer.parse(json));
        assertThat(shell.run("table", "scan", "people", "--where", "exists t")
                        .done()
                        .text())
                .contains("a\\u{a}b\\u{202e}", "\\u{9b}31m")
                .doesNotContain("\u009b", "\u202e");
        assertThat(ids("table", "scan", "people", "--where", "exists t")).containsExactly("a\nb\u202e");
        assertThat(shell.run("log", "--head", "-n", "1").done().text()).doesNotContain("\u202e");
    }

    @Test
    void differencesAreRows() {
        shell.run("table", "put", "people", "bo", "{\"age\":10}").done();
        JsonNode change = shell.run("table", "diff", "--json").done().json().get(0);
        assertThat(change.get("change").asText()).isEqualTo("changed");
        assertThat(change.get("table").asText()).isEqualTo("people");
        assertThat(change.get("before").toString()).isEqualTo(BO);
        assertThat(change.get("after").toString()).isEqualTo("{\"age\":10}");
        shell.run("table", "rm", "people", "bo").done();
        assertThat(shell.run("table", "diff", "--format", "csv").done().lines())
                .containsExactly("change,table,id,before,after", "removed,people,bo,\"{\"\"age\"\":10}\",");
        assertThat(shell.run("table", "diff", "@{0}").done().text()).isEmpty();
    }

    @Test
    void tablesAndIndexesComeAndGo() {
        String before = shell.root();
        shell.run("table", "ls", "--format", "csv", "--json").refusedInJson(Exit.USAGE);
        assertThat(shell.run("table", "ls", "--format", "ndjson", "--json")
                        .done()
                        .text())
                .isEqualTo(shell.run("table", "ls", "--json").done().text());
        assertThat(shell.run("table", "ls", "--format", "csv").done().lines())
                .containsExactly("table,indexes", "people,address.city age");
        shell.run("table", "index", "people", "name").done();
        assertThat(ids("table", "find", "people", "name", "Cleo")).containsExactly("cleo");
        shell.run("table", "index", "people", "name", "--drop").done();
        assertThat(shell.root()).isEqualTo(before);
        assertThat(shell.run("table", "ls", "people", "--json").done().json()).hasSize(3);
        shell.run("table", "drop", "people").done();
        assertThat(shell.keys()).isEmpty();
    }

    @Test
    void optionsOfAllCommandsStandAnywhere() {
        Shell elsewhere = Shell.in(folder.getRoot());
        String store = folder.resolve(".pail").toString();
        for (List<String> line : List.of(
                List.of("-C", store, "table", "ls"),
                List.of("table", "-C", store, "ls"),
                List.of("table", "ls", "-C", store))) {
            assertThat(elsewhere.run(line.toArray(String[]::new)).done().text()).contains("people");
        }
    }

    /** Puts a row on a branch and an index on another. */
    private void part() {
        shell.run("branch", "other").done();
        shell.run("table", "index", "people", "name").done();
        shell.run("-b", "other", "table", "put", "people", "dag", "{\"name\":\"Dag\",\"age\":1}")
                .done();
    }

    @Test
    void mergeMakesIndexesRight() {
        part();
        String before = shell.root();
        List<String> told = shell.run("merge", "other", "--dry-run").done().lines();
        assertThat(shell.run("merge", "other").done().lines()).isEqualTo(told);
        assertThat(told).hasSize(2).startsWith("tables repaired: index entries added 2, removed 0");
        assertThat(shell.root()).isEqualTo(told.get(1));
        assertThat(ids("table", "scan", "people", "--where", "name == 'Dag'")).containsExactly("dag");
        assertThat(shell.run("table", "reindex").done().line()).isEqualTo(shell.root());
        assertThat(shell.run("verify").done().text()).startsWith("sound");
        // The repair is part of the same move.
        shell.run("undo", "-q").done();
        assertThat(shell.root()).isEqualTo(before);
        shell.run("-b", "other", "merge", "main", "-q").done();
        assertThat(shell.run("-b", "other", "root").done().line()).isEqualTo(told.get(1));
        JsonNode repaired = shell.run("merge", "other", "--json").done().json().get(0);
        assertThat(repaired.has("root")).isTrue();
    }

    @Test
    void mergeByPolicyMakesIndexesRight() {
        part();
        JsonNode repaired = shell.run("merge", "other", "--policy", "ours", "--json")
                .done()
                .json()
                .get(0);
        assertThat(repaired.get("repaired").asText()).isEqualTo("tables");
        assertThat(repaired.get("added").asInt()).isEqualTo(2);
        assertThat(repaired.get("notes")).isEmpty();
        assertThat(ids("table", "find", "people", "name", "Dag")).containsExactly("dag");
    }

    @Test
    void importMakesIndexesRight() throws Exception {
        part();
        shell.run("-b", "other", "export", "other.car").done();
        shell.run("branch", "-d", "other").done();
        assertThat(shell.run("import", "other.car").done().lines())
                .contains("tables repaired: index entries added 2, removed 0");
        assertThat(ids("table", "find", "people", "name", "Dag")).containsExactly("dag");
    }

    /** A version that another program has merged without a repair. */
    @Test
    void importIntoANewBranchMakesIndexesRight() {
        part();
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            Head theirs = repository.snapshot("other").head();
            repository.change("main", "merge alone", ours -> ours.merge(theirs));
        }
        assertThat(ids("table", "find", "people", "name", "Dag")).isEmpty();
        shell.run("export", "both.car").done();
        shell.run("import", "both.car", "-b", "new").done();
        assertThat(ids("-b", "new", "table", "find", "people", "name", "Dag")).containsExactly("dag");
        assertThat(shell.run("table", "reindex", "people").done().lines())
                .startsWith("tables repaired: index entries added 2, removed 0")
                .endsWith(shell.run("-b", "new", "root").done().line());
        assertThat(ids("table", "find", "people", "name", "Dag")).containsExactly("dag");
    }

    @Test
    void tablesOfOneNumberAreRefused() {
        shell.run("branch", "other").done();
        shell.run("table", "create", "t388").done();
        shell.run("table", "put", "t388", "1", "{}").done();
        shell.run("-b", "other", "table", "create", "t466").done();
        shell.run("-b", "other", "table", "put", "t466", "2", "{}").done();
        assertThat(shell.run("merge", "other").done().text()).contains("! the tables \"t388\" and \"t466\"");
        for (String[] use : new String[][] {
            {"table", "scan", "t388"},
            {"table", "put", "t466", "3", "{}"},
            {"table", "get", "t466", "1"},
            {"table", "ls"},
            {"table", "ls", "t388"},
            {"table", "index", "t388", "x"},
            {"table", "diff"}
        }) {
            assertThat(shell.run(use).refused(Exit.FAILED))
                    .contains("the tables \"t388\" and \"t466\" got the same number by a merge")
                    .contains("hint: load the rows of one");
        }
        assertThat(ids("table", "scan", "people")).hasSize(3);
        shell.run("table", "drop", "t466").done();
        assertThat(ids("table", "scan", "t388")).containsExactly("1", "2");
    }

    /** The rows of the other are now those of the one, whose index they do not fit in. */
    @Test
    void whatDroppingATableTakesFromAnotherIsTold() {
        shell.run("branch", "other").done();
        shell.run("table", "create", "t388").done();
        shell.run("table", "index", "t388", "n").done();
        shell.run("-b", "other", "table", "create", "t466").done();
        shell.run("-b", "other", "table", "put", "t466", "2", "{\"n\":[1]}").done();
        shell.run("merge", "other").done();
        List<String> told = shell.run("table", "drop", "t466").done().lines();
        assertThat(told).hasSize(3).element(1).asString().contains("the index on the field \"n\"", "\"t388\"");
        assertThat(told.get(2)).isEqualTo(shell.root());
        assertThat(shell.run("table", "drop", "people").done().lines()).containsExactly(shell.root());
    }

    @Test
    void otherKeysMayStartAsThoseOfTablesDo() {
        shell.put("TODO", 1, "PHOTO", 2, "FOO", 3, "RED", 4, "P", 5, "T", 6);
        assertThat(ids("table", "scan", "people")).hasSize(3);
        assertThat(shell.run("table", "ls", "--json").done().json()).hasSize(1);
        assertThat(shell.run("table", "diff", "@{6}").done().text()).isEmpty();
        String missing = Block.of(Cid.DAG_CBOR, new byte[] {(byte) 0xa0}).cid().toString();
        shell.run("put", "TODO", missing).done();
        assertThat(ids("table", "scan", "people")).hasSize(3);
        assertThat(shell.run("table", "ls").refused(Exit.FAILED))
                .contains("the key \"TODO\"", missing, "hint: keys that start with T, P, F or R");
        assertThat(shell.run("help", "table").done().text()).contains("start with T, P, F and R");
    }

    @Test
    void namesOfFieldsAreEscaped() {
        shell.run("table", "put", "people", "evil", "{\"a\\u001b[31m\\u009b\\u202e\":1}")
                .done();
        assertThat(shell.run("table", "scan", "people").done().text())
                .contains("a\\u{1b}[31m\\u{9b}\\u{202e}")
                .doesNotContain("\u001b", "\u009b", "\u202e");
    }

    @Test
    void listsAreExactInJson() {
        shell.run("table", "index", "people", "a field").done();
        shell.run("table", "put", "people", "", "{}").done();
        JsonNode table = shell.run("table", "ls", "--json").done().json().get(0);
        assertThat(table.toString())
                .isEqualTo("{\"table\":\"people\",\"indexes\":[\"a field\",\"address.city\",\"age\"]}");
        assertThat(ids("table", "ls", "people")).containsExactly("", "ada", "bo", "cleo");
    }

    @Test
    void onlyChangesSayThatNothingWasChanged() {
        assertThat(shell.run("table", "find", "people", "age", "x".repeat(200)).refused(Exit.FAILED))
                .doesNotContain("nothing was changed");
    }

    public static Stream<List<String>> refused() {
        return Stream.of(
                List.of("3", "no such table: \"x\"", "table", "scan", "x"),
                List.of("3", "no such table: \"x\"", "table", "drop", "x"),
                List.of("3", "no such table: \"x\"", "table", "index", "x", "a"),
                List.of("3", "no such table: \"x\"", "table", "put", "x", "1", "{}"),
                List.of("3", "\"people\" already", "table", "create", "people"),
                List.of("3", "no index on the field \"name\"", "table", "find", "people", "name", "x"),
                List.of("3", "no index on the field \"name\"", "table", "index", "people", "name", "--drop"),
                List.of("3", "\"age\" of the table \"people\" already", "table", "index", "people", "age"),
                List.of("3", "a list in the field \"tags\"", "table", "index", "people", "tags"),
                List.of("3", "no such table: \"x\"", "table", "reindex", "x"),
                List.of("3", "no index has a text of more than 127", "table", "find", "people", "age", "x".repeat(200)),
                List.of("3", "no path of a field: \"a..b\"", "table", "index", "people", "a..b"),
                List.of("3", "\"ada\"", "table", "put", "people", "ada", "{}", "--insert"),
                List.of("3", "an object in the field \"age\"", "table", "put", "people", "x", "{\"age\":{}}"),
                List.of("3", "column 1: a document is an object", "table", "put", "people", "x", "[]"),
                List.of("3", "no document: column", "table", "put", "people", "x", "{"),
                List.of("3", "no such file", "table", "load", "people", "nowhere"),
                List.of("2", "--file", "table", "put", "people", "x"),
                List.of("2", "not a filter, at column 5", "table", "scan", "people", "--where", "age ~ 1"),
                List.of(
                        "2",
                        "not a filter, at column 13: no path",
                        "table",
                        "scan",
                        "people",
                        "--where",
                        "age > 1 and a..b < 2"),
                List.of("2", "not a filter, at column 8: no path", "table", "explain", "people", "exists `a\\b`"),
                List.of("2", "--at", "table", "diff", "--at", "@{1}"),
                List.of(
                        "2",
                        "what starts with a dash and is no option goes behind --",
                        "table",
                        "find",
                        "people",
                        "name",
                        "-x"),
                List.of("2", "--format is table, ndjson or csv", "table", "scan", "people", "--format", "x"),
                List.of("2", "-1", "table", "scan", "people", "--limit", "-1"),
                List.of("2", "TABLE", "table", "scan"),
                List.of("2", "no such command: \"nope\"", "table", "nope"),
                List.of("2", "one of: create", "table"),
                List.of("1", "no such row: \"x\"", "table", "get", "people", "x"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void isRefusedAndChangesNothing(List<String> line) {
        String[] arguments = line.subList(2, line.size()).toArray(String[]::new);
        String root = shell.root();
        assertThat(shell.run(arguments).refused(Integer.parseInt(line.get(0)))).contains(line.get(1));
        shell.run(Shell.concat("--json", arguments)).refusedInJson(Integer.parseInt(line.get(0)));
        assertThat(shell.root()).isEqualTo(root);
    }

    @Test
    void aBadLineIsNamedAndNothingIsLoaded() {
        String root = shell.root();
        assertThat(shell.feed("{\"id\":1}\n{\"id\":2,}\n", "table", "load", "people")
                        .refused(Exit.FAILED))
                .contains("line 2, column ")
                .contains("hint: nothing was changed");
        assertThat(shell.feed("{\"id\":1}\n{\"id\":\"ada\"}\n", "table", "load", "people", "--insert")
                        .refused(Exit.FAILED))
                .contains("line 2: there is a row \"ada\"");
        assertThat(shell.feed("{\"name\":1}\n", "table", "load", "people").refused(Exit.FAILED))
                .contains("line 1");
        assertThat(shell.feed("{\"id\":1}\r{\"id\":2}", "table", "load", "people")
                        .refused(Exit.FAILED))
                .contains("line 1, column 11: something is behind the value");
        byte[] latin1 = "{\"id\":1}\n{\"id\":\"\u00e9\"}\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(shell.feed(latin1, "table", "load", "people").refused(Exit.FAILED))
                .contains("line 2, column 1: not UTF-8");
        assertThat(shell.root()).isEqualTo(root);
        String large = "18446744073709551615000000000000000000";
        shell.feed(
                        "{\"n\":7,\"age\":2}\n{\"n\":" + large + ",\"age\":-5}\n",
                        "table",
                        "load",
                        "people",
                        "-",
                        "--id",
                        "n")
                .done();
        assertThat(shell.run("table", "scan", "people", "--where", "age < 0", "--fields", "n,age", "--format", "csv")
                        .done()
                        .lines())
                .containsExactly("id,n,age", large + "," + large + ",-5");
        assertThat(ids("table", "find", "people", "age", "-5")).containsExactly(large);
        assertThat(ids("table", "find", "people", "age", "2")).containsExactly("7");
    }

    @Test
    void rowsAreLoadedAsTheyWerePrinted() {
        shell.run("table", "put", "people", "dora", "{\"id\":\"other\",\"document\":{\"a\":[1.50,null]}}")
                .done();
        shell.run("table", "put", "people", "eve", "{\"name\":\"e\\u0000\\u202e\\ud800\"}")
                .done();
        shell.run("table", "create", "others").done();
        String rows = shell.run("--json", "table", "scan", "people").done().text();
        shell.feed(rows, "table", "load", "others", "--document", "document").done();
        assertThat(shell.run("--json", "table", "scan", "others").done().text()).isEqualTo(rows);
        for (String id : ids("table", "scan", "people")) {
            assertThat(shell.run("--json", "table", "get", "others", id).done().text())
                    .isEqualTo(shell.run("--json", "table", "get", "people", id)
                            .done()
                            .text());
        }
    }

    @Test
    void aTableWhoseBlockIsLostIsTakenInAgainAndNotRenamed() throws IOException {
        shell.run("export", "copy.car").done();
        String name = Cid.parse(shell.run("get", "Tpeople").done().line()).multihashName();
        Files.delete(folder.resolve(".pail/blocks/" + name.substring(name.length() - 2) + "/" + name + ".data"));

        assertThat(shell.run("table", "scan", "people").refused(Exit.FAILED))
                .contains("\"Tpeople\"", "if this is one, take in its block from a copy with: pail import");
        shell.run("import", "copy.car").done();
        assertThat(ids("table", "scan", "people")).containsExactly("ada", "bo", "cleo");
    }

    @ParameterizedTest
    @FieldSource("ACTIONS")
    void help(String action) {
        String help = shell.run("help", "table", action).done().text();
        assertThat(help)
                .startsWith("Usage: pail table " + action + " ")
                .contains("Examples:", "  pail table " + action);
        assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(shell.run("table", action, "--help").done().text()).isEqualTo(help);
        assertThat(shell.run("help", "table").done().text()).containsPattern("(?m)^  " + action + "  +[A-Z]");
    }
}
