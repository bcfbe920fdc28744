package dev.pail.cli.command.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CarExport;
import dev.pail.cli.Shell;
import dev.pail.cli.Snapshot;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.text.NewValue;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import dev.pail.values.LongBatch;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loading lines of keys and values. */
class LoadCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
        shell.put("earlier", 1);
    }

    private static String line(String key, int value) {
        return key + "\t" + Shell.cid(value) + "\n";
    }

    @Test
    void makesOneVersionOfAllLinesAsSinglePutsWould() {
        String root = shell.feed(line("b", 2) + line("a", 3) + line("b", 4), "load")
                .done()
                .line();
        assertThat(shell.root()).isEqualTo(root);
        assertThat(shell.run("ls").done().lines())
                .containsExactly("a\t" + Shell.cid(3), "b\t" + Shell.cid(4), "earlier\t" + Shell.cid(1));
    }

    /** Some editors begin a text with one. As part of a key, it is escaped by {@code ls}, and exact with {@code -0}. */
    @Test
    void aByteOrderMarkIsNotTakenForAPartOfAKey() {
        String root = shell.root();
        String message =
                shell.feed(line("a", 2) + "\ufeff" + line("b", 3), "load").refused(Exit.FAILED);
        assertThat(message).contains("line 2, column 1: ", "byte order mark", "\\u{feff}", "nothing was changed");
        assertThat(shell.root()).isEqualTo(root);
        shell.feed("\ufeff\r\n" + line("a", 2) + "\n \t\r\n" + line("b", 3), "load")
                .done();
        assertThat(shell.keys()).containsExactly("a", "b", "earlier");
        shell.run("rm", "a", "b").done();

        shell.feed("\\u{feff}" + line("a", 2) + "\\u{feff}" + line("b", 3), "load")
                .done();
        assertThat(shell.keys()).containsExactly("earlier", "\ufeffa", "\ufeffb");
        String listed = shell.run("ls").done().text();
        String exact = shell.run("ls", "-0").done().text();
        String both = shell.root();
        shell.run("rm", "earlier").done();
        String rest = shell.root();
        shell.feed(shell.run("ls", "-0").done().text(), "load", "-0").done();
        assertThat(shell.root()).isEqualTo(rest);
        shell.feed(exact, "load", "-0").done();
        assertThat(shell.root()).isEqualTo(both);
        shell.feed(listed, "load").done();
        assertThat(shell.root()).isEqualTo(both);
    }

    /** Keys of namespaces have one in the format v0. */
    @Test
    void aKeyWithAZeroByteComesWithEscapesOnly() {
        shell.run("put", "a", Shell.cid(2), "--namespace", "users").done();
        String root = shell.root();
        String exact = shell.run("ls", "-0").done().text();
        assertThat(shell.feed(exact, "load", "-0").refused(Exit.FAILED)).contains("there is no tab", "without -0");
        assertThat(shell.run("help", "ls").done().text()).contains("zero bytes");
        assertThat(shell.run("help", "load").done().text()).contains("zero bytes");

        String listed = shell.run("ls").done().text();
        shell.run("rm", "a", "--namespace", "users").done();
        assertThat(shell.feed(listed, "load").done().line()).isEqualTo(root);
    }

    @Test
    void readsWhatLsPrintsFromAFile() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            lines.append(line("key \u00e9\u4e2d " + i, i));
        }
        Files.writeString(folder.resolve("keys.tsv"), lines, StandardCharsets.UTF_8);
        shell.run("load", "keys.tsv").done();
        shell.run("rm", "earlier").done();
        String listed = shell.run("ls").done().text();
        assertThat(listed.lines())
                .containsExactlyInAnyOrderElementsOf(lines.toString().lines().toList());

        Path other = Files.createDirectory(folder.resolve("other"));
        Shell copy = Shell.withRepository(other);
        copy.feed(listed, "load", "-").done();
        assertThat(copy.run("ls").done().text()).isEqualTo(listed);
    }

    @Test
    void takesTabsInKeysAndTheEmptyKeyAndNoLastLineFeed() {
        String lines = line("", 1) + line("a\tb", 2) + "c\t" + Shell.cid(3) + "\r\n" + "d\t" + Shell.cid(4);
        shell.feed(lines, "load").done();
        assertThat(shell.keys()).isEqualTo(List.of("", "a\tb", "c", "d", "earlier"));
    }

    /** Keys that {@code ls} cannot print as they are. */
    private static final List<String> HIDDEN = List.of(
            "a\\b",
            "a\\\\b",
            "\\",
            "\\u{a}",
            "\n",
            "\t",
            "\r",
            "a\tb\r",
            "\u001b[31m",
            "\u202e",
            "\ue000",
            "\udb40\udc01",
            "\u00e9\u4e2d\ud83d\ude00",
            "");

    @ParameterizedTest
    @ValueSource(strings = {"", "-0"})
    void takesWhatLsPrintsForTheSameKeys(String option) throws Exception {
        String[] options = option.isEmpty() ? new String[0] : new String[] {option};
        for (String key : HIDDEN) {
            shell.put(key, 2);
        }
        Shell copy = Shell.withRepository(Files.createDirectory(folder.resolve("other")));

        byte[] listed = shell.run(Shell.concat("ls", options)).done().bytes();
        assertThat(copy.feed(listed, Shell.concat("load", options)).done().line())
                .isEqualTo(shell.root());
        assertThat(copy.keys()).isEqualTo(shell.keys()).containsAll(HIDDEN);
    }

    @Test
    void takesEachEscapeThatNamesACharacter() {
        shell.feed(line("\\u{61}\\u{E9}\\u{1F600}\\\\u{61}", 1), "load").done();
        assertThat(shell.keys()).containsExactly("a\u00e9\ud83d\ude00\\u{61}", "earlier");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\\b",
                "\\",
                "a\\\\\\",
                "\\n",
                "\\u000a",
                "\\u{}",
                "\\u{g}",
                "\\u{a",
                "\\u{110000}",
                "\\u{0000061}",
                "\\u{d83d}\\u{de00}",
                "\\xff"
            })
    void namesTheLineOfABadEscapeAndChangesNothing(String bad) {
        Map<String, String> before = Snapshot.of(folder);
        assertThat(shell.feed(line("a", 1) + line(bad, 2), "load").refused(Exit.FAILED))
                .contains("line 2, column 1: ", "begins no escape", "hint: nothing was changed");
        assertThat(Snapshot.of(folder)).isEqualTo(before);

        shell.feed(line(bad, 2).replace('\n', '\0'), "load", "-0").done();
        assertThat(shell.keys()).contains(bad);
    }

    @Test
    void ofNothingChangesNothing() {
        String root = shell.root();
        assertThat(shell.feed("", "load").done().line()).isEqualTo(root);
    }

    @ParameterizedTest
    @CsvSource({
        "'b', 2, 'column 2: a key, a tab'",
        "'key\tvalue', 2, 'column 5: not a CID'",
        "'key\t', 2, 'column 5: not a CID'",
    })
    void namesLineAndColumnOfABadLineAndChangesNothing(String bad, int number, String said) {
        String root = shell.root();
        String message = shell.feed(line("a", 1) + bad + "\n" + line("c", 3), "load", "--cid")
                .refused(Exit.FAILED);
        assertThat(message).contains("line " + number + ", " + said).contains("hint: nothing was changed");
        assertThat(shell.root()).isEqualTo(root);
        assertThat(shell.keys()).isEqualTo(List.of("earlier"));
    }

    @Test
    void refusesBytesThatAreNotText() {
        byte[] bytes = (line("a", 1) + "\u00ff" + line("b", 2)).getBytes(StandardCharsets.ISO_8859_1);
        assertThat(shell.feed(bytes, "load").refused(Exit.FAILED)).contains("line 2, column 1: not UTF-8");
    }

    @Test
    void namesTheLineOfAKeyThatTheFormatRefuses() throws Exception {
        Shell ascii = Shell.withRepository(Files.createDirectory(folder.resolve("v1")), "--format", "v1");
        String root = ascii.root();
        assertThat(ascii.feed(line("a", 1) + line("\u00e9", 2), "load").refused(Exit.FAILED))
                .contains("line 2, column 1: ");
        assertThat(ascii.root()).isEqualTo(root);
    }

    @Test
    void ofAFileThatIsNotThereSaysSo() {
        assertThat(shell.run("load", "nowhere.tsv").refused(Exit.FAILED)).contains("no such file: nowhere.tsv");
    }

    @Test
    void readsLinesThatAreLongerThanABuffer() {
        String key = "k".repeat(70_000);
        shell.feed(line(key, 1) + line(key + "2", 2), "load").done();
        assertThat(shell.keys()).isEqualTo(List.of("earlier", key, key + "2"));
    }

    @Test
    void showsProgressOnlyWhereItIsWanted() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            lines.append(line("k" + i, 1));
        }
        assertThat(shell.feed(lines.toString(), "load", "--progress", "never")
                        .done()
                        .lines())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"load", "apply"})
    void readsAllOfItAgainWhereARaceWasLost(String command) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            String value = Shell.cid(i);
            lines.append(
                    command.equals("load")
                            ? "k" + i + "\t" + value + "\n"
                            : "{\"op\":\"put\",\"key\":\"k" + i + "\",\"value\":\"" + value + "\"}\n");
        }
        byte[] text = lines.toString().getBytes(StandardCharsets.UTF_8);
        // Another writer is quicker twice, each time at the end of the input. After that the lock is held.
        AtomicInteger rivals = new AtomicInteger();
        InputStream in = new ByteArrayInputStream(text) {
            @Override
            public synchronized int read(byte[] target, int from, int length) {
                int count = super.read(target, from, length);
                if (count < 0 && rivals.get() < 2) {
                    shell.put("rival" + rivals.incrementAndGet(), 1);
                }
                return count;
            }
        };
        String root = shell.feed(in, command).done().line();
        assertThat(shell.root()).isEqualTo(root);
        assertThat(rivals.get()).isEqualTo(2);
        assertThat(shell.keys()).hasSize(3003).contains("k0", "k2999", "rival2");
    }

    private static Pail begun(MemoryBlockStore blocks, ShardFormat format) {
        Batch batch = Pail.create(blocks, format).batch();
        for (int i = 0; i < 500; i += 2) {
            batch.put(Integer.toString(i, 3), Cid.parse(Shell.cid(0)));
        }
        return batch.commit();
    }

    @Test
    void takesManyChangesInPartsAndComesToTheSameVersion() {
        String given = System.getProperty("pail.seed", "");
        long seed = given.isEmpty() ? new Random().nextLong() : Long.parseLong(given);
        System.out.println("LoadCommandTest: -Dpail.seed=" + seed);
        Random random = new Random(seed);
        for (ShardFormat format : List.of(ShardFormat.v0(600, 8), ShardFormat.v1())) {
            Batch whole = begun(new MemoryBlockStore(), format).batch();
            MemoryBlockStore some = new MemoryBlockStore();
            LongBatch inParts = new LongBatch(begun(some, format), 1 + random.nextInt(50), Long.MAX_VALUE);
            MemoryBlockStore parts = new MemoryBlockStore();
            LongBatch bySize = new LongBatch(begun(parts, format), Long.MAX_VALUE, random.nextInt(2_000));
            MemoryBlockStore one = new MemoryBlockStore();
            LongBatch atOnce = new LongBatch(begun(one, format), Long.MAX_VALUE, Long.MAX_VALUE);
            for (int i = 0; i < 2000; i++) {
                String key = Integer.toString(random.nextInt(500), 3);
                Cid value = Cid.parse(Shell.cid(i));
                boolean removed = random.nextInt(3) == 0;
                for (Consumer<Consumer<Batch>> target : List.<Consumer<Consumer<Batch>>>of(
                        change -> change.accept(whole), inParts::change, bySize::change, atOnce::change)) {
                    target.accept(batch -> {
                        if (removed) {
                            batch.delete(key);
                        } else {
                            batch.put(key, value);
                        }
                    });
                }
            }
            Cid root = whole.commit().root();
            assertThat(inParts.commit().root()).isEqualTo(root);
            assertThat(bySize.commit().root()).isEqualTo(root);
            assertThat(atOnce.commit().root()).isEqualTo(root);
            // Shards on the way are stored, too.
            assertThat(parts.size()).isGreaterThan(one.size());
            assertThat(some.size()).isGreaterThan(one.size());
        }
    }

    /** Keys with common beginnings; some are the beginnings of others. */
    private static String branching(Random random, String other) {
        StringBuilder key = new StringBuilder();
        int length = 1 + random.nextInt(random.nextBoolean() ? 4 : 12);
        for (int i = 0; i < length; i++) {
            key.append(random.nextInt(3) > 0 ? "a" : random.nextInt(9) == 0 ? other : "" + random.nextInt(3));
        }
        return key.toString();
    }

    /** The slow twin puts all in the given order. The version of v0 depends on it. */
    @Test
    void ordersPutsAndComesToTheSameVersion() {
        Random random = new Random(Randomness.seed("LoadCommandTest"));
        for (int round = 0; round < Randomness.times(60, 6000); round++) {
            for (ShardFormat format :
                    List.of(ShardFormat.v0(700 + random.nextInt(800), 4 + random.nextInt(8)), ShardFormat.v1())) {
                Pail whole = Pail.create(new MemoryBlockStore(), format);
                Pail parts = Pail.create(new MemoryBlockStore(), format);
                for (int load = 0; load < 3; load++) {
                    Batch inOrder = whole.batch();
                    LongBatch batch = new LongBatch(parts, 1 + random.nextInt(100), random.nextInt(20_000));
                    int[] made = new int[1];
                    OrderedPuts puts = new OrderedPuts(
                            batch,
                            () -> made[0]++,
                            1 + random.nextInt(200),
                            random.nextBoolean() ? 1 << 20 : 300 + random.nextInt(100_000));
                    int count = random.nextInt(1000);
                    int again = 0;
                    String other = format.name().equals("v0") && random.nextBoolean() ? "\ud83d\ude00" : "~";
                    for (int i = 0; i < count; i++) {
                        String key = branching(random, other);
                        Cid value = Cid.parse(Shell.cid(random.nextInt(2000)));
                        inOrder.put(key, value);
                        puts.put(key, NewValue.of(value), i);
                        if (random.nextInt(8) == 0) {
                            byte[] text = key.getBytes(StandardCharsets.UTF_8);
                            inOrder.putBytes(key, text);
                            puts.put(key, NewValue.of(text), i);
                            again++;
                        }
                    }
                    whole = inOrder.commit();
                    parts = puts.commit();
                    assertThat(made[0]).isEqualTo(count + again);
                    assertThat(parts.root()).as(format + ", round " + round).isEqualTo(whole.root());
                }
            }
        }
    }

    @Test
    void aMissingShardThatNoPutNeedsIsNotRead() {
        MemoryBlockStore all = new MemoryBlockStore();
        Batch batch = Pail.create(all, ShardFormat.v0(700, 64)).batch();
        Cid value = Cid.parse(Shell.cid(0));
        for (int i = 0; i < 30; i++) {
            batch.put("a" + i, value).put("b" + i, value);
        }
        Pail pail = batch.commit();
        Cid missing = pail.traverse("b15").get(1).cid();
        MemoryBlockStore others = new MemoryBlockStore();
        CarExport.of(all, List.of(pail.root())).forEach(block -> {
            if (!block.cid().equals(missing)) {
                others.put(block);
            }
        });
        OrderedPuts puts = new OrderedPuts(new LongBatch(Pail.open(others, pail.root())), () -> {});
        puts.put("a99", NewValue.of(value), 1);
        assertThat(puts.commit().root()).isEqualTo(pail.put("a99", value).root());
        OrderedPuts needs = new OrderedPuts(new LongBatch(Pail.open(others, pail.root())), () -> {});
        needs.put("a99", NewValue.of(value), 1);
        needs.put("b15", NewValue.of(Cid.parse(Shell.cid(1))), 2);
        assertThatThrownBy(needs::commit).hasMessageContaining(missing.toString());
    }
}
