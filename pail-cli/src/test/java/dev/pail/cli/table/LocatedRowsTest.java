package dev.pail.cli.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Launched;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Documents that are whole in a segment, and other programs that read them there (Benchtop, "Position Keys" and "RowLoc").
 */
class LocatedRowsTest {
    private static final int ROWS = 10_000;

    /** A program that knows the ten bytes and the files, and nothing else: little-endian section, offset, size. */
    private static final String PROGRAM = """
            import struct, sys, os
            folder, files = sys.argv[1], {}
            for name in os.listdir(folder):
                if name.endswith(('.seg', '.open')):
                    files[int(name.split('.')[0])] = open(os.path.join(folder, name), 'rb')
            for line in open(sys.argv[2]):
                section, offset, size = struct.unpack('<HII', bytes.fromhex(line))
                files[section].seek(offset)
                print(files[section].read(size).hex())
            """;

    @TempDir
    Path folder;

    private static String document(Random random, int id) {
        String space = " ".repeat(random.nextInt(3));
        String text = "x".repeat(random.nextInt(60)) + (random.nextInt(4) == 0 ? "\u00e9\ud83d\ude00" : "");
        String name = "\"name\":" + space + "\"" + text + "\"";
        String key = "\"id\" : \"" + id + "\"";
        String number =
                "\"n\":" + List.of("1.0", "1e0", "-0", "" + random.nextInt()).get(random.nextInt(4));
        List<String> fields = new ArrayList<>(List.of(name, key, number));
        Collections.shuffle(fields, random);
        return "{" + space + String.join("," + space, fields) + "}";
    }

    private static Map<String, String> documents(String test) {
        Random random = Randomness.random(test);
        Map<String, String> documents = new LinkedHashMap<>();
        for (int i = 0; i < ROWS; i++) {
            documents.put(Integer.toString(i), document(random, i));
        }
        return documents;
    }

    private List<String> python(String lines) throws IOException {
        // In a file: a program that prints while it reads would wait for a reader of its output.
        Path places = Files.writeString(folder.resolve("places"), lines);
        String segments = folder.resolve(".pail/segments").toString();
        Answer answer = Launched.start(
                        Launched.builder(folder, List.of("python3", "-c", PROGRAM, segments, places.toString())))
                .feed(new byte[0]);
        assertThat(answer.status()).as(answer.text()).isZero();
        return answer.text().lines().toList();
    }

    private boolean hasPython() {
        try {
            return Launched.builder(folder, List.of("python3", "--version"))
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"files", "segments"})
    void anotherProgramReadsTheDocumentsOfTenThousandRows_B7_D5(String blocks) throws IOException {
        assumeTrue(hasPython(), "python3");
        Map<String, String> documents = documents("anotherProgramReadsTheDocuments");
        Shell shell = Shell.withRepository(folder, "--format", "v1", "--blocks", blocks);
        shell.run("table", "create", "t", "-q").done();
        shell.run("table", "index", "t", "n", "-q").done();
        shell.feed(String.join("\r\n", documents.values()), "table", "load", "t", "--raw", "--whole")
                .done();
        List<String> ids = new ArrayList<>();
        StringBuilder places = new StringBuilder();
        for (String line : shell.run("table", "locate", "t").done().lines()) {
            String[] cells = line.split("\t", -1);
            ids.add(cells[0]);
            places.append(cells[4]).append('\n');
        }
        List<String> read = python(places.toString());
        assertThat(ids).hasSize(ROWS).containsExactlyInAnyOrderElementsOf(documents.keySet());
        for (int i = 0; i < ROWS; i++) {
            byte[] bytes = HexFormat.of().parseHex(read.get(i));
            assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(documents.get(ids.get(i)));
        }
        int step = ROWS / Randomness.times(100, ROWS);
        for (int i = 0; i < ROWS; i += step) {
            assertThat(shell.run("table", "get", "t", ids.get(i), "--raw")
                            .done()
                            .bytes())
                    .isEqualTo(HexFormat.of().parseHex(read.get(i)));
        }
        assertThat(shell.run("table", "count", "t", "--where", "n == 1").done().line())
                .isEqualTo(Long.toString(documents.values().stream()
                        .filter(document -> document.contains("\"n\":1.0") || document.contains("\"n\":1e0"))
                        .count()));
    }

