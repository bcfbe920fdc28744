package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The conformance vectors, as a user at a shell would check them: {@code init}, {@code apply --each}, {@code ls}. */
class VectorsCommandTest {
    /** Longer cases are for the library's own tests. */
    private static final int MOST_OPERATIONS = 300;

    private static final Map<String, String> OPTIONS =
            Map.of("maxSize", "--max-size", "maxKeyLength", "--max-key-length", "maxKeySize", "--max-key-size");

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    @TestFactory
    Stream<DynamicTest> vectors() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String file : List.of("v0-cases.json", "v1-cases.json", "v2.json")) {
            for (JsonNode vector : cases(file)) {
                Path store = folder.resolve(Integer.toString(tests.size()));
                tests.add(
                        DynamicTest.dynamicTest(file + ": " + vector.get("name").asText(), () -> check(vector, store)));
            }
        }
        assertThat(tests).hasSizeGreaterThan(40);
        return tests.stream();
    }

    private static List<JsonNode> cases(String file) throws IOException {
        String project = System.getProperty("pail.project");
        Path root = project == null ? Path.of("").toAbsolutePath().getParent() : Path.of(project);
        JsonNode all =
                Answer.parse(Files.readString(root.resolve("spec/vectors").resolve(file)));
        return StreamSupport.stream(all.spliterator(), false)
                .filter(vector -> vector.get("ops").size() <= MOST_OPERATIONS)
                .toList();
    }

    private static void check(JsonNode vector, Path store) throws Exception {
        Shell shell = Shell.in(store.getParent()).withVariable("PAIL_STORE", store.toString());
        assertThat(shell.run(init(vector)).line()).isEqualTo(vector.get("empty").asText());

        StringBuilder lines = new StringBuilder();
        vector.get("ops").forEach(op -> lines.append(line(op)));
        Answer applied = shell.feed(lines.toString(), "apply", "--each");
        assertThat(applied.err()).isEmpty();

        boolean anyRefused = checkAnswers(vector, applied.json());
        assertThat(applied.status()).isEqualTo(anyRefused ? Exit.NO : Exit.DONE);
        checkFinal(vector.get("final"), shell);
    }

    private static String[] init(JsonNode vector) {
        List<String> arguments =
                new ArrayList<>(List.of("init", "--format", vector.get("format").asText()));
        vector.get("config")
                .properties()
                .forEach(setting -> arguments.addAll(List.of(
                        OPTIONS.get(setting.getKey()), setting.getValue().asText())));
        return arguments.toArray(String[]::new);
    }

    private static String line(JsonNode op) {
        return switch (op.get(0).asText()) {
            case "put" -> Line.put(op.get(1).asText(), value(op.get(2)));
            case "del" -> Line.delete(op.get(1).asText());
            case "batch" ->
                Line.batch(StreamSupport.stream(op.get(1).spliterator(), false)
                        .map(put -> Line.putting(put.get(0).asText(), value(put.get(1))))
                        .toList());
            default -> throw new IllegalArgumentException(op.toString());
        };
    }

    private static String value(JsonNode value) {
        return value.isInt() ? Shell.cid(value.asInt()) : value.asText();
    }

    /** Compares each answer with what is recorded, and returns whether a line was to be refused. */
    private static boolean checkAnswers(JsonNode vector, List<JsonNode> answers) {
        assertThat(answers).hasSameSizeAs(vector.get("ops"));
        boolean anyRefused = false;
        for (int i = 0; i < answers.size(); i++) {
            JsonNode answer = answers.get(i);
            JsonNode expected = vector.get("roots").path(Integer.toString(i + 1));
            if (expected.isObject()) {
                anyRefused = true;
                assertThat(answer.fieldNames()).toIterable().containsExactly("error", "code");
                assertThat(answer.get("code").asText())
                        .as("operation %d", i + 1)
                        .isEqualTo(
                                expected.get("error").asText().startsWith("shard limit")
                                        ? "shard-limit"
                                        : "key-not-allowed");
            } else {
                assertThat(answer.fieldNames()).toIterable().containsExactly("root");
                if (!expected.isMissingNode()) {
                    assertThat(answer.get("root").asText())
                            .as("operation %d", i + 1)
                            .isEqualTo(expected.asText());
                }
            }
        }
        return anyRefused;
    }

    private static void checkFinal(JsonNode last, Shell shell) throws Exception {
        assertThat(shell.root()).isEqualTo(last.get("root").asText());

        List<JsonNode> entries = shell.run("ls", "--json").done().json();
        assertThat(entries).hasSize(last.get("entries").asInt());
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        for (JsonNode entry : entries) {
            String line = entry.get("key").asText() + "\t" + entry.get("value").asText() + "\n";
            sha256.update(line.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(HexFormat.of().formatHex(sha256.digest()))
                .isEqualTo(last.get("sha256").asText());

        assertThat(shell.run("verify").done().line()).contains("entries " + entries.size());
    }
}
