package dev.pail.cli.command.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.MemoryLocator;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole repositories, copied between folders and URLs. */
class CopyCommandTest {
    private static final int MEBI = 1 << 20;

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    /** In the folder of both, with no repository of its own. */
    private Shell outside;

    private Shell from;

    @BeforeEach
    void make() throws IOException {
        outside = Shell.in(folder);
        from = Shell.withRepository(Files.createDirectory(folder.resolve("from")), "--format", "v1");
        from.run("put", "a", "--text", "1").done();
        from.run("put", "b", "--text", "2", "-m", "why").done();
        from.run("branch", "feature/x").done();
        from.run("tag", "second").done();
        from.run("put", "c", "--text", "3").done();
        from.run("switch", "feature/x").done();
        from.run("put", "d", "--text", "4").done();
    }

    private Shell at(String store) {
        return outside.withVariable("PAIL_STORE", store);
    }

    /** Done, with notes on standard error. */
    private static Answer told(Shell shell, String... arguments) {
        Answer answer = shell.run(arguments);
        assertThat(answer.status()).as(answer.err()).isZero();
        assertThat(answer.err()).doesNotContain("error:");
        return answer;
    }

    private static long blocks(Answer answer) {
        return answer.json().stream()
                .mapToLong(line -> line.get("blocks").asLong())
                .sum();
    }

    private void assertCopied(String store) {
        Shell to = at(store);
        for (String ref : List.of("main", "feature/x", "second")) {
            assertThat(to.run("root", "--at", ref).done().line())
                    .as(ref)
                    .isEqualTo(from.run("root", "--at", ref).done().line());
        }
        assertThat(to.run("branch").done().text()).contains("* feature/x");
        assertThat(to.run("log", "-b", "main").done().lines())
                .hasSameSizeAs(from.run("log", "-b", "main").done().lines());
        assertThat(to.run("log", "--head", "-b", "main").done().text()).doesNotContain("why");
        assertThat(to.run("verify", "--all", "--values").done().status()).isZero();
        assertThat(to.run("stat", "--json").done().json().get(0).get("format").asText())
                .isEqualTo("v1");
    }

    /** The URL of an empty repository. */
    private String made(String name) {
        String url = MemoryLocator.url(name);
        told(at(url), "init", "--format", "v1");
        return url;
    }