    @Test
    void saysHowADocumentIsStoredThatHasNoPlace() {
        Shell shell = Shell.withRepository(folder, "--blocks", "files");
        shell.run("table", "create", "t", "-q").done();
        shell.run("table", "put", "t", "a", "{\"id\":\"a\"}", "-q").done();
        assertThat(shell.run("table", "locate", "t", "a").failed(Exit.NO))
                .contains("no location: the document of \"a\" is in a file of its own")
                .contains("hint: store documents whole with: pail table load TABLE FILE --raw --whole");
        assertThat(shell.run("table", "locate", "t", "b").failed(Exit.NO)).contains("no such row: \"b\"");
    }

    @Test
    void saysWhichDocumentIsADelta() {
        Shell shell = Shell.withRepository(folder, "--blocks", "segments");
        shell.run("table", "create", "t", "-q").done();
        Random random = Randomness.random("saysWhichDocumentIsADelta");
        byte[] text = new byte[500];
        random.nextBytes(text);
        String long1 = HexFormat.of().formatHex(text);
        String one = "{\"id\":\"1\",\"t\":\"" + long1 + "\"}";
        String two = "{\"id\":\"2\",\"t\":\"" + long1 + "!\"}";
        shell.feed(one + "\n" + two, "table", "load", "t", "--raw").done();
        List<JsonNode> found = shell.run("table", "locate", "t", "--json").json();
        assertThat(found.get(0).get("form").asText()).isEqualTo("whole");
        assertThat(found.get(1).get("form").asText()).isIn("delta", "packed_delta");
        assertThat(found.get(1).has("offset")).isFalse();
        // Loaded again as whole, it is once more in the segment.
        shell.feed(two, "table", "load", "t", "--raw", "--whole").done();
        JsonNode whole =
                shell.run("table", "locate", "t", "2", "--json").done().json().get(0);
        assertThat(whole.get("size").asInt()).isEqualTo(two.length());
        byte[] file = read(Path.of(whole.get("file").asText()));
        int offset = whole.get("offset").asInt();
        assertThat(new String(file, offset, two.length(), StandardCharsets.UTF_8))
                .isEqualTo(two);
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void rawDocumentsAreWhatTheyWere_D5() {
        Shell shell = Shell.withRepository(folder);
        shell.run("table", "create", "t", "-q").done();
        String document = "{ \"id\" : 7,\r\n  \"b\": 1.50, \"a\": \"\\u00e9\" }";
        shell.feed("\ufeff" + document + "\r\n", "table", "load", "t", "--raw").done();
        assertThat(shell.run("table", "get", "t", "7", "--raw").done().bytes())
                .isEqualTo(document.getBytes(StandardCharsets.UTF_8));
        assertThat(shell.run("table", "get", "t", "7").done().line())
                .isEqualTo("{\"a\":\"\u00e9\",\"b\":1.5,\"id\":7}");
        JsonNode row = shell.run("table", "get", "t", "7", "--raw", "--json")
                .done()
                .json()
                .get(0);
        assertThat(Base64.getDecoder().decode(row.get("bytes").asText()))
                .isEqualTo(document.getBytes(StandardCharsets.UTF_8));
        for (String[] other : new String[][] {{"--csv"}, {"--document", "d"}}) {
            List<String> load = new ArrayList<>(List.of("table", "load", "t", "--raw"));
            load.addAll(List.of(other));
            assertThat(shell.run(load.toArray(String[]::new)).failed(Exit.USAGE))
                    .contains("--raw keeps JSON texts as they are");
        }
        assertThat(shell.run("table", "load", "t", "--whole").failed(Exit.USAGE))
                .contains("--whole is for --raw");
        assertThat(shell.feed("[1]", "table", "load", "t", "--raw").failed(Exit.FAILED))
                .contains("(D1)");
    }
}
