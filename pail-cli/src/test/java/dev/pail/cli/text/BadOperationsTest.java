package dev.pail.cli.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Line;
import dev.pail.cli.Shell;
import dev.pail.cli.Snapshot;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lines for {@code pail apply} that are no operations, or ask for what cannot be. Without {@code --each} one of them means
 * that nothing is done; with it, it is answered, and the others are done.
 */
class BadOperationsTest {
    private static final String CID = Shell.cid(1);

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder, "--max-size", "1000");
        shell.put("earlier", 1);
    }

    /** A line, in ISO 8859-1, the type of error that it is, and what the message must say. */
    record Case(String line, String type, String said, List<String> options) {
        static Case syntax(String line, String said) {
            return new Case(line.replace("CID", CID), "syntax", said, List.of());
        }

        static Case other(String line, String type, String said) {
            return new Case(line.replace("CID", CID), type, said, List.of());
        }

        /** What is a text unless the values have to be CIDs. */
        static Case strict(String line, String type, String said) {
            return new Case(line.replace("CID", CID), type, said, List.of("--cid"));
        }

        byte[] bytes() {
            return line.getBytes(ISO_8859_1);
        }

        String[] words() {
            return options.toArray(String[]::new);
        }
    }

    static Stream<Case> lines() {
        return Stream.of(
                // Not JSON.
                Case.syntax("nothing", "column 1"),
                Case.syntax("{\"op\":\"put\",", "column 13"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"value\":\"CID\"", "column"),
                Case.syntax("{'op':'del','key':'a'}", "column 2"),
                Case.syntax("{op:\"del\",\"key\":\"a\"}", "column 2"),
                Case.syntax("{\"op\":\"del\",\"key\":\"a\",}", "column"),
                Case.syntax("// comment", "column 1"),
                Case.syntax("{\"op\":\"batch\",\"ops\":[}", "expected ']'"),
                Case.syntax("{\"op\":NaN}", "'NaN'"),
                Case.syntax("{\"op\":+1}", "plus sign"),
                Case.syntax("{\"op\":\"del\",\"key\":\"a\tb\"}", "column"),
                Case.syntax("{\"op\":\"del\",\"key\":\"\\x41\"}", "column"),
                Case.syntax("{\"op\":\"del\",\"key\":\"\\u12\"}", "column"),
                // Not text.
                Case.syntax("{\"op\":\"del\",\"key\":\"\u00ff\"}", "UTF-8"),
                Case.syntax("{\"op\":\"del\",\"key\":\"\u00c0\u0080\"}", "UTF-8"),
                Case.syntax("{\"op\":\"del\",\"key\":\"\u00ed\u00a0\u0080\"}", "UTF-8"),
                Case.syntax("{\"op\":\"del\",\"key\":\"\u00e9", "UTF-8"),
                Case.syntax("\0", "column"),
                // No object, or more than one.
                Case.syntax("[]", "object"),
                Case.syntax("null", "object"),
                Case.syntax("17", "object"),
                Case.syntax("\"put\"", "object"),
                Case.syntax("[".repeat(5000), "object"),
                Case.syntax("{\"op\":\"del\",\"key\":\"a\"} x", "column 24"),
                Case.syntax("{\"op\":\"del\",\"key\":\"a\"}{\"op\":\"del\",\"key\":\"b\"}", "behind"),
                Case.syntax("{\"op\":\"del\",\"key\":\"a\"}]", "column"),
                // Other fields than the operation has.
                Case.syntax("{}", "put"),
                Case.syntax("{\"op\":\"move\",\"key\":\"a\"}", "put"),
                Case.syntax("{\"op\":\"PUT\",\"key\":\"a\",\"value\":\"CID\"}", "put"),
                Case.syntax("{\"key\":\"a\",\"value\":\"CID\"}", "put"),
                Case.syntax("{\"op\":\"put\",\"value\":\"CID\"}", "key"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\"}", "value"),
                Case.syntax("{\"op\":\"del\"}", "key"),
                Case.syntax("{\"op\":\"del\",\"key\":\"a\",\"value\":\"CID\"}", "del"),
                Case.syntax("{\"op\":\"batch\"}", "ops"),
                Case.syntax("{\"op\":\"batch\",\"key\":\"a\",\"ops\":[]}", "ops"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"value\":\"CID\",\"ops\":[]}", "put"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"value\":\"CID\",\"time\":\"now\"}", "\"time\""),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"key\":\"b\",\"value\":\"CID\"}", "'key'"),
                Case.syntax("{\"op\":\"batch\",\"ops\":[],\"ops\":[]}", "'ops'"),
                // Values of other types.
                Case.syntax("{\"op\":\"put\",\"key\":1,\"value\":\"CID\"}", "\"key\""),
                Case.syntax("{\"op\":\"put\",\"key\":null,\"value\":\"CID\"}", "\"key\""),
                Case.syntax("{\"op\":\"put\",\"key\":[\"a\"],\"value\":\"CID\"}", "\"key\""),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"value\":{\"/\":\"CID\"}}", "\"value\""),
                Case.syntax("{\"op\":true,\"key\":\"a\"}", "\"op\""),
                Case.syntax("{\"op\":\"batch\",\"ops\":{}}", "\"ops\""),
                Case.syntax("{\"op\":\"batch\",\"ops\":\"\"}", "\"ops\""),
                Case.syntax("{\"op\":\"batch\",\"ops\":[1]}", "object"),
                Case.syntax("{\"op\":\"batch\",\"ops\":[{\"op\":\"del\",\"key\":\"earlier\"},null]}", "object"),
                Case.syntax("{\"op\":\"batch\",\"ops\":[{\"op\":\"batch\",\"ops\":[]}]}", "batch"),
                Case.syntax("{\"op\":\"batch\",\"ops\":[{\"op\":\"del\",\"key\":\"a\"}", "column"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"value\":null}", "\"value\" is null"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"value\":{\"b\":1,\"b\":2}}", "'b'"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"value\":{\"b\":[1,}}", "column"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"value\":" + "[".repeat(5000), "column"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"value\":01}", "column"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"value\":\"CID\",\"value\":{}}", "'value'"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"text\":\"b\",\"value\":{}}", "\"value\" is no text"),
                Case.syntax("{\"op\":\"put\",\"key\":\"a\",\"text\":{}}", "\"text\" is no text"),
                Case.syntax("{\"op\":\"del\",\"key\":\"a\",\"value\":{}}", "del"),
                // What cannot be.
                Case.other("{\"op\":\"put\",\"key\":\"a\",\"value\":\" \"}", "bad-value", "\" \""),
                Case.other("{\"op\":\"put\",\"key\":\"a\",\"value\":\"bCID\"}", "bad-value", "not a CID"),
                Case.other("{\"op\":\"put\",\"key\":\"a\",\"value\":\"f01550000\"}", "bad-value", "f01550000"),
                Case.other("{\"op\":\"put\",\"key\":\"a\",\"value\":\"\"}", "bad-value", "\"\""),
                Case.strict("{\"op\":\"put\",\"key\":\"a\",\"value\":{\"b\":1}}", "syntax", "\"value\" is no text"),
                Case.strict("{\"op\":\"put\",\"key\":\"a\",\"value\":17}", "syntax", "\"value\" is no text"),
                Case.strict("{\"op\":\"put\",\"key\":\"a\",\"value\":\"xyz\"}", "bad-value", "\"xyz\""),
                Case.other("{\"op\":\"put\",\"key\":\"a\",\"value\":\"CID\\u0000\"}", "bad-value", "\\u{0}"),
                Case.other("{\"op\":\"put\",\"key\":\"a\",\"value\":\"\\ud800\"}", "bad-value", "\\u{d800}"),
                Case.other(
                        "{\"op\":\"put\",\"key\":\"\\ud800\",\"value\":\"CID\"}", "key-not-allowed", "\"\\u{d800}\""),
                Case.other(
                        "{\"op\":\"put\",\"key\":\"\\ud83dx\",\"value\":\"CID\"}", "key-not-allowed", "\"\\u{d83d}x\""),
                Case.other(
                        "{\"op\":\"put\",\"key\":\"\\ude00\\ud83d\",\"value\":\"CID\"}",
                        "key-not-allowed",
                        "\\u{de00}"),
                Case.other("{\"op\":\"del\",\"key\":\"\\udfff\"}", "key-not-allowed", "\"\\u{dfff}\""),
                Case.strict(
                        "{\"op\":\"batch\",\"ops\":[{\"op\":\"del\",\"key\":\"earlier\"},"
                                + "{\"op\":\"put\",\"key\":\"b\",\"value\":\"x\"}]}",
                        "bad-value",
                        "\"x\""),
                Case.strict(
                        "{\"op\":\"put\",\"key\":\"" + "\\u20ac".repeat(64) + "\",\"value\":\"" + "mAXASIA" + "\"}",
                        "bad-value",
                        "mAXASIA"));
    }

    private static byte[] join(Object... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Object part : parts) {
            all.writeBytes(part instanceof byte[] bytes ? bytes : ((String) part).getBytes(UTF_8));
        }
        return all.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("lines")
    void oneOfThemMeansThatNothingIsDone(Case bad) {
        Map<String, String> before = Snapshot.of(folder);
        byte[] in = join(Line.put("before", 2), "\n", bad.bytes(), "\n", Line.put("behind", 3));

        String message = shell.feed(in, Shell.concat("apply", bad.words())).refused(Exit.FAILED);
        assertThat(message.lines().findFirst().orElseThrow())
                .contains("line 3", bad.said)
                .doesNotContain("Source", "Feature", "(start", "(for", "line: ");
        JsonNode failure = shell.feed(in, Shell.concat("apply", Shell.concat("--json", bad.words())))
                .refusedInJson(Exit.FAILED);
        assertThat(failure.get("code").asText()).isEqualTo(bad.type);
        assertThat(failure.get("error").asText()).contains("line 3");
        assertThat(Snapshot.of(folder)).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("lines")
    void withEachTheOthersAreDone(Case bad) {
        byte[] in = join(bad.bytes(), "\n", Line.put("behind", 2), "\n", bad.bytes(), "\n", Line.put("last", 3));
        Answer answer = shell.feed(in, Shell.concat("apply", Shell.concat("--each", bad.words())));

        assertThat(answer.status()).isEqualTo(Exit.NO);
        assertThat(answer.err()).isEmpty();
        List<JsonNode> answers = answer.json();
        assertThat(answers).hasSize(4);
        for (int refused = 0; refused < 4; refused += 2) {
            assertThat(answers.get(refused).fieldNames()).toIterable().containsExactly("error", "code");
            assertThat(answers.get(refused).get("error").asText()).contains(bad.said);
            assertThat(answers.get(refused).get("code").asText()).isEqualTo(bad.type);
        }
        assertThat(answers.get(1).fieldNames()).toIterable().containsExactly("root");
        assertThat(answers.get(3).get("root").asText()).isEqualTo(shell.root());
        assertThat(shell.keys()).containsExactly("behind", "earlier", "last");
    }

    @Test
    void aKeyForWhichThereIsNoRoom() {
        StringBuilder lines = new StringBuilder();
        for (char c = 'A'; c <= 'Z'; c++) {
            lines.append(Line.put(Character.toString(c), c));
        }
        Map<String, String> before = Snapshot.of(folder);
        JsonNode failure = shell.feed(lines.toString(), "apply", "--json").refusedInJson(Exit.FAILED);
        assertThat(failure.get("code").asText()).isEqualTo("shard-limit");
        assertThat(Snapshot.of(folder)).isEqualTo(before);

        Answer each = shell.feed(lines.toString(), "apply", "--each");
        assertThat(each.status()).isEqualTo(Exit.NO);
        assertThat(each.json()).hasSize(26);
        long roots = each.json().stream().filter(line -> line.has("root")).count();
        assertThat(roots).isBetween(10L, 25L);
        assertThat(each.json())
                .filteredOn(line -> line.has("error"))
                .allMatch(line -> line.get("code").asText().equals("shard-limit"));
        assertThat(shell.keys()).hasSize(1 + (int) roots);
    }

    @Test
    void aKeyThatV1DoesNotTake() {
        Shell v1 = Shell.withRepository(folder, "--format", "v1", "-C", "v1")
                .withVariable("PAIL_STORE", folder.resolve("v1").toString());
        Answer answer = v1.feed(Line.put("é", 1) + Line.put("e", 1) + Line.delete("é"), "apply", "--each");

        assertThat(answer.status()).isEqualTo(Exit.NO);
        assertThat(answer.json())
                .extracting(line -> line.path("code").asText())
                .containsExactly("key-not-allowed", "", "");
        assertThat(v1.keys()).containsExactly("e");
    }

    /** A failed batch leaves no changes, not even those before the failure. */
    @Test
    void aBatchIsDoneWhollyOrNotAtAll() {
        String batch = Line.batch(List.of(Line.putting("a", CID), Line.putting("\ud800", CID), Line.putting("b", CID)));
        Map<String, String> before = Snapshot.of(folder);

        assertThat(shell.feed(batch, "apply", "--each").status()).isEqualTo(Exit.NO);
        assertThat(Snapshot.of(folder)).isEqualTo(before);
    }

    /** The rest of a line that is too long is not another line. */
    @Test
    void aLineWithoutEndIsAnsweredOnce() {
        byte[] spaces = " ".repeat(1 << 20).getBytes(UTF_8);
        List<InputStream> parts = new ArrayList<>();
        for (int i = 0; i <= 64; i++) {
            parts.add(new ByteArrayInputStream(spaces));
        }
        parts.add(new ByteArrayInputStream((Line.delete("earlier") + Line.put("next", 2)).getBytes(UTF_8)));
        Answer answer = shell.feed(new SequenceInputStream(Collections.enumeration(parts)), "apply", "--each");

        assertThat(answer.status()).isEqualTo(Exit.NO);
        assertThat(answer.json()).hasSize(2);
        assertThat(shell.keys()).containsExactly("earlier", "next");
    }
}
