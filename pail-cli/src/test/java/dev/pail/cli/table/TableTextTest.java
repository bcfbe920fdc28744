package dev.pail.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What text can tell of documents, and what it cannot: CSV, ids, and values that look like others. */
class TableTextTest {
    private static final String ALL = """
            {"id":"a","v":null}
            {"id":"b","v":"null"}
            {"id":"c","v":""}
            {"id":"d"}
            {"id":"e","v":"true"}
            {"id":"f","v":true}
            {"id":"g","v":"1.0"}
            {"id":"h","v":1.0}
            {"id":"i","v":[]}
            {"id":"j","v":"[]"}
            """;

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeTable() {
        shell = Shell.withRepository(folder);
        shell.run("table", "create", "t").done();
    }

    private List<String> csv(String... options) {
        return shell.run(Shell.concat(
                        "table", Shell.concat("scan", Shell.concat("t", Shell.concat("--format=csv", options)))))
                .done()
                .lines();
    }

    @Test
    void jsonCellsTellAllValuesApart() {
        shell.feed(ALL, "table", "load", "t").done();
        for (String[] options :
                List.of(new String[] {"--cells=json"}, new String[] {"--cells", "json", "--fields=v"})) {
            List<String> lines = csv(options);
            assertThat(lines)
                    .startsWith(
                            "id,v",
                            "\"\"\"a\"\"\",null",
                            "\"\"\"b\"\"\",\"\"\"null\"\"\"",
                            "\"\"\"c\"\"\",\"\"\"\"\"\"",
                            "\"\"\"d\"\"\",");
            Set<String> values = new TreeSet<>();
            lines.forEach(line -> values.add(line.substring(line.indexOf(',') + 1)));
            assertThat(values).hasSize(11);
        }
        assertThat(csv()).contains("a,null", "b,null", "c,", "d,");
        assertThat(shell.run("table", "scan", "--help").done().text().replaceAll("\\s+", " "))
                .contains("null and the text null look alike");
    }

    @Test
    void cellsAreForCsv() {
        shell.run("table", "scan", "t", "--cells", "json").refused(Exit.USAGE);
        shell.run("table", "scan", "t", "--cells", "json", "--format", "ndjson").refused(Exit.USAGE);
        shell.run("table", "scan", "t", "--cells", "x", "--format", "csv").refused(Exit.USAGE);
    }