    private static Map<String, Long> files(Path folder) throws IOException {
        Map<String, Long> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                found.put(file.toString(), Files.size(file));
            }
        }
        return found;
    }

    @Test
    void aFolderGoesToAFolder() throws IOException {
        Map<String, Long> before = files(from.folder());
        Answer copied = told(outside, "copy", "from", "to");
        assertThat(copied.err()).contains("made " + folder.resolve("to") + ", format v1");
        assertThat(copied.lines())
                .hasSize(3)
                .anyMatch(line -> line.startsWith("branch main\t") && line.endsWith("\t9 blocks"))
                .anyMatch(line -> line.startsWith("branch feature/x\t") && line.endsWith("\t3 blocks"))
                .anyMatch(line -> line.startsWith("tag second\t") && line.endsWith("\t0 blocks"));
        assertCopied("to");
        assertThat(files(from.folder())).isEqualTo(before);

        Answer again = told(outside, "copy", "from", "to");
        assertThat(again.text()).isEmpty();
        assertThat(again.err()).isEqualTo("nothing new in from\n");
        from.run("put", "e", "--text", "5").done();
        assertThat(told(outside, "copy", "from", "to").line())
                .startsWith("branch feature/x\t")
                .endsWith("\t3 blocks");
        assertCopied("to");
        assertThat(at("to").run("log", "--head").done().text()).contains("copy");
    }

    private String events(String store) {
        return told(at(store), "config", "get", "events").line();
    }

    @Test
    void aCopyHasTheEventsOfTheFirst_DE11() {
        String url = MemoryLocator.url("described");
        told(outside, "copy", "from", "to");
        told(outside, "copy", "from", url);
        assertThat(List.of(events("to"), events(url))).containsOnly("described");
        told(outside, "-C", "plain", "init", "--events", "plain");
        told(at("plain"), "put", "a", "--text", "1", "-m", "why");
        String other = MemoryLocator.url("plain");
        told(outside, "copy", "plain", other);
        told(outside, "copy", other, "back");
        told(outside, "clone", "plain", "clone");
        told(outside, "clone", "from", "described");
        assertThat(List.of(events(other), events("back"), events("clone"))).containsOnly("plain");
        assertThat(events("described")).isEqualTo("described");
    }

    @Test
    void aRepositoryGoesToAUrlAndBack() {
        String url = MemoryLocator.url("store");
        assertThat(told(outside, "copy", "from", url).err()).contains("made " + url);
        assertCopied(url);
        told(outside, "copy", url, "back");
        assertCopied("back");
        String other = MemoryLocator.url("other");
        told(outside, "copy", "-q", url, other);
        assertCopied(other);
        assertThat(told(outside, "copy", url, url).err()).contains("nothing new");
    }

    @Test
    void programsReadWhatWasCopied() {
        List<JsonNode> lines = told(outside, "copy", "from", "to", "--json").json();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0).get("branch").asText()).isEqualTo("main");
        assertThat(lines.get(0).get("outcome").asText()).isEqualTo("copied");
        assertThat(lines.get(0).get("head")).hasSize(1);
        assertThat(lines.get(0).get("blocks").asLong()).isEqualTo(9);
        assertThat(lines.get(2).get("tag").asText()).isEqualTo("second");
        assertThat(told(outside, "copy", "from", "to", "--json").json())
                .hasSize(3)
                .allMatch(line -> line.get("outcome").asText().equals("unchanged"));
    }

    /** Wherever a copy breaks off, the next one sends what is left, and nothing twice. */
    @Test
    void anInterruptedCopyGoesOn() {
        long seed = Long.getLong("pail.seed", System.nanoTime());
        System.out.println("CopyCommandTest: -Dpail.seed=" + seed);
        Random random = new Random(seed);
        // More blocks than one batch has.
        String lines = IntStream.range(0, 1500)
                .mapToObj(i -> "{\"op\":\"put\",\"key\":\"many/" + i + "\",\"text\":\"" + i + "\"}\n")
                .collect(Collectors.joining());
        from.feed(lines, "apply", "-b", "main").done();
        String whole = made("whole");
        told(outside, "copy", "from", whole);
        long total = MemoryLocator.puts(whole);
        assertThat(total).isGreaterThan(1500);

        String url = made("part");
        for (int i = 0; i < 5; i++) {
            MemoryLocator.failAfter(url, 1 + random.nextLong(total / 5));
            assertThat(outside.run("copy", "from", url).failed(Exit.FAILED)).contains("cannot write");
        }
        MemoryLocator.failAfter(url, Long.MAX_VALUE);
        told(outside, "copy", "from", url);
        at(url).run("switch", "feature/x").done();
        assertCopied(url);
        assertThat(MemoryLocator.puts(url)).isEqualTo(total);
        assertThat(MemoryLocator.putsAgain(url)).isLessThanOrEqualTo(MemoryLocator.putsAgain(whole));
        assertThat(at(url).run("root", "--at", "main").done().line())
                .isEqualTo(at(whole).run("root", "--at", "main").done().line());
    }

    @Test
    void aLongCopyNotesHowFarItCame() throws IOException {
        Random random = new Random(1);
        byte[] value = new byte[MEBI];
        for (int i = 0; i < 40; i++) {
            random.nextBytes(value);
            from.feed(value, "put", "large/" + i, "--file", "-", "-b", "main").done();
        }
        String whole = made("whole");
        long total = blocks(told(outside, "copy", "from", whole, "--json"));
        String url = made("part");
        MemoryLocator.failAfter(url, total - 10);
        assertThat(outside.run("copy", "from", url).failed(Exit.FAILED)).contains("cannot write");
        assertThat(at(url).run("ls", "-b", "main").done().text()).isEmpty();
        String half = at(url).run("root", "--at", "pail-copy/main").done().line();
        assertThat(at(url).run("verify", "--all", "--values").done().status()).isZero();
        long before = MemoryLocator.puts(url);
        MemoryLocator.failAfter(url, Long.MAX_VALUE);
        assertThat(blocks(told(outside, "copy", "from", url, "--json")))
                .isEqualTo(MemoryLocator.puts(whole) - before)
                .isBetween(10L, 20L);
        assertThat(from.run("diff", half, "main").done().lines()).hasSizeBetween(1, 12);
        assertThat(at(url).run("root", "--at", "main").done().line())
                .isEqualTo(from.run("root", "--at", "main").done().line());
        assertThat(at(url).run("root", "--at", "pail-copy/main").refused(Exit.FAILED))
                .contains("pail-copy/main");
        assertThat(at(url).run("verify", "--all", "--values").done().status()).isZero();
    }

    @Test
    void aBranchWithChangesOfItsOwnStays() {
        told(outside, "copy", "from", "to");
        Shell to = at("to");
        to.run("put", "own", "--text", "to", "-b", "main").done();
        from.run("put", "own", "--text", "from", "-b", "main").done();
        from.run("put", "e", "--text", "5").done();
        String before = to.run("root", "-b", "main").done().line();

        Answer copied = outside.run("copy", "from", "to");
        assertThat(copied.failed(Exit.CONFLICT))
                .contains("not copied, as to has changes of its own: branch main\n", "pail -C TO export");
        assertThat(copied.line()).startsWith("branch feature/x\t").endsWith("\t3 blocks");
        assertThat(to.run("root", "-b", "main").done().line()).isEqualTo(before);
        assertThat(to.run("root", "-b", "feature/x").done().line()).isEqualTo(from.root());
        Answer json = outside.run("copy", "from", "to", "--json");
        assertThat(json.failedInJson(Exit.CONFLICT).get("code").asText()).isEqualTo("not-fast-forward");
        assertThat(json.json().get(0).get("outcome").asText()).isEqualTo("refused");

        // As the hint says.
        told(outside, "-C", "to", "export", "main.car", "-b", "main");
        told(outside, "-C", "from", "import", "main.car", "-b", "main");
        told(outside, "copy", "from", "to");
        assertThat(to.run("root", "-b", "main").done().line())
                .isEqualTo(from.run("root", "-b", "main").done().line());
    }

    @Test
    void aBranchThatHasMoreStays() {
        told(outside, "copy", "from", "to");
        at("to").run("put", "more", "--text", "6").done();
        assertThat(outside.run("copy", "from", "to").failed(Exit.CONFLICT)).contains("to has changes of its own");
        assertThat(at("to").keys()).contains("more");
        told(outside, "copy", "to", "from");
        assertThat(from.keys()).contains("more");
    }

    @Test
    void aCopyAfterAnUndoSaysThatItDiffers() {
        told(outside, "copy", "from", "to");
        String copied = at("to").root();
        told(from, "undo");
        assertThat(outside.run("copy", "from", "to").failed(Exit.CONFLICT)).contains("to has changes of its own");
        assertThat(at("to").root()).isEqualTo(copied).isNotEqualTo(from.root());
    }

    @Test
    void unrelatedHistoriesAreCopiedWholeOrNotAtAll() {
        told(outside, "-C", "to", "init");
        Shell to = at("to");
        to.run("put", "apart", "--text", "to", "-b", "main").done();
        String before = to.run("root", "-b", "main").done().line();

        Answer copied = outside.run("copy", "from", "to");
        assertThat(copied.failed(Exit.CONFLICT)).contains("nothing was copied", "branch main\n");
        assertThat(copied.text()).isEmpty();
        assertThat(to.run("branch").done().text()).startsWith("* main").doesNotContain("feature");
        assertThat(to.run("tag").done().text()).isEmpty();
        assertThat(to.run("root", "-b", "main").done().line()).isEqualTo(before);
    }

    @Test
    void aTagNeverMoves() {
        told(outside, "copy", "from", "to");
        at("to").run("tag", "-d", "second").done();
        at("to").run("tag", "second", "-b", "feature/x").done();
        String before = at("to").run("root", "--at", "second").done().line();
        assertThat(outside.run("copy", "from", "to").failed(Exit.CONFLICT))
                .contains("tag second", "rename or remove it there");
        assertThat(at("to").run("root", "--at", "second").done().line()).isEqualTo(before);
        at("to").run("tag", "-d", "second").done();
        assertThat(told(outside, "copy", "from", "to").line()).startsWith("tag second\t");
    }

    @Test
    void aTagThatNoBranchLeadsToIsCopied() {
        from.run("tag", "last").done();
        told(from, "undo");
        told(outside, "copy", "from", "to");
        assertThat(at("to").keys()).containsExactly("a", "b");
        assertThat(at("to").run("cat", "d", "--at", "last").done().text()).isEqualTo("4");
    }

    @Test
    void valuesThatComeLaterAreSentWithAll() throws IOException {
        Shell thin = Shell.in(Files.createDirectory(folder.resolve("thin")));
        told(outside, "clone", "from", "part", "--no-values");
        assertThat(told(outside, "copy", "part", "whole").err()).doesNotContain("left out");
        assertThat(at("whole").run("cat", "a").done().text()).isEqualTo("1");
        told(thin, "clone", "../from", ".pail", "--no-values");
        // Version 0.2 has made clones without values that are no parts.
        Path config = folder.resolve("thin/.pail/config");
        Files.writeString(
                config, Files.readString(config).replace(", promised", "").replaceAll("(?m)^part\\..*\n", ""));
        assertThat(told(outside, "copy", "thin", "to").err()).contains("left out 3 linked blocks that are not in thin");
        told(thin, "fetch");
        assertThat(told(outside, "copy", "thin", "to").err()).contains("nothing new");
        assertThat(at("to").run("cat", "a").refused(Exit.DAMAGED)).contains("not here");
        assertThat(blocks(told(outside, "copy", "thin", "to", "--all", "--json")))
                .isGreaterThan(6);
        assertThat(at("to").run("cat", "a").done().text()).isEqualTo("1");
        assertThat(at("to").run("verify", "--all", "--values").done().status()).isZero();
    }

    @Test
    void wrongPlacesAreRefusedAndNothingIsMade() throws IOException {
        Path car = folder.resolve("x.car");
        Files.writeString(car, "no CAR");
        Map<String, Long> before = files(folder);
        assertThat(outside.run("copy", "nothing", "to").refused(Exit.FAILED)).contains("no repository");
        assertThat(outside.run("copy", "mysql://ann:secret@host/x", "to").refused(Exit.USAGE))
                .contains("the scheme mysql")
                .doesNotContain("secret");
        assertThat(outside.run("copy", "from", "memory://No").refused(Exit.USAGE))
                .contains("small letters");
        assertThat(outside.run("copy", MemoryLocator.url("none"), "to").refused(Exit.FAILED))
                .contains("no repository: memory://none");
        assertThat(outside.run("copy", "from", "x.car").refused(Exit.FAILED)).contains("a CAR file is only read");
        assertThat(outside.run("copy", "from", "no/such/to").refused(Exit.FAILED))
                .contains("no/such");
        assertThat(outside.run("copy", "from").refused(Exit.USAGE)).contains("TO");
        assertThat(files(folder)).isEqualTo(before);
    }
}
