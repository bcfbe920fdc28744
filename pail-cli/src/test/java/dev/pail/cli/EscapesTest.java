package dev.pail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.Corpora;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that would play tricks on a terminal are shown escaped, and given back exactly to programs. */
class EscapesTest {
    private static final String BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";
    private static final String INVISIBLE = "\u00ad\u180e\u200b\u200c\u200d\u2028\u2029\u2060\u2061\u2064\ufeff\ufff9";
    private static final String ODD = "\ue000\uf8ff\udb80\udc00\udbff\udffd\u0378\ufdd0\uffff\udb40\udc01\udb40\udc41";

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    /** Each strange character alone and between others, sequences that terminals act on, and what escapes look like. */
    private static List<String> strangeKeys() {
        Set<String> keys = new TreeSet<>(List.of(
                "\u001b[2J\u001b[H",
                "\u001b]0;title\u0007",
                "\u001b]8;;http://example.org/\u001b\\link\u001b]8;;\u001b\\",
                "\u001b[31mred\u001b[0m",
                "\u009b31mred",
                "\u0090q\u009c",
                "safe\rgone",
                "good\b\b\b\bevil",
                "one\ntwo\tbafy",
                "\r\n",
                "user\u202etxt.exe",
                "\\",
                "\\\\",
                "\\u{1b}",
                "\\u{1b}[31mred\\u{1b}[0m",
                "\\\u001b",
                "\\\\u{1b}",
                "u{1b}",
                "\u001b",
                "1b",
                "\"",
                "\\\""));
        IntStream hidden = IntStream.concat(
                IntStream.concat(IntStream.range(0, 0x20), IntStream.rangeClosed(0x7f, 0x9f)),
                (BIDI + INVISIBLE + ODD).codePoints());
        hidden.mapToObj(Character::toString).forEach(character -> {
            keys.add(character);
            keys.add("a" + character + "b");
            keys.add("a\\u{" + Integer.toHexString(character.codePointAt(0)) + "}b");
        });
        return List.copyOf(keys);
    }

    private static boolean isHarmful(int c) {
        return (c < 0x20 && c != '\n' && c != '\t')
                || (c >= 0x7f && c <= 0x9f)
                || (BIDI + INVISIBLE).indexOf(c) >= 0
                || (c >= 0xd800 && c <= 0xf8ff)
                || c >= 0xe0000;
    }

    private static void assertHarmless(String printed) {
        assertThat(printed.codePoints().filter(EscapesTest::isHarmful).mapToObj(Integer::toHexString))
                .as(printed)
                .isEmpty();
    }

    private Shell filled(List<String> keys) {
        Shell shell = Shell.withRepository(folder);
        StringBuilder lines = new StringBuilder();
        keys.forEach(key -> lines.append(Line.put(key, keys.indexOf(key))));
        shell.feed(lines.toString(), "apply").done();
        return shell;
    }

    /** The keys as {@code ls} shows them: one a line, all of them different. */
    private static void checkShown(Shell shell, List<String> keys) {
        Answer listed = shell.run("ls").done();
        assertHarmless(listed.text());
        assertThat(listed.lines()).hasSameSizeAs(keys);
        Set<String> shown = new TreeSet<>();
        for (String line : listed.lines()) {
            String[] parts = line.split("\t", -1);
            assertThat(parts).as(line).hasSize(2);
            shown.add(parts[0]);
        }
        assertThat(shown).hasSameSizeAs(keys);
    }

