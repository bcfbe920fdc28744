package dev.pail.cli.command.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pail.car.CarExport;
import dev.pail.car.CarImport;
import dev.pail.car.CarWriter;
import dev.pail.cli.Answer;
import dev.pail.cli.Launched;
import dev.pail.cli.Shell;
import dev.pail.cli.Snapshot;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CAR files: written, taken in, and read in the place of a repository. */
class CarCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell ann;
    private Shell bob;

    @BeforeEach
    void makeRepositories() {
        ann = repository("ann");
        bob = repository("bob");
    }

    private Shell repository(String name) {
        return Shell.withRepository(folder, "-C", name)
                .withVariable("PAIL_STORE", folder.resolve(name).toString());
    }

    private Map<String, String> heads(String name) {
        Map<String, String> all = Snapshot.of(folder.resolve(name));
        all.keySet().removeIf(path -> path.startsWith("blocks"));
        return all;
    }

    @Test
    void twoPeopleExchangeFilesAndEndWithTheSameRoot() {
        ann.feed("milk", "put", "list", "--file", "-").done();
        ann.put("kept", 1, "gone", 2);
        ann.run("export", "all.car").done();
        assertThat(bob.run("import", "all.car").done().lines()).contains(ann.root());
        assertThat(bob.run("cat", "list").done().text()).isEqualTo("milk");

        ann.feed("bread", "put", "list", "--file", "-").done();
        ann.put("from ann", 3);
        bob.feed("wine", "put", "list", "--file", "-").done();
        bob.run("rm", "gone").done();
        bob.put("from bob", 4);
        ann.run("export", "ann.car", "--since", "@{2}").done();
        bob.run("export", "bob.car", "--since", "@{3}").done();
        assertThat(ann.run("import", "bob.car").done().text()).contains(" new, 0 known, 0 refused\n! list\tours ");
        bob.run("import", "ann.car").done();

        assertThat(ann.root()).isEqualTo(bob.root());
        assertThat(ann.keys()).containsExactly("from ann", "from bob", "kept", "list");
        assertThat(ann.run("cat", "list").done().text()).isIn("bread", "wine");
        assertThat(bob.run("cat", "list").done().bytes())
                .isEqualTo(ann.run("cat", "list").done().bytes());

        String good = ann.root();
        ann.run("rm", "from ann", "from bob", "kept", "list").done();
        assertThat(ann.keys()).isEmpty();
        assertThat(ann.run("undo").line()).isEqualTo(good);
        ann.run("verify", "--all").done();
        bob.run("verify", "--all").done();
        assertThat(bob.run("import", "ann.car").done().lines()).contains("blocks: 0 new, 5 known, 0 refused", good);
    }

    @Test
    void sinceShipsOnlyWhatTheOtherSideLacks() {
        for (int i = 0; i < 20; i++) {
            ann.put("key " + i, i);
        }
        ann.run("export", "all.car").done();
        ann.put("more", 1);

        assertThat(ann.run("export", "more.car", "--since", "@{1}").done().line())
                .startsWith("blocks: 2, ");
        Map<String, String> before = heads("bob");
        assertThat(bob.run("import", "more.car").failed(Exit.DAMAGED))
                .contains("missing block")
                .contains("hint: no branch was moved; what export --since leaves out is in a file from before");
        assertThat(heads("bob")).isEqualTo(before);
        bob.run("import", "all.car").done();
        bob.run("import", "more.car").done();
        assertThat(bob.root()).isEqualTo(ann.root());
    }

    /** A receiver tells all that it has, and need not know what the sender has of that. */
    @Test
    void sinceTakesSeveralVersionsAndThoseThatAreUnknown() {
        ann.put("a", 1);
        String first = event(ann);
        ann.put("b", 2);
        ann.run("export", "all.car").done();
        bob.run("import", "all.car").done();
        bob.put("c", 3);
        ann.run("branch", "side", first).done();
        ann.run("-b", "side", "put", "d", Shell.cid(4)).done();
        String side = ann.run("-b", "side", "log", "-n", "1", "--json")
                .done()
                .json()
                .get(0)
                .get("event")
                .asText();
        ann.put("e", 5);
        ann.run("merge", "side").done();

        Answer one = ann.run("export", "one.car", "--since", first, "--since", event(bob));
        assertThat(one.status()).isZero();
        assertThat(one.err()).contains("not in this repository, so nothing was left out for it: " + event(bob) + "\n");
        Answer two = ann.run("--json", "export", "two.car", "--since", first, "--since", side, "--since", event(bob));
        assertThat(two.done().json().get(0).get("unknown")).hasSize(1).first().isEqualTo(new TextNode(event(bob)));
        assertThat(blocks(two.json().get(0)))
                .isLessThan(blocks(ann.run("--json", "export", "x.car", "--since", first)
                        .done()
                        .json()
                        .get(0)));
        assertThat(ann.run("export", "none.car", "--since", "nobody").failed(Exit.FAILED))
                .contains("nobody");
        assertThat(ann.run("-C", "all.car", "export", "car.car", "--since", event(bob))
                        .err())
                .startsWith("not in this CAR, so nothing was left out for it: " + event(bob) + "\n");
    }

    private static int blocks(JsonNode exported) {
        return exported.get("blocks").asInt();
    }

    /** The newest event. */
    private static String event(Shell shell) {
        return shell.run("log", "-n", "1", "--json")
                .done()
                .json()
                .get(0)
                .get("event")
                .asText();
    }

    @Test
    void sinceNothingShipsTheEmptyPailOfTheFormat() {
        Shell eve = Shell.withRepository(folder, "-C", "eve", "--format", "v1")
                .withVariable("PAIL_STORE", folder.resolve("eve").toString());
        eve.put("a", 1);
        eve.run("rm", "a").done();
        eve.put("b", 2);
        eve.run("export", "eve.car", "--since", "@{3}").done();
        assertThat(bob.run("import", "eve.car").done().lines()).contains(eve.root());
        bob.run("verify", "--all").done();
    }

    /** The command lists all missing blocks, not only the first. */
    @Test
    void verifyOfACarListsAllThatIsMissing() {
        ann.put("a", 1, "b", 2, "a", 3, "b", 4);
        List<String> events = ann.run("log", "--json").done().json().stream()
                .map(event -> event.get("event").asText())
                .toList();
        ann.run("branch", "other", "@{1}").done();
        ann.run("-b", "other", "put", "c", Shell.cid(5)).done();
        ann.run("merge", "other").done();
        ann.run("export", "since.car", "--since", events.get(1)).done();
        ann.run("export", "events.car", "--since", "@{0}").done();
        Shell car = Shell.in(folder);

        Answer verified = car.run("-C", "since.car", "verify");
        assertThat(verified.failed(Exit.DAMAGED)).contains("1 block is missing or damaged");
        assertThat(verified.lines()).hasSize(2);
        assertThat(verified.lines().get(0)).startsWith("missing\t" + events.get(1) + "\tevent\t");
        assertThat(verified.lines().get(1)).startsWith("the rest is sound\tversions 1, events 2, shards 1, ");

        // Nothing is in this one, but for its roots.
        Answer none = car.run("-C", "events.car", "verify");
        assertThat(none.failed(Exit.DAMAGED)).contains("blocks are missing or damaged");
        assertThat(none.lines().get(0)).startsWith("missing\t");
    }

    @Test
    void theSameHistoryMakesTheSameFile() throws IOException {
        ann.put("a", 1, "b", 2);
        ann.run("export", "one.car").done();
        byte[] standard = ann.run("export", "-").done().bytes();
        bob.feed(standard, "import", "-").done();
        bob.run("export", "two.car").done();

        assertThat(folder.resolve("one.car")).hasBinaryContent(standard);
        assertThat(folder.resolve("two.car")).hasBinaryContent(standard);
        assertThat(folder).isDirectoryNotContaining("glob:**/.pail-export*");
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anExportThatIsInterruptedLeavesNothing() throws IOException, InterruptedException {
        byte[] value = new byte[1 << 20];
        for (int i = 0; i < 32; i++) {
            value[0] = (byte) i;
            ann.feed(value, "put", "key " + i, "--file", "-").done();
        }
        byte[] whole = ann.run("export", "-").done().bytes();
        boolean interrupted = false;
        // On a busy machine the file may be whole before this process comes to see that it is there.
        while (!interrupted) {
            try (WatchService names = folder.getFileSystem().newWatchService()) {
                folder.register(names, StandardWatchEventKinds.ENTRY_CREATE);
                Launched export = Launched.pail(folder, "-C", "ann", "export", "large.car");
                names.take();
                export.process().toHandle().destroy();
                interrupted = export.answer().status() != Exit.DONE;
            }
            assertThat(folder).isDirectoryNotContaining("glob:**/.pail-export*");
            Path car = folder.resolve("large.car");
            if (Files.exists(car)) {
                assertThat(car).hasBinaryContent(whole);
                Files.delete(car);
                interrupted = false;
            }
        }
    }

    @Test
    void onlyShipsAVersionWithoutItsHistory() {
        ann.put("a", 1, "b", 2);
        assertThat(ann.run("export", "only.car", "--only").done().line()).startsWith("blocks: 1, ");
        assertThat(ann.run("export", "old.car", "--at", "@{1}", "--only", "--json")
                        .done()
                        .json()
                        .get(0)
                        .get("roots"))
                .hasSize(1);

        bob.run("import", "only.car").done();
        assertThat(bob.root()).isEqualTo(ann.root());
        bob.put("c", 3);
        Map<String, String> before = heads("bob");
        assertThat(bob.run("import", "old.car").failed(Exit.CONFLICT)).contains("without a history", "pail branch");
        assertThat(heads("bob")).isEqualTo(before);
        bob.run("import", "old.car", "-b", "old").done();
        assertThat(bob.run("-b", "old", "ls").done().lines()).hasSize(1);
    }

    @Test
    void importMakesABranch() {
        ann.put("a", 1);
        ann.run("export", "ann.car").done();
        bob.put("b", 2);

        assertThat(bob.run("import", "ann.car", "-b", "ann").done().lines()).contains(ann.root());
        assertThat(bob.run("-b", "ann", "ls").done().lines()).hasSize(1);
        assertThat(bob.keys()).containsExactly("b");
        assertThat(bob.run("import", "ann.car").failed(Exit.CONFLICT))
                .contains("unrelated", "give the same command --allow-unrelated-histories");
        assertThat(bob.run("merge", "ann").failed(Exit.CONFLICT))
                .contains("unrelated", "give the same command --allow-unrelated-histories");
        bob.run("import", "ann.car", "--allow-unrelated-histories").done();
        assertThat(bob.keys()).containsExactly("a", "b");
        assertThat(bob.run("import", "ann.car", "-b", "../x").refused(Exit.FAILED))
                .contains("../x");
    }

    /** The branch never stands at a version in which the indexes of tables are not right. */
    @Test
    void importMakesABranchWithTablesThatAreRightInOneMove() throws IOException {
        ann.run("table", "create", "people").done();
        ann.run("table", "index", "people", "age").done();
        ann.run("branch", "side").done();
        ann.run("table", "put", "people", "bo", "{\"age\":1}").done();
        ann.run("-b", "side", "table", "put", "people", "bo", "{\"age\":2}").done();
        Path file = folder.resolve("sides.car");
        try (Repository repository = FileRepository.open(folder.resolve("ann"));
                OutputStream out = Files.newOutputStream(file)) {
            List<Cid> events = Stream.of("main", "side")
                    .flatMap(branch -> repository.snapshot(branch).head().events().stream())
                    .toList();
            CarExport.of(repository.blocks(), events).writeTo(out, "sides.car");
        }

        assertThat(bob.run("import", "sides.car", "-b", "new").done().text()).contains("tables repaired: ");
        assertThat(bob.run("-b", "new", "log", "--head").done().lines()).hasSize(1);
        String age = bob.run("-b", "new", "table", "get", "people", "bo")
                        .done()
                        .text()
                        .contains("1")
                ? "1"
                : "2";
        assertThat(bob.run("-b", "new", "table", "find", "people", "age").done().lines())
                .hasSize(2);
        assertThat(bob.run("-b", "new", "table", "find", "people", "age", age)
                        .done()
                        .lines())
                .hasSize(2);
    }

    @Test
    void aVersionThatBreaksARuleMakesNoBranch() throws IOException {
        Block below = shard("x", "b", writer -> writer.link(Cid.parse(Shell.cid(1))));
        Block root = shard("", "a", writer -> writer.array(1).link(below.cid()));
        try (CarWriter car =
                CarWriter.of(Files.newOutputStream(folder.resolve("broken.car")), "broken.car", List.of(root.cid()))) {
            car.write(root);
            car.write(below);
        }
        assertThat(bob.run("import", "broken.car", "-b", "new").failed(Exit.DAMAGED))
                .contains("S3");
        assertThat(bob.run("branch", "new", root.cid().toString()).refused(Exit.DAMAGED))
                .contains("S3");
        assertThat(bob.run("branch").done().lines()).hasSize(1);
    }

    /** A shard of version 1 with one entry. */
    private static Block shard(String prefix, String key, UnaryOperator<DagCborWriter> value) {
        DagCborWriter shard = new DagCborWriter().map(5).text("prefix").text(prefix);
        shard = value.apply(shard.text("entries").array(1).array(2).text(key));
        shard.text("version").integer(1).text("keyChars").text("ascii");
        return Block.of(Cid.DAG_CBOR, shard.text("maxKeySize").integer(4096).toByteArray());
    }

    @Test
    void aCarIsReadAsARepository() {
        ann.feed("text", "put", "a", "--file", "-").done();
        String old = ann.root();
        ann.put("\u001b[31m", 2);
        ann.run("export", "all.car").done();
        Map<String, String> before = Snapshot.of(folder);
        Shell car = Shell.in(folder).withVariable("PAIL_STORE", "all.car");

        assertThat(car.root()).isEqualTo(ann.root());
        assertThat(car.keys()).isEqualTo(ann.keys());
        assertThat(car.run("cat", "a").done().text()).isEqualTo("text");
        for (String command : List.of("ls", "tree", "stat", "get a", "ls --at " + old)) {
            assertThat(car.run(command.split(" ")).done().text())
                    .isEqualTo(ann.run(command.split(" ")).done().text());
        }
        assertThat(car.run("diff", old, car.root()).done().lines()).containsExactly("+ \\u{1b}[31m\t" + Shell.cid(2));
        assertThat(car.run("verify").done().text()).startsWith("sound\t");
        assertThat(car.run("log").done().lines()).hasSize(2);
        for (String command : List.of("put a " + Shell.cid(1), "rm a", "apply", "undo", "branch", "import x.car")) {
            assertThat(car.run(command.split(" ")).refused(Exit.FAILED)).contains("a CAR file is only read");
        }
        assertThat(car.run("ls", "-b", "main").refused(Exit.USAGE)).contains("no branches");
        assertThat(car.run("ls", "--at", Shell.cid(1)).refused(Exit.FAILED)).contains("not in the CAR");
        assertThat(car.run("ls", "--at", "main").refused(Exit.FAILED)).contains("\"main\"");
        assertThat(Snapshot.of(folder)).isEqualTo(before);
    }

    /** Version 2 is a header, a CAR of version 1, and an index, which a reader need not trust. */
    @Test
    void aCarOfVersion2IsReadAndTakenIn() throws IOException {
        ann.feed("text", "put", "a", "--file", "-").done();
        ann.put("b", 2);
        ann.run("export", "all.car").done();
        byte[] data = Files.readAllBytes(folder.resolve("all.car"));
        for (int padding : new int[] {0, 7}) {
            for (byte[] index : new byte[][] {{}, {(byte) 0x81, 8, 1, 2, 3}}) {
                String name = "v2-" + padding + "-" + index.length;
                Files.write(folder.resolve(name + ".car"), version2(data, padding, index));

                Shell car = Shell.in(folder);
                assertThat(car.run("--store", name + ".car", "ls").done().text())
                        .isEqualTo(ann.run("ls").done().text());
                assertThat(car.run("--store", name + ".car", "cat", "a").done().text())
                        .isEqualTo("text");
                assertThat(car.run("--store", name + ".car", "verify").done().text())
                        .startsWith("sound\t");
                Shell own = repository(name);
                assertThat(own.run("import", name + ".car").done().lines())
                        .containsExactly("blocks: 5 new, 0 known, 0 refused", ann.root());
                assertThat(own.run("cat", "a").done().text()).isEqualTo("text");
                own.run("verify", "--all").done();

                byte[] cut = Arrays.copyOf(version2(data, padding, index), 51 + padding + data.length - 1);
                Map<String, String> before = heads("bob");
                assertThat(bob.feed(cut, "import", "-").status()).isIn(Exit.FAILED, Exit.DAMAGED);
                assertThat(heads("bob")).isEqualTo(before);
            }
        }
    }

    private static byte[] version2(byte[] data, int padding, byte[] index) {
        byte[] pragma = HexFormat.of().parseHex("0aa16776657273696f6e02");
        int start = 51 + padding;
        int end = start + data.length;
        return ByteBuffer.allocate(end + index.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(pragma)
                .position(pragma.length + 16)
                .putLong(start)
                .putLong(data.length)
                .putLong(index.length == 0 ? 0 : end)
                .position(start)
                .put(data)
                .put(index)
                .array();
    }

    @Test
    void aCutFileMovesNothing() throws IOException {
        ann.put("a", 1, "b", 2);
        ann.run("export", "all.car").done();
        byte[] whole = Files.readAllBytes(folder.resolve("all.car"));
        Map<String, String> before = heads("bob");
        for (int length = 0; length < whole.length; length++) {
            Answer answer = bob.feed(Arrays.copyOf(whole, length), "import", "-");
            assertThat(answer.status()).as("%d bytes", length).isIn(Exit.FAILED, Exit.DAMAGED);
            answer.failed(answer.status());
            assertThat(heads("bob")).isEqualTo(before);
        }
        bob.feed(whole, "import", "-").done();
    }

    @Test
    void whatCannotBeVerifiedIsNotDamagedHoweverMuchThereIs() throws IOException {
        ann.put("a", 1);
        ann.run("export", "all.car").done();
        int sections = CarImport.MAX_REFUSALS + 1;
        try (OutputStream car = Files.newOutputStream(folder.resolve("all.car"), StandardOpenOption.APPEND)) {
            for (int i = 0; i < sections; i++) {
                // The CID of no bytes by an undefined hash function.
                byte[] section = HexFormat.of().parseHex("26" + "0155ffff7f20" + "00".repeat(32));
                car.write(section);
            }
        }

        Answer answer = bob.run("import", "all.car");
        assertThat(answer.status()).isEqualTo(Exit.DAMAGED);
        assertThat(answer.text()).contains(", " + sections + " refused\n");
        assertThat(answer.err().lines())
                .filteredOn(line -> line.startsWith("refused at offset "))
                .hasSize(CarImport.MAX_REFUSALS);
        assertThat(answer.err()).contains("left out: all.car: " + sections + ", the first is ", "main was moved");
        assertThat(bob.root()).isEqualTo(ann.root());
    }

    @Test
    void aDamagedBlockIsRefusedAndNothingMoves() throws IOException {
        ann.put("a", 1);
        ann.run("export", "all.car").done();
        byte[] bytes = Files.readAllBytes(folder.resolve("all.car"));
        bytes[bytes.length - 1] ^= 1;
        Files.write(folder.resolve("bad.car"), bytes);
        Map<String, String> before = heads("bob");

        Answer answer = bob.run("import", "bad.car");
        assertThat(answer.status()).isEqualTo(Exit.DAMAGED);
        assertThat(answer.err()).contains("error: ", "bad.car", "1 refused", "no branch was moved");
        assertThat(answer.lines().get(0)).isEqualTo("blocks: 1 new, 0 known, 1 refused");
        assertThat(answer.err()).startsWith("refused at offset ").contains(": corrupt block: bafyrei");
        assertThat(bob.run("import", "bad.car", "--json")
                        .failedInJson(Exit.DAMAGED)
                        .get("code")
                        .asText())
                .isEqualTo("damaged-store");
        assertThat(heads("bob")).isEqualTo(before);
        Shell car = Shell.in(folder).withVariable("PAIL_STORE", "bad.car");
        assertThat(car.run("verify").failed(Exit.DAMAGED)).contains("bad.car");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ann/config", "absent.car", "ann"})
    void whatIsNoCarIsRefused(String file) {
        Map<String, String> before = Snapshot.of(folder);
        assertThat(bob.run("import", file).refused(Exit.FAILED)).contains(file);
        assertThat(Snapshot.of(folder)).isEqualTo(before);
    }

    /** System folders in which no user can create files, not even root. */
    @Test
    void exportSaysWhyItCannotWrite() {
        Path closed = Path.of("/dev/pts");
        assumeThat(closed).isDirectory();

        assertThat(ann.run("export", "/dev/pts/x.car").refused(Exit.FAILED))
                .startsWith("error: cannot write: /dev/pts/x.car: permission denied");
    }

    @Test
    void exportThatFailsLeavesTheOldFile() throws IOException {
        ann.put("a", 1, "b", 2);
        ann.run("export", "all.car").done();
        String old = ann.run("log", "--json").done().json().get(1).get("root").asText();
        String name = Cid.parse(old).multihashName();
        Files.delete(folder.resolve("ann/blocks/" + name.substring(name.length() - 2) + "/" + name + ".data"));
        Map<String, String> before = Snapshot.of(folder);

        assertThat(ann.run("export", "all.car").refused(Exit.DAMAGED)).contains(old);
        assertThat(ann.run("export", "nowhere/x.car").refused(Exit.FAILED)).contains("nowhere/x.car");
        assertThat(ann.run("export", "ann").refused(Exit.FAILED)).contains("a folder");
        assertThat(Snapshot.of(folder)).isEqualTo(before);
    }
}
