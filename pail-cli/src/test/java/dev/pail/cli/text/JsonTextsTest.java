package dev.pail.cli.text;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Line;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON as other programs write it: with marks, on several lines, in arrays. All commands that read JSON take it alike. */
class JsonTextsTest {
    private static final String BOM = "\ufeff";

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeTable() {
        shell = Shell.withRepository(folder);
        shell.run("table", "create", "t").done();
    }

    private List<String> rows() {
        return shell.run("table", "scan", "t", "--json").done().json().stream()
                .map(row -> row.get("document").toString())
                .toList();
    }

    /** Two documents: ids 1 and 2. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"1\"}\n{\"id\":\"2\"}",
                "{\"id\":\"1\"}\r\n\r\n  \t\n{\"id\":\"2\"}\r\n\n",
                BOM + "{\"id\":\"1\"}\n{\"id\":\"2\"}\n",
                BOM + "\n{\"id\":\"1\"}\n" + BOM + "{\"id\":\"2\"}\n",
                BOM + BOM + "{\"id\":\"1\"}\n{\"id\":\"2\"}\n",
                "\u001e{\"id\":\"1\"}\n\u001e{\"id\":\"2\"}\n",
                "[{\"id\":\"1\"},{\"id\":\"2\"}]",
                BOM + "[\r\n{\"id\":\"1\"},\r\n{\"id\":\"2\"}\r\n]\r\n",
                "\n \n[\n  {\n    \"id\": \"1\"\n  },\n  {\n    \"id\": \"2\"\n  }\n]\n\n",
                "[\n{\"id\":\"1\"}\n,{\"id\":\"2\"}]",
                "{\n  \"id\": \"1\"\n}\n{\n  \"id\": \"2\"\n}\n",
                "{\r\n\t\"id\":\r\n\t\"1\"\r\n\r\n}\r\n{\"id\":\"2\"}",
                "{\"id\":\n\"1\"}\n{\n\"id\":\"2\"}",
            })
    void areRead(String text) {
        shell.feed(text, "table", "load", "t").done();
        assertThat(rows()).containsExactly("{\"id\":\"1\"}", "{\"id\":\"2\"}");
        String put =
                text.replace("\"id\":", "\"op\":\"del\",\"key\":").replace("\"id\": ", "\"op\": \"del\",\"key\": ");
        String root = shell.root();
        shell.run("put", "1", Shell.cid(1)).done();
        shell.run("put", "2", Shell.cid(2)).done();
        assertThat(shell.feed(put, "apply").done().line()).isEqualTo(root);
    }

    /** Brackets, quotes and backslashes in texts are no ends of values. */
    @Test
    void textsMayHaveWhatEndsValues() {
        String nasty = "{\"a\":\"]},{[\\\\\",\"b\":[[{}],\"\\\"]\"],\"id\":\"1\"}";
        for (String text : List.of("[" + nasty + "]", "[\n" + nasty + "\n]", nasty.replace("\"b\":", "\n\"b\":"))) {
            shell.feed(text, "table", "load", "t").done();
            assertThat(rows()).hasSize(1);
            shell.run("table", "rm", "t", "1").done();
        }
    }

    @Test
    void anArrayOrATextOfNothingHasNoRows() {
        String root = shell.root();
        for (String text : List.of("", BOM, "[]", BOM + " [ \r\n ] \n", "\n\n", "\u001e")) {
            assertThat(shell.feed(text, "table", "load", "t").done().line()).isEqualTo(root);
            assertThat(shell.feed(text, "apply").done().line()).isEqualTo(root);
        }
    }