    /** The keys as programs get them: exactly. */
    private static void checkExact(Shell shell, List<String> keys) {
        List<String> sorted = keys.stream().sorted().toList();
        assertThat(shell.keys()).isEqualTo(sorted);

        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        sorted.forEach(key -> expected.writeBytes((key + "\t" + Shell.cid(keys.indexOf(key)) + "\0").getBytes(UTF_8)));
        assertThat(shell.run("ls", "-0").done().bytes()).isEqualTo(expected.toByteArray());

        List<String> drawn = new ArrayList<>();
        shell.shards()
                .forEach(shard -> shard.get("entries").forEach(entry -> {
                    if (entry.has("value")) {
                        drawn.add(
                                shard.get("prefix").asText() + entry.get("key").asText());
                    }
                }));
        assertThat(drawn).containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void lsAndTreeShowStrangeKeysHarmlessly() {
        List<String> keys = strangeKeys();
        Shell shell = filled(keys);
        checkShown(shell, keys);
        checkExact(shell, keys);

        Answer tree = shell.run("tree").done();
        assertHarmless(tree.text());
        assertThat(tree.lines()).hasSize(1 + keys.size()).doesNotHaveDuplicates();
        assertThat(tree.text()).doesNotContain("\t");
    }

    @Test
    void nothingIsEscapedThatCanBeSeen() {
        List<String> keys = List.of("a b", "é", "日本", "😀", "ß/ü", "~!@#$%^&*()", "'", "e\u0301", "שלום");
        Shell shell = filled(keys);

        assertThat(shell.run("ls").done().text().lines().map(line -> line.split("\t", -1)[0]))
                .containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void aQuoteInADrawingDoesNotEndTheKey() {
        Shell shell = Shell.withRepository(folder);
        shell.put("a\"b", 1);

        assertThat(shell.run("tree").done().lines().get(1)).contains("\"a\\\"b\"");
    }

    /** A long key goes through several shards of v0; what is hidden in the pieces stays hidden. */
    @Test
    void prefixesOfShardsAreShownHarmlessly() throws IOException {
        String prefix = "\u001b[31m\u202e".repeat(20);
        Shell shell = Shell.withRepository(folder, "--max-key-length", "8");
        shell.put(prefix + "a", 1, prefix + "b", 2);
        assertHarmless(shell.run("tree").done().text());

        JsonNode deepest = shell.shards().get(shell.shards().size() - 1);
        Files.delete(file(deepest.get("shard").asText()));
        Answer verified = shell.run("verify");
        assertHarmless(verified.text() + verified.failed(Exit.DAMAGED));
        assertThat(verified.lines().get(0)).startsWith("missing\t").contains("\\u{1b}[31m\\u{202e}");
        assertThat(shell.run("verify", "--json").json().get(0).get("prefix").asText())
                .isEqualTo(deepest.get("prefix").asText());
        assertHarmless(shell.run("get", prefix + "a").refused(Exit.DAMAGED));
        assertHarmless(shell.run("tree").failed(Exit.DAMAGED));
    }

    private Path file(String cid) {
        String name = Cid.parse(cid).multihashName();
        return folder.resolve(".pail/blocks/" + name.substring(name.length() - 2) + "/" + name + ".data");
    }

    @Test
    void verifyNamesStrangeKeysHarmlessly() throws IOException {
        List<String> keys = strangeKeys();
        Shell shell = filled(keys);
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            for (int i = 0; i < keys.size(); i++) {
                repository.blocks().put(Block.of(Cid.RAW, Integer.toString(i).getBytes(UTF_8)));
                Files.write(file(Shell.cid(i)), new byte[] {1, 2, 3});
            }
        }
        Answer verified = shell.run("verify");
        assertHarmless(verified.text() + verified.failed(Exit.DAMAGED));
        List<String> problems = verified.lines().stream()
                .filter(line -> line.startsWith("damaged\t"))
                .toList();
        assertThat(problems)
                .hasSameSizeAs(keys)
                .allSatisfy(line -> assertThat(line.split("\t", -1)).hasSize(5));
        assertThat(problems.stream().map(line -> line.split("\t", -1)[3]).distinct())
                .hasSameSizeAs(keys);

        List<JsonNode> exact = shell.run("verify", "--json").json();
        assertThat(exact.subList(0, keys.size()))
                .extracting(problem -> problem.get("key").asText())
                .containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void messagesNameStrangeKeysHarmlesslyAndNeverTheSame() {
        Shell v0 = Shell.withRepository(folder);
        Shell v1 = Shell.withRepository(folder, "-C", "v1", "--format", "v1")
                .withVariable("PAIL_STORE", folder.resolve("v1").toString());
        List<String> keys = strangeKeys();
        Set<String> messages = new TreeSet<>();
        for (String key : keys) {
            String message = v0.run("get", "--", key).refused(Exit.NO);
            assertHarmless(message);
            messages.add(message);
            if (key.chars().anyMatch(c -> c < 0x20 || c > 0x7e)) {
                assertHarmless(v1.run("put", "--", key, Shell.cid(1)).refused(Exit.FAILED));
            }
        }
        assertThat(messages).hasSameSizeAs(keys);
        String[] all = Shell.concat("--", keys.toArray(String[]::new));
        assertHarmless(v0.run(Shell.concat("rm", all)).err());
        assertHarmless(v0.run(Shell.concat("--json", Shell.concat("rm", all))).err());
    }

    @Test
    void messagesNameAnythingElseHarmlessly() {
        Shell shell = Shell.withRepository(folder);
        for (String strange :
                List.of("\u001b[31m", "\u009b31m", "a\nerror: b", "\u202e", "\u007f", "\u0085", "\ufeff")) {
            for (List<String> arguments : List.of(
                    List.of(strange),
                    List.of("--" + strange),
                    List.of("ls", "--" + strange),
                    List.of("get", "a", strange),
                    List.of("help", strange),
                    List.of("put", "a", "--cid", strange),
                    List.of("put", "a", "--file", strange),
                    List.of("apply", strange),
                    List.of("-C", strange, "ls"),
                    List.of("-b", strange, "ls"),
                    List.of("-b", "main" + strange, "ls"),
                    List.of("ls", "--limit", strange),
                    List.of("ls", "--color", strange),
                    List.of("init", "--format", strange),
                    List.of("init", "-C", strange + "/deep"))) {
                Answer answer = shell.run(arguments.toArray(String[]::new));
                assertThat(answer.status()).isIn(Exit.NO, Exit.USAGE, Exit.FAILED);
                assertHarmless(answer.refused(answer.status()));
            }
            assertHarmless(shell.feed(strange, "apply").err());
            assertHarmless(shell.feed("{\"op\":\"" + strange + "\"}", "apply").err());
            assertHarmless(shell.feed("{\"" + strange + "\":\"\"}", "apply").err());
        }
    }

    @Test
    void theNameOfANewRepositoryIsShownHarmlessly() {
        assertHarmless(Shell.in(folder).run("-C", "a\u001b[31mb", "init").err());
    }

    /** The Big List of Naughty Strings, each of them a key. */
    @Test
    void naughtyStringsAreKeys() throws IOException {
        Set<String> strings = new TreeSet<>();
        Answer.parse(Files.readString(Corpora.find("naughty-strings/blns.json")))
                .forEach(string -> strings.add(string.asText()));
        assertThat(strings).hasSizeGreaterThan(450).contains("");
        List<String> keys = List.copyOf(strings);

        Shell shell = filled(keys);
        checkShown(shell, keys);
        checkExact(shell, keys);
        shell.run(Shell.concat("rm", Shell.concat("--", keys.toArray(String[]::new))))
                .done();
        assertThat(shell.keys()).isEmpty();
    }
}
