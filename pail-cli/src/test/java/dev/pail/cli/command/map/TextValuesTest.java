package dev.pail.cli.command.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts and JSON as values of {@code load} and {@code apply}. */
class TextValuesTest {
    private static final String CID = Shell.cid(1);
    private static final String CUT = CID.substring(0, CID.length() - 1);

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
    }

    private Answer load(String text, String... options) {
        return isDone(shell.feed(text, Shell.concat("load", options)));
    }

    /** As {@link Answer#done}, for those that say more. */
    private static Answer isDone(Answer answer) {
        assertThat(answer.status()).as(answer.err()).isEqualTo(Exit.DONE);
        return answer;
    }

    private String value(String key) {
        return new String(shell.run("cat", key).done().bytes(), StandardCharsets.UTF_8);
    }

    private String cid(String key) {
        return shell.run("get", key).done().line();
    }

    private static String put(String key, String json) {
        return "{\"op\":\"put\",\"key\":\"" + key + "\",\"value\":" + json + "}\n";
    }

    @Test
    void loadTakesTextsBesideCidsAndSaysSoOnce() {
        Answer answer = load("a\tbuy milk\nb\t" + CID + "\nc\tC:\\new\r\nd e\ta\tb\n");
        assertThat(answer.err())
                .isEqualTo("3 values are texts, as they are no CIDs; --text says so, and --cid refuses them\n");
        assertThat(value("a")).isEqualTo("buy milk");
        assertThat(cid("b")).isEqualTo(CID);
        assertThat(value("c")).isEqualTo("C:\\new");
        assertThat(value("d e")).isEqualTo("a\tb");
        shell.run("put", "x", "--text", "buy milk").done();
        assertThat(cid("x")).isEqualTo(cid("a"));

        assertThat(load("a\tone\n").err()).startsWith("1 value is a text, as it is no CID; ");
        assertThat(load("a\tone\n", "-q").err()).isEmpty();
        assertThat(load("a\tone\n", "--json").err()).isEmpty();
        assertThat(load("b\t" + CID + "\n").err()).isEmpty();
    }

    @Test
    void withTextEachValueIsOne() {
        assertThat(load("a\t" + CID + "\nb\t\nc\t" + CUT + "\td\n", "--text").err())
                .isEmpty();
        assertThat(value("a")).isEqualTo(CID);
        assertThat(value("b")).isEmpty();
        assertThat(value("c")).isEqualTo(CUT + "\td");
        load("e\tone\ntwo\0f\tthree\0", "-0", "--text");
        assertThat(value("e")).isEqualTo("one\ntwo");
        assertThat(value("f")).isEqualTo("three");
        assertThat(shell.feed("a\n", "load", "--text").refused(Exit.FAILED))
                .contains("line 1, column 2: a key, a tab and a text are expected");
        assertThat(shell.feed("a\tb\n", "load", "--text", "--cid").refused(Exit.USAGE))
                .contains("give --text or --cid, one of them");
    }

    @Test
    void withCidNoneIs() {
        assertThat(shell.feed("a\t" + CID + "\nb\tbuy milk\n", "load", "--cid").refused(Exit.FAILED))
                .contains("line 2, column 3: not a CID: \"buy milk\"");
        load("a\tb\t" + CID + "\n", "--cid");
        assertThat(shell.keys()).containsExactly("a\tb");
    }

    @Test
    void whatMayBeADamagedCidIsRefusedWithBothWaysOut() {
        String root = shell.root();
        assertThat(shell.feed("a\tx\nb\t" + CUT + "\n", "load").refused(Exit.FAILED))
                .contains(
                        "line 2, column 3: not a CID: \"" + CUT + "\"",
                        "hint: nothing was changed; a value is a CID; to keep a text: pail load --text\n");
        assertThat(shell.feed("a\tsee " + CID + "\n", "load").refused(Exit.FAILED))
                .contains("give the CID alone: " + CID + "; to keep a text: pail load --text\n");
        assertThat(shell.feed("a\tf01550000\n", "load").refused(Exit.FAILED))
                .contains("is meant, give it with --cid; if this text is the value: pail load --text\n");
        assertThat(shell.feed(put("a", "\"x\"") + put("b", "\"" + CUT + "\""), "apply")
                        .refused(Exit.FAILED))
                .contains(
                        "line 2: not a CID: \"" + CUT + "\"",
                        "to keep a text: {\"op\":\"put\",\"key\":KEY,\"text\":TEXT}\n");
        assertThat(shell.root()).isEqualTo(root);
        load("a\tf01550000\n", "--cid");
        assertThat(shell.keys()).containsExactly("a");
    }

    @Test
    void applyTakesTextsAndJson() {
        String object = "{ \"b\" : [1.50, {\"/\":\"\u00e9\\ud800\"}],\n  \"c\": 1e400 }";
        String lines = put("a", "\"buy milk\"") + put("b", object) + put("c", "[]") + put("d", "1.50");
        Answer answer = isDone(shell.feed(lines + put("e", "false") + put("f", "\"" + CID + "\""), "apply"));
        assertThat(answer.err())
                .isEqualTo("1 value is a text, as it is no CID; the field \"text\" says so, and --cid refuses it\n");
        assertThat(value("a")).isEqualTo("buy milk");
        assertThat(value("b")).isEqualTo(object);
        assertThat(value("c")).isEqualTo("[]");
        assertThat(value("d")).isEqualTo("1.50");
        assertThat(value("e")).isEqualTo("false");
        assertThat(cid("f")).isEqualTo(CID);
    }

    /** The parser reads long operations in another way. */
    @ParameterizedTest
    @ValueSource(ints = {10, 40_000, 3_000_000})
    void applyKeepsJsonOfAnyLength(int length) {
        String array = "[" + "1, ".repeat(length / 3) + "\"" + "\u00e9".repeat(length / 10) + "\"]";
        shell.feed(
                        "[{\"op\":\"put\",\"value\":" + array + ",\"key\":\"a\"},{\"op\":\"batch\",\"ops\":["
                                + put("b", array) + "]}]",
                        "apply")
                .done();
        assertThat(value("a")).isEqualTo(array);
        assertThat(value("b")).isEqualTo(array);
    }

    @Test
    void withEachAppliesTextsToo() {
        Answer answer =
                isDone(shell.feed(put("a", "\"x\"") + put("b", "{\"c\":1}") + put("c", "\"y\""), "apply", "--each"));
        assertThat(answer.json()).hasSize(3);
        assertThat(answer.err()).startsWith("2 values are texts");
        assertThat(value("b")).isEqualTo("{\"c\":1}");
    }

    @Test
    void loadsCsv() {
        load("\ufeffn,key,value\r\n1,\"a,\\u{61}\",\"one\ntwo\"\r\n\r\n2,b," + CID + "\r\n", "--csv");
        assertThat(value("a,\\u{61}")).isEqualTo("one\ntwo");
        assertThat(cid("b")).isEqualTo(CID);
        load("title,key\nMilk,c\n", "--csv", "--text");
        assertThat(value("c")).isEqualTo("Milk");
        load("isbn,by,title\n9,Ann,Lists\n8,Bo,Maps\n", "--csv", "--text", "--key", "isbn", "--value", "title");
        assertThat(value("9")).isEqualTo("Lists");
        load("key,value,note\nd,1\n", "--csv", "--ragged", "-q");
        assertThat(value("d")).isEqualTo("1");
        String header = shell.root();
        load("key,value\n", "--csv");
        assertThat(shell.root()).isEqualTo(header);
    }

    private void refused(String csv, String message, String... options) {
        String root = shell.root();
        assertThat(shell.feed(csv, Shell.concat("load", Shell.concat("--csv", options)))
                        .refused(Exit.FAILED))
                .contains(message);
        assertThat(shell.root()).isEqualTo(root);
    }

    @Test
    void refusesCsvWithTheLine() {
        String hint = "hint: nothing was changed; name the column with ";
        refused("isbn,by,title\n9,Ann,A\n8,Ann,A\n", hint + "--key FIELD: no text comes twice in \"isbn\"\n");
        refused("key,by,title\n9,Ann,A\n", hint + "--value FIELD: the first line has \"key\", \"by\", \"title\"\n");
        refused("key,title\n9,Ann\n", "no column has the name \"x\"", "--value", "x");
        refused("key;value\n9;Ann\n", "the first line has semicolons");
        refused("key,value\na,1\n\nb," + CUT + "\n", "line 4: not a CID: \"" + CUT + "\"");
        refused("key,value\na,1\nb\n", "line 3: the line has 1 field, and the first line has 2 fields");
        refused("key,value\na,1\nb\n", "line 3: the line has no value: that is in column 2", "--ragged");
        refused("key,value\na,\n", "line 2: not a CID: \"\"");
        refused("key,value\na,x\n", "line 2: not a CID: \"x\"", "--cid");
        refused("", "line 1: no CSV");
        assertThat(shell.run("load", "--key", "a").refused(Exit.USAGE)).contains("--key is for --csv");
        assertThat(shell.run("load", "--csv", "-0").refused(Exit.USAGE)).contains("-0 is for lines");
    }

    /** A key that the format does not take is named with its line. */
    @Test
    void namesTheLineOfAKeyThatTheFormatRefuses() {
        Shell ascii = Shell.withRepository(folder, "--format", "v1", "-C", "v1")
                .withVariable("PAIL_STORE", folder.resolve("v1").toString());
        assertThat(ascii.feed("key,value\na,1\n\u00e9,2\n", "load", "--csv").refused(Exit.FAILED))
                .contains("line 3: ");
    }
}