    @Test
    void formulasAreDefusedForSpreadsheets() {
        shell.feed(
                        "{\"id\":\"=a\",\"=f\":\"=cmd|' /C x'!A0\",\"b\":\"-5\",\"c\":-5.5e3,\"d\":\"@x\",\"e\":\"\\t=1\",\"g\":\"-5+1\",\"h\":\"a=1\","
                                + "\"i\":\"＝1\"}",
                        "table",
                        "load",
                        "t")
                .done();
        assertThat(csv("--cells=spreadsheet"))
                .containsExactly("id,b,c,d,e,g,h,i,'=f", "'=a,-5,-5500.0,'@x,'\t=1,'-5+1,a=1,'＝1,'=cmd|' /C x'!A0");
        assertThat(csv().get(1)).startsWith("=a,-5,").endsWith(",=cmd|' /C x'!A0");
        assertThat(shell.run("table", "diff", "--format=csv", "--cells=spreadsheet")
                        .done()
                        .lines()
                        .get(1))
                .startsWith("added,t,'=a,");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'n':7}|id,n",
                "{'id':'x'}|id",
                "{'id':'y'}|row id,id",
                "{'id':'y','row id':1}|row row id,id,row id",
                "{'id':{'a':1}}|id,id.a",
                "{'id':'y','row id':{'a':1}}|row id,id,row id.a",
                "{'a.b':1,'a':{'b':2}}|id,a.b,a\\.b",
                "{'':1,'a':{'':2,'.':3}}|id,,a.,a.\\.",
            })
    void noTwoColumnsHaveOneName(String document, String columns) {
        shell.run("table", "put", "t", "x", document.replace('\'', '"')).done();
        assertThat(csv().get(0)).isEqualTo(columns);
        assertThat(List.of(columns.split(",", -1))).doesNotHaveDuplicates();
        String header = shell.run("table", "scan", "t").done().lines().get(0);
        assertThat(header.strip().split("  +")).endsWith(columns.replaceFirst(".*,", ""));
    }

    @Test
    void anIntegerAndATextOfOneIdAreRefused() {
        String root = shell.root();
        for (String option : List.of("-q", "--insert")) {
            for (String text : List.of(
                    "{\"id\":7}\n\n{\"id\":\"7\"}",
                    "{\"id\":\"7\"}\n\n{\"id\":7}",
                    "[{\"id\":7},\n\n{\"id\":\"7\"}]")) {
                assertThat(shell.feed(text, "table", "load", "t", option).refused(Exit.FAILED))
                        .contains("line 3: ", "row \"7\"", "from line 1", "an integer and a text make one id");
            }
        }
        assertThat(shell.feed("{\"id\":\"7\"}\n{\"id\":\"7\"}", "table", "load", "t", "--insert")
                        .refused(Exit.FAILED))
                .contains("line 2: ", "from line 1");
        assertThat(shell.root()).isEqualTo(root);
    }

    @Test
    void replacedRowsAreCounted() {
        String rows = "{\"id\":\"a\",\"n\":1}\n{\"id\":\"b\",\"n\":1}\n";
        shell.feed(rows, "table", "load", "t").done();
        shell.feed(rows, "table", "load", "t").done();
        String changed = rows.replace("1", "2") + "{\"id\":\"b\",\"n\":3}\n{\"id\":\"c\"}\n";
        assertThat(shell.feed(changed, "table", "load", "t").err()).isEqualTo("replaced 3 of 4 rows\n");
        assertThat(shell.feed(changed, "table", "load", "t", "-q").done().text())
                .isEmpty();
        var answer =
                shell.feed(rows, "table", "load", "t", "--json").done().json().get(0);
        assertThat(answer.get("rows").asInt()).isEqualTo(2);
        assertThat(answer.get("replaced").asInt()).isEqualTo(2);
        assertThat(answer.get("root").asText()).isEqualTo(shell.root());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`\"12345\"`|12345|no row has the value 12345, but there is the text \"12345\": find it with '\"12345\"'",
                "12345|\"12345\"|no row has the text \"12345\", but there is the value 12345: find it with '12345'",
                "`\"true\"`|true|the text \"true\"",
                "`\"null\"`|null|the text \"null\"",
                "null|\"null\"|the value null",
                "`\"1e5\"`|1e5|the text \"1e5\"",
            })
    void findNamesTheValueOfAnotherTypeThatLooksTheSame(String stored, String given, String said) {
        shell.run("table", "index", "t", "z").done();
        shell.run("table", "put", "t", "x", "{\"z\":" + stored + "}").done();
        Answer answer = shell.run("table", "find", "t", "z", given);
        assertThat(answer.status()).isZero();
        assertThat(answer.text()).isEmpty();
        assertThat(answer.err()).contains(said);
        assertThat(shell.run("table", "find", "t", "z", given, "--json").err()).startsWith("{\"warning\":");
        shell.run("table", "find", "t", "z", given, "-q").done();
        shell.run("table", "find", "t", "z", "absent").done();
        shell.run("table", "find", "t", "z", "\"").done();
        shell.run("table", "find", "t", "z", "77").done();
        assertThat(shell.run("table", "find", "t", "z", stored).done().text()).isNotEmpty();
    }

    @Test
    void changedLineEndsOfAHeadAreNamed() throws IOException {
        Path head = folder.resolve(".pail/heads/main");
        Files.writeString(head, Files.readString(head).replace("\n", "\r\n"));
        assertThat(shell.run("ls").refused(Exit.DAMAGED))
                .contains("end with CR LF", "hint: make them end with LF again");
    }
}
