package dev.pail.cli.command.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Line;
import dev.pail.cli.Shell;
import dev.pail.cli.Snapshot;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands do where all is well. */
class CommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    private long blocks() {
        return Snapshot.of(folder).keySet().stream()
                .filter(name -> name.endsWith(".data"))
                .count();
    }

    @Test
    void aTraceSaysWhereAFailureCameFromIfAskedFor() {
        assertThat(shell.run("log", "none").err()).startsWith("error: ");

        Shell traced = shell.withVariable("PAIL_TRACE", "1");
        assertThat(traced.run("log", "none").err()).contains("    at dev.pail.", "\nerror: ");
        List<String> lines = traced.run("--json", "log", "none").err().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("{\"trace\":").contains("at dev.pail.");
    }

    @Test
    void putPrintsTheNewRootAndGetTheValue() {
        String empty = shell.root();
        String one = shell.run("put", "key", Shell.cid(1)).done().line();

        assertThat(one).isNotEqualTo(empty).isEqualTo(shell.root());
        assertThat(shell.run("get", "key").done().line()).isEqualTo(Shell.cid(1));
        assertThat(shell.run("put", "key", Shell.cid(2)).done().line()).isNotEqualTo(one);
        assertThat(shell.run("get", "key").done().line()).isEqualTo(Shell.cid(2));
        assertThat(shell.run("put", "key", Shell.cid(1)).done().line()).isEqualTo(one);
        assertThat(shell.run("put", "key", Shell.cid(1)).done().line()).isEqualTo(one);
    }

    @Test
    void aValueMayBeAnyCidAndIsToldInItsUsualForm() {
        String v0 = "QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR";
        String base32upper = Shell.cid(1).toUpperCase(Locale.ROOT);
        shell.run("put", "v0", v0).done();
        Answer upper = shell.run("put", "upper", base32upper);
        assertThat(upper.status()).isZero();
        assertThat(upper.err())
                .startsWith("the value is the CID " + Shell.cid(1))
                .hasLineCount(1);

        assertThat(shell.run("get", "v0").done().line()).isEqualTo(v0);
        assertThat(shell.run("get", "upper").done().line()).isEqualTo(Shell.cid(1));
    }

    /** A value that has its bytes itself needs no block, and nothing is missing without one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5, 127, 128})
    void aValueMayBeItsOwnBytes(int size) {
        byte[] bytes = bytes(size);
        ByteArrayOutputStream cid = new ByteArrayOutputStream();
        cid.writeBytes(new byte[] {1, (byte) Cid.RAW, (byte) Cid.IDENTITY});
        cid.writeBytes(size < 128 ? new byte[] {(byte) size} : new byte[] {(byte) (size | 0x80), (byte) (size >> 7)});
        cid.writeBytes(bytes);
        String value = Cid.fromBytes(cid.toByteArray()).toString();
        shell.run("put", "own", value).done();
        shell.run("export", "own.car").done();

        for (String store : List.of(".pail", "own.car")) {
            assertThat(shell.run("-C", store, "get", "own").done().line()).isEqualTo(value);
            assertThat(shell.run("-C", store, "cat", "own").done().bytes()).isEqualTo(bytes);
            assertThat(shell.run("-C", store, "verify", "--all").done().text()).startsWith("sound\t");
        }
    }

    /** D22 of {@code spec/deviations.md}: the third put made the reference lose everything. */
    @Test
    void aThirdKeyLeavesTheFirstTwo() {
        shell.put("apple1", 1, "apple2", 2, "banana", 3);

        assertThat(shell.run("ls").done().lines())
                .containsExactly("apple1\t" + Shell.cid(1), "apple2\t" + Shell.cid(2), "banana\t" + Shell.cid(3));
    }

    @Test
    void putStoresAFileAndCatGivesItBack() throws IOException {
        byte[] every = new byte[256];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) i;
        }
        Files.write(folder.resolve("some file"), every);

        shell.run("put", "relative", "--file", "some file").done();
        shell.run("put", "absolute", "--file=" + folder.resolve("some file")).done();
        shell.feed(every, "put", "stdin", "--file", "-").done();

        for (String key : List.of("relative", "absolute", "stdin")) {
            assertThat(shell.run("cat", key).done().bytes()).isEqualTo(every);
            assertThat(shell.run("get", key).done().line()).isEqualTo(Shell.cid(every));
        }
        assertThat(shell.run("verify").done().text()).contains("values here 1");
    }

    @Test
    void catGivesBackNothingAndTheLargestBlock() throws IOException {
        byte[] largest = bytes(Block.MAX_SIZE);
        Files.write(folder.resolve("largest"), largest);
        shell.run("put", "largest", "--file", "largest").done();
        shell.feed("", "put", "nothing", "--file", "-").done();

        assertThat(Arrays.equals(shell.run("cat", "largest").done().bytes(), largest))
                .isTrue();
        assertThat(shell.run("cat", "nothing").done().bytes()).isEmpty();
    }

    @Test
    void rmRemovesKeysInOneChange() {
        shell.put("a", 1, "b", 2);
        String before = shell.root();
        shell.put("c", 3, "d", 4, "e", 5);

        assertThat(shell.run("rm", "d", "c", "e").done().line()).isEqualTo(before);
        assertThat(shell.keys()).containsExactly("a", "b");
        assertThat(shell.run("rm", "a", "b", "a").done().line()).isEqualTo(shell.root());
        assertThat(shell.keys()).isEmpty();
    }

    @Test
    void rmRemovesWhatIsThereAndNamesWhatIsNot() {
        shell.put("a", 1, "b", 2);
        Answer removed = shell.run("rm", "a", "missing");

        assertThat(removed.failed(Exit.NO)).contains("\"missing\"");
        assertThat(removed.line()).isEqualTo(shell.root());
        assertThat(shell.keys()).containsExactly("b");
        assertThat(shell.run("rm", "gone").failed(Exit.NO)).contains("\"gone\"");
        assertThat(shell.run("rm", "x", "y").err()).contains("\"x\"", "\"y\"");
    }

    @Test
    void applyMakesAllChangesInOneNewVersion() {
        shell.put("old", 1, "kept", 2);
        String before = shell.root();
        long blocksBefore = blocks();
        String lines = Line.put("a", 1)
                + Line.put("b", 2)
                + Line.delete("old")
                + Line.put("a", 3)
                + Line.batch(List.of(Line.putting("c", Shell.cid(4)), Line.putting("d", Shell.cid(5))));

        String root = shell.feed(lines, "apply").done().line();
        assertThat(root).isEqualTo(shell.root()).isNotEqualTo(before);
        assertThat(shell.keys()).containsExactly("a", "b", "c", "d", "kept");
        // A shard and an event.
        assertThat(blocks()).isEqualTo(blocksBefore + 2);

        shell.put("old", 1);
        shell.run("rm", "a", "b", "c", "d").done();
        assertThat(shell.root()).isEqualTo(before);
        shell.put("a", 1, "b", 2);
        shell.run("rm", "old").done();
        shell.put("a", 3, "c", 4, "d", 5);
        assertThat(shell.root()).isEqualTo(root);
    }

    @Test
    void applyReadsAFileOrStandardInput() throws IOException {
        Files.writeString(
                folder.resolve("changes"),
                Line.put("a", 1) + "\n \r\n" + Line.put("b", 2).strip());
        String root = shell.run("apply", "changes").done().line();

        assertThat(shell.keys()).containsExactly("a", "b");
        assertThat(shell.feed(Line.delete("nothing"), "apply").done().line()).isEqualTo(root);
        assertThat(shell.feed(Line.delete("nothing"), "apply", "-").done().line())
                .isEqualTo(root);
        assertThat(shell.run("apply").done().line()).isEqualTo(root);
    }

    @Test
    void applyEachAnswersEveryLineThatIsNotEmpty() {
        String empty = shell.root();
        String lines = Line.put("a", 1) + "\n" + Line.put("a", 1) + "\t\r\n" + Line.delete("a");
        List<JsonNode> answers = shell.feed(lines, "apply", "--each").done().json();

        assertThat(answers).extracting(answer -> answer.get("root").asText()).hasSize(3);
        assertThat(answers.get(0)).isEqualTo(answers.get(1));
        assertThat(answers.get(2).get("root").asText()).isEqualTo(empty).isEqualTo(shell.root());
        assertThat(shell.run("apply", "--each").done().bytes()).isEmpty();
    }

    @Test
    void aBatchOfEachIsOneChange() {
        String lines = Line.batch(List.of(Line.putting("a", Shell.cid(1)), Line.putting("b", Shell.cid(2))));
        long before = blocks();

        assertThat(shell.feed(lines, "apply", "--each").done().json()).hasSize(1);
        assertThat(blocks()).isEqualTo(before + 2);
    }

    @Test
    void statCountsWhatIsThere() {
        shell.feed("", "put", "x", "--file", "-").done();
        shell.put("photos/1", 1, "photos/2", 2);
        JsonNode stat = shell.run("stat", "--json").done().json().get(0);
        List<JsonNode> shards = shell.shards();
        int bytes =
                shards.stream().mapToInt(shard -> shard.get("bytes").asInt()).sum();

        assertThat(stat.get("root").asText()).isEqualTo(shell.root());
        assertThat(stat.get("entries").asInt()).isEqualTo(3);
        assertThat(stat.get("shards").asInt()).isEqualTo(shards.size()).isEqualTo(1);
        assertThat(stat.get("depth").asInt()).isEqualTo(1);
        assertThat(stat.get("bytes").asInt()).isEqualTo(bytes);
        assertThat(stat.get("largestShard").asInt()).isEqualTo(bytes);
        assertThat(shell.run("stat").done().lines())
                .contains("root\t" + shell.root(), "entries\t3", "shards\t1", "depth\t1", "bytes\t" + bytes);
    }

    @Test
    void verifyCountsWhatIsSound() {
        shell.feed("hello", "put", "x", "--file", "-").done();
        shell.put("y", 1);
        JsonNode verified = shell.run("verify", "--json").done().json().get(0);
        JsonNode stat = shell.run("stat", "--json").done().json().get(0);

        assertThat(verified.get("roots").get(0).asText()).isEqualTo(shell.root());
        assertThat(verified.get("events").asInt()).isEqualTo(2);
        assertThat(verified.get("shards")).isEqualTo(stat.get("shards"));
        assertThat(verified.get("entries").asInt()).isEqualTo(2);
        assertThat(verified.get("values").asInt()).isEqualTo(1);
        assertThat(verified.get("bytes").asInt()).isEqualTo(stat.get("bytes").asInt() + 5);
        assertThat(verified.get("problems").asInt()).isZero();
        assertThat(shell.run("verify").done().lines()).hasSize(1);
        assertThat(shell.run("verify", "-q").done().bytes()).isEmpty();
    }

    @Test
    void jsonTellsTheSame() {
        String root = shell.run("put", "a", Shell.cid(1), "--json")
                .done()
                .json()
                .get(0)
                .get("root")
                .asText();

        assertThat(root).isEqualTo(shell.root());
        assertThat(shell.run("root", "--json").done().line()).isEqualTo("{\"root\":\"" + root + "\"}");
        assertThat(shell.run("get", "a", "--json").done().line())
                .isEqualTo("{\"key\":\"a\",\"value\":\"" + Shell.cid(1) + "\"}");
        assertThat(shell.run("apply", "--json").done().line()).isEqualTo("{\"root\":\"" + root + "\"}");
        assertThat(shell.run("rm", "a", "--json")
                        .done()
                        .json()
                        .get(0)
                        .get("root")
                        .asText())
                .isEqualTo(shell.root());
    }

    @Test
    void globalOptionsStandBeforeOrBehindTheCommand() {
        String store = folder.resolve(".pail").toString();
        Shell elsewhere = Shell.in(Path.of("/"));
        String json = "{\"root\":\"" + shell.root() + "\"}";

        assertThat(elsewhere
                        .run("-C", store, "--json", "-b", "main", "root")
                        .done()
                        .line())
                .isEqualTo(json);
        assertThat(elsewhere
                        .run("root", "-C", store, "--json", "-b", "main")
                        .done()
                        .line())
                .isEqualTo(json);
        assertThat(elsewhere
                        .run("--json", "root", "--branch=main", "-C" + store)
                        .done()
                        .line())
                .isEqualTo(json);
        assertThat(elsewhere
                        .run("-q", "put", "a", Shell.cid(1), "--store", store)
                        .done()
                        .bytes())
                .isEmpty();
        assertThat(elsewhere
                        .run("put", "a", "-q", "--lock-timeout", "0", Shell.cid(2), "-C", store)
                        .done()
                        .bytes())
                .isEmpty();
        assertThat(shell.run("get", "a").done().line()).isEqualTo(Shell.cid(2));
    }

    @Test
    void anyTextIsAKey() {
        for (String key : List.of("", "-x", "--json", "--", "-", "@file", "ls", "help", "a b", " ", "日本é😀", "\n")) {
            shell.run("put", "--", key, Shell.cid(7)).done();
            assertThat(shell.run("get", "--", key).done().line()).isEqualTo(Shell.cid(7));
            assertThat(shell.keys()).containsExactly(key);
            shell.run("rm", "--", key).done();
        }
    }

    @Test
    void aKeyThatLooksLikeAnOptionCanBeABound() {
        for (String key : List.of("-0.5", "-q", "--json", "--limit")) {
            shell.run("put", "--", key, Shell.cid(7)).done();
            String entry = key + "\t" + Shell.cid(7);
            assertThat(shell.run("ls", "--gte=" + key, "--lte=" + key).done().line())
                    .isEqualTo(entry);
            assertThat(shell.run("ls", "--gte", key, "--lte", key).done().line())
                    .isEqualTo(entry);
            assertThat(shell.run("log", "--key", key).done().line()).contains("put \"" + key + "\"");
        }
    }

    /** Picocli would read arguments from the file. */
    @Test
    void anAtSignBeforeAKeyMeansNothing() throws IOException {
        Files.writeString(folder.resolve("file"), "other " + Shell.cid(1));
        shell.run("put", "@file", Shell.cid(2)).done();

        assertThat(shell.keys()).containsExactly("@file");
        assertThat(shell.run("get", "@file").done().line()).isEqualTo(Shell.cid(2));
        assertThat(shell.run("get", "@" + folder.resolve("file")).refused(Exit.NO))
                .contains("@");
    }

    @Test
    void colorIsForTerminalsUnlessItIsAskedFor() {
        shell.put("a", 1);
        String plain = "a\t" + Shell.cid(1) + "\n";

        for (String when : List.of("auto", "never")) {
            assertThat(shell.run("ls", "--color", when).done().text()).isEqualTo(plain);
        }
        assertThat(shell.run("ls", "--color", "always").done().text())
                .isNotEqualTo(plain)
                .contains("\u001b[", Shell.cid(1));
        assertThat(shell.run("ls", "--color", "always", "--json").done().text()).doesNotContain("\u001b");
        assertThat(shell.run("ls", "--color", "always", "-0").done().text()).doesNotContain("\u001b");
    }

    @Test
    void keysOfV1AreAsciiAndOthersAreJustNotThere() {
        Shell v1 = Shell.withRepository(folder, "-C", "v1", "--format", "v1")
                .withVariable("PAIL_STORE", folder.resolve("v1").toString());
        v1.put("~", 1);

        assertThat(v1.run("get", "é").refused(Exit.NO)).contains("é");
        assertThat(v1.run("ls", "é").done().bytes()).isEmpty();
        assertThat(v1.run("rm", "é").failed(Exit.NO)).contains("é");
    }
}