    /** Line and column are those of the text, however its values lie in it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{'id':'1'},{'id':'2'}|line 1, column 1: the array does not end",
                "[{'id':'1'},{'id':'2'}] x|line 1, column 25: something is behind the array",
                "[{'id':'1'}],[{'id':'2'}]|line 1, column 13: something is behind the array",
                "[{'id':'1'},~]|line 2, column 1: an element is missing",
                "[,{'id':'1'}]|line 1, column 2: an element is missing",
                "[{'id':'1'}},{'id':'2'}]|line 1, column 2: a bracket is closed that is not open",
                "[{'id':'1'},~ 7]|line 2, column 2: a document is an object",
                "[{'id':'1'},['x']]|line 1, column 13: a document is an object",
                "[{'id':'1'},{'id':'2','a':}]|line 1, column 27: ",
                "[{'id':'é'},{'id':'2',a}]|line 1, column 23: ",
                "[{'id':'1'},~{~  'id' 2~}]|line 3, column 8: ",
                "[{'id':'1'},{'a':1}]|line 1, column 13: a row has its id",
                "{'id':'1'}~{~  'id': '2',~  'a' 1~}|line 4, column 7: ",
                "{'id':'1'}~{'id':'2',~{'id':'3'}|line 2, column 11: ",
                "{'id':'1'}~{'id':'2',~|line 2, column 11: ",
                "{'id':'1'}~~{~'id':'2'~} {'id':'3'}|line 5, column 4: something is behind the value",
                "{'id':'1'}~{'id':'2'|line 2, column 10: the object does not end",
                "{'id':'1'}~[{'id':'2'}]|line 2, column 1: a document is an object",
                "{'id':'1'}~x|line 2, column 1: Unrecognized token 'x'",
            })
    void mistakesAreNamedByLineAndColumn(String text, String said) {
        String json = text.replace('\'', '"').replace('~', '\n');
        String root = shell.root();
        String message = shell.feed(json, "table", "load", "t").refused(Exit.FAILED);
        assertThat(message)
                .contains(said, "hint: nothing was changed")
                .doesNotContain("(code ", "Source", "JSON String");
        assertThat(shell.root()).isEqualTo(root);
    }

    @Test
    void theHintForABrokenArrayNamesAWayOut() {
        assertThat(shell.feed("[{\"id\":\"1\"}", "table", "load", "t").refused(Exit.FAILED))
                .contains("nothing was changed; write each element on a line of its own with: jq -c '.[]'");
    }

    @Test
    void textInUtf16IsNamed() throws IOException {
        byte[] bytes = (BOM + "{\"id\":\"1\"}\r\n").getBytes(UTF_16LE);
        Files.write(folder.resolve("wide.json"), bytes);
        for (List<String> command : List.of(
                List.of("table", "load", "t"),
                List.of("table", "put", "t", "x", "--file", "wide.json"),
                List.of("apply"),
                List.of("load"))) {
            assertThat(shell.feed(bytes, command.toArray(String[]::new)).refused(Exit.FAILED))
                    .contains("UTF-16, not UTF-8: save the text as UTF-8");
        }
    }

    @Test
    void putTakesOneDocumentAndNamesLoadForMore() throws IOException {
        Path file = folder.resolve("a.json");
        for (String text :
                List.of("{\"a\":1}", BOM + "{\r\n \"a\": 1\r\n}\r\n", "\u001e{\"a\":1}\n", BOM + "\n{\"a\":1}")) {
            Files.writeString(file, text, UTF_8);
            shell.run("table", "put", "t", "x", "--file", "a.json").done();
            assertThat(rows()).containsExactly("{\"a\":1}");
        }
        for (String text : List.of("[{\"a\":1}]", BOM + "[\n{}]", "{\"a\":1}\n{\"a\":2}\n")) {
            Files.writeString(file, text, UTF_8);
            assertThat(shell.run("table", "put", "t", "x", "--file", "a.json").refused(Exit.FAILED))
                    .contains("hint: put takes one object; load several with: pail table load TABLE FILE");
        }
    }

    /** Each line is answered before the next one is there: so none can be a part of a value. */
    @Test
    void withEachALineIsAnOperationOrAnswered() {
        String text = BOM + "{\"op\":\"put\",\"key\":\"a\",\"value\":\"" + Shell.cid(1) + "\"}\r\n\r\n{\n[\n\u001e"
                + Line.put("b", 2) + BOM + Line.put("c", 3);
        Answer answer = shell.feed(text, "apply", "--each");
        assertThat(answer.status()).isEqualTo(Exit.NO);
        List<JsonNode> answers = answer.json();
        assertThat(answers).hasSize(5);
        assertThat(answers.get(1).get("error").asText()).contains("the object does not end", "jq -c .");
        assertThat(answers.get(2).get("error").asText()).contains("jq -c '.[]'");
        assertThat(shell.keys()).contains("a", "b", "c");
    }

    /** The values do not depend on the sizes of the reads or on the spaces between values. */
    @Test
    void valuesDoNotDependOnHowTheTextIsReadOrLaidOut() {
        String given = System.getProperty("pail.seed", "");
        long seed = given.isEmpty() ? new Random().nextLong() : Long.parseLong(given);
        System.out.println("JsonTextsTest: -Dpail.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            List<String> values = new ArrayList<>();
            for (int n = random.nextInt(6); n > 0; n--) {
                values.add("{" + space(random) + "\"a\":[" + space(random) + random.nextInt(9) + space(random)
                        + ",\"é]\\\\\\\"{日\"" + space(random) + "]" + space(random) + "}");
            }
            boolean isArray = random.nextBoolean();
            String text = isArray
                    ? "[" + String.join("," + space(random), values) + space(random) + "]"
                    : String.join("\n", values);
            byte[] bytes = ((random.nextBoolean() ? BOM : "") + space(random) + text).getBytes(UTF_8);
            List<String> read = new ArrayList<>();
            try (Lines lines = new Lines(new RewindableInput(slow(bytes, random)), "-", -1, '\n')) {
                JsonTexts texts = new JsonTexts(lines, JsonTexts.Layout.FREE);
                for (int time = 0; time < 2; time++) {
                    read.clear();
                    texts.restart();
                    for (String next = texts.next(); next != null; next = texts.next()) {
                        read.add(next.strip());
                    }
                }
            }
            assertThat(read).as(text).isEqualTo(values);
        }
    }

    private static String space(Random random) {
        return List.of("", "", " ", "\n", "\r\n", "\t\n ").get(random.nextInt(6));
    }

    /** Gives a few bytes at a time. */
    private static InputStream slow(byte[] bytes, Random random) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] target, int from, int length) {
                return super.read(target, from, Math.min(length, 1 + random.nextInt(3)));
            }
        };
    }
}
