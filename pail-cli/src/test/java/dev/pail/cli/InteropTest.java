package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.cli.InteropHistory.Delete;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pails and folders of blocks, ours and those of the npm packages, each used by the other side. */
class InteropTest {
    private static final long SEED = seed();

    private final InteropNode node = InteropNode.required();
    private final Random random = new Random(SEED);

    @TempDir(factory = MemoryTempDir.class)
    Path temporary;

    private static long seed() {
        String given = System.getProperty("pail.seed", "");
        long seed = given.isEmpty() ? new Random().nextLong() : Long.parseLong(given);
        System.out.println("InteropTest: -Dpail.seed=" + seed);
        return seed;
    }

    private static int histories() {
        return "nightly".equals(System.getProperty("pail.stress")) ? 25_000 : 150;
    }

    /** The two settings of v0 differ in that the second has many shards. */
    private InteropRepository init(String setting) {
        Path folder = temporary.resolve("repository");
        return setting.equals("v0, many shards")
                ? InteropRepository.init(folder, "--format", "v0", "--max-size", "3000")
                : InteropRepository.init(folder, "--format", setting);
    }

    /** Each setting has its own alphabet, too: 0.5.0 must only read keys beyond the basic plane, not put them (D07). */
    private List<String> keys(String setting, int count) {
        String alphabet = switch (setting) {
            case "v0" -> InteropKeys.ASCII + InteropKeys.BASIC_PLANE;
            case "v0, many shards" -> InteropKeys.ASCII + InteropKeys.ASTRAL;
            default -> InteropKeys.ASCII;
        };
        return List.copyOf(new InteropKeys(random, alphabet, 12).several(count));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v0, many shards", "v1"})
    void blockstoreFsReadsEveryBlockThatOurCommandWrote(String setting) throws IOException {
        InteropRepository repository = init(setting);
        InteropWritten written = new InteropWritten(repository);
        List<String> keys = keys(setting, 400);
        written.applyTogether(keys.subList(0, 200));
        written.applyEach(keys.subList(180, 280));
        written.putEach(keys.subList(260, 370));
        written.putFiles(keys.subList(350, 400), temporary.resolve("value"));
        List<Cid> cids = List.copyOf(written.blocks());
        assertThat(repository.files())
                .isEqualTo(cids.stream().map(InteropTest::file).collect(Collectors.toSet()));

        InteropFolder theirs = new InteropFolder(node, repository.blocks(), setting);
        List<Block> read = theirs.read(cids);
        assertThat(read).extracting(Block::cid).isEqualTo(cids);
        for (Block block : read) {
            assertThat(repository.blocks().resolve(file(block.cid()))).hasBinaryContent(block.bytes());
        }
        assertThat(theirs.find())
                .containsExactlyInAnyOrderElementsOf(read.stream()
                        .map(block -> InteropFolder.description(block.cid().multihash(), block.size()))
                        .toList());
    }

    /** Where blockstore-fs looks for a block. */
    private static String file(Cid cid) {
        String name = cid.multihashName();
        return name.substring(name.length() - 2) + "/" + name + ".data";
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void weAcceptAFolderThatBlockstoreFsWrote(String format) {
        Path folder = temporary.resolve("repository");
        InteropFolder theirs = new InteropFolder(node, folder.resolve("blocks"), format);
        Map<String, String> texts = new TreeMap<>();
        keysForThem(format).forEach(key -> texts.put(key, "value of " + key));
        Cid empty = theirs.create(format.equals("v0") ? "{\"maxSize\":3000,\"maxKeyLength\":64}" : "{}");
        Cid root = theirs.put(empty, texts);

        InteropRepository repository = init(format.equals("v0") ? "v0, many shards" : format);
        assertThat(repository.root()).isEqualTo(empty);
        repository.standAt(root);
        JsonNode sum = repository.pail("verify", "--json").lines().get(0);
        assertThat(sum.get("problems").asInt()).isZero();
        assertThat(sum.get("entries").asInt()).isEqualTo(texts.size());
        assertThat(sum.get("values").asInt()).isEqualTo(texts.size());
        assertThat(repository.list()).isEqualTo(entries(texts)).isEqualTo(theirs.list(root));
        texts.forEach((key, text) ->
                assertThat(repository.pail("cat", "--", key).bytes()).isEqualTo(bytes(text)));
        weGoOn(repository, theirs, texts);
    }

    /** Keys that version 0.5.0 does not lose. */
    private List<String> keysForThem(String format) {
        List<String> keys = keys(format, 200);
        // The first piece of a key that is cut replaces the value of the key that is equal to it (D02).
        return keys.stream()
                .filter(key -> key.length() <= 64
                        || keys.stream().noneMatch(other -> key.startsWith(other) && !key.equals(other)))
                .toList();
    }

    private static List<Entry> entries(Map<String, String> texts) {
        return new TreeMap<>(texts)
                .entrySet().stream()
                        .map(each -> new Entry(
                                each.getKey(),
                                InteropRepository.raw(each.getValue()).cid()))
                        .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Puts texts with our command, and has the other side read what that wrote. */
    private static void weGoOn(InteropRepository repository, InteropFolder theirs, Map<String, String> texts) {
        Map<String, String> more = new TreeMap<>();
        Stream.of("ours/1", "ours/2", texts.keySet().iterator().next())
                .forEach(key -> more.put(key, "our value of " + key));
        Set<String> before = repository.files();
        more.forEach((key, text) -> repository.pail(bytes(text), "put", "--file", "-", "--", key));
        assertThat(repository.files()).containsAll(before).hasSizeGreaterThan(before.size() + more.size());

        Map<String, String> all = new TreeMap<>(texts);
        all.putAll(more);
        assertTheyList(repository, theirs, all);
        List<Cid> values = entries(more).stream().map(Entry::value).toList();
        assertThat(theirs.read(values))
                .extracting(Block::bytes)
                .containsExactly(more.values().stream().map(InteropTest::bytes).toArray(byte[][]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v0, many shards", "v1"})
    void eachSideGoesOnWhereTheOtherStopped(String setting) {
        InteropRepository repository = init(setting);
        InteropFolder theirs = new InteropFolder(node, repository.blocks(), setting.substring(0, 2));
        List<String> keys = keys(setting, 200);
        Map<String, String> texts = new TreeMap<>();
        keys.forEach(key -> texts.put(key, "first value of " + key));
        InteropWritten.putTexts(repository, texts);
        assertThat(repository.list()).isEqualTo(entries(texts));
        assertTheyList(repository, theirs, texts);

        Map<String, String> more = new TreeMap<>();
        keys.stream().filter(InteropTest::isNeverCut).limit(30).forEach(key -> more.put(key, "second value of " + key));
        if (!setting.endsWith("many shards")) {
            // A new key could leave a shard over its limit where shards are small (D14).
            Set<String> others = new InteropKeys(random, InteropKeys.ASCII, 12).several(30);
            others.stream().filter(InteropTest::isNeverCut).forEach(key -> more.put(key, "their value of " + key));
        }
        Cid root = theirs.put(repository.root(), more);
        texts.putAll(more);
        repository.standAt(root);
        repository.pail("verify");
        assertThat(repository.list()).isEqualTo(entries(texts));
        assertTheApiReads(theirs, root, entries(texts));
        assertTheyList(repository, theirs, texts);
        weGoOn(repository, theirs, texts);
    }

    private static void assertTheApiReads(InteropFolder folder, Cid root, List<Entry> entries) {
        try (DirectoryBlockStore blocks = DirectoryBlockStore.open(folder.path())) {
            Pail pail = Pail.open(blocks, root);
            assertThat(pail.format().name()).isEqualTo(folder.format());
            assertThat(pail.entries().toList()).isEqualTo(entries);
            entries.forEach(entry -> assertThat(pail.get(entry.key())).contains(entry.value()));
        }
    }

    /** Whether a key is shorter than any piece of a key that is cut at 64 characters, or beside a surrogate pair there. */
    private static boolean isNeverCut(String key) {
        return key.length() < 63;
    }

    /**
     * They have the same entries, and in the same order. But where a piece is one shorter than they would have cut it (D07),
     * they list what is below it before keys beside it that go before.
     */
    private static void assertTheyList(InteropRepository repository, InteropFolder theirs, Map<String, String> texts) {
        List<Entry> listed = theirs.list(repository.root());
        assertThat(listed).containsExactlyInAnyOrderElementsOf(entries(texts));
        if (texts.keySet().stream()
                .allMatch(key -> isNeverCut(key) || key.chars().noneMatch(c -> Character.isSurrogate((char) c)))) {
            assertThat(listed).isEqualTo(entries(texts));
        }
    }

    @Test
    void rootsAreEqualAfterEveryChangeOfRandomHistories() {
        try (InteropReplay replay = new InteropReplay(node)) {
            for (String format : List.of("v0", "v1")) {
                InteropComparison comparison = new InteropComparison(replay);
                for (int i = 0; i < histories(); i++) {
                    assertThat(comparison.difference(InteropHistory.random(random, format)))
                            .as("-Dpail.seed=%d, history %d of %s", SEED, i, format)
                            .isEmpty();
                }
                assertThat(comparison.counts().get("equal roots")).isGreaterThan(5 * histories());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("defects")
    void whatADefectDoesProvesIt(String number, InteropHistory history) {
        try (InteropReplay replay = new InteropReplay(node)) {
            InteropComparison comparison = new InteropComparison(replay);
            assertThat(comparison.difference(history)).isEmpty();
            assertThat(comparison.counts()).containsEntry(number, 1);
        }
    }

    static Stream<Arguments> defects() {
        String x64 = "x".repeat(64);
        String y64 = "y".repeat(64);
        String astral = "x".repeat(63) + "\ud83d\ude00";
        ShardFormat v0 = ShardFormat.v0();
        return Stream.of(
                arguments(
                        "D01",
                        InteropHistory.of(ShardFormat.v1(), "a", "ab", "z").and(new Delete("ab"))),
                arguments("D02", InteropHistory.of(v0, x64, x64 + "b")),
                arguments("D03", InteropHistory.of(v0, x64 + "b", y64 + "b").and(new Delete(x64 + "b"))),
                arguments("D07", InteropHistory.of(v0, astral)),
                arguments("D14", InteropHistory.of(ShardFormat.v0(140, 64), "foo", "zzz", "foobar")));
    }
}
