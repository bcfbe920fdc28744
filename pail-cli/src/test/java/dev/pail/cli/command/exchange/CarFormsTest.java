package dev.pail.cli.command.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.car.CarReader;
import dev.pail.car.CarWriter;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CARs of other programs: without a version, with roots in any order, of events of other kinds, and what is none. */
class CarFormsTest {
    private static final Cid ABSENT = Cid.fromBytes(HexFormat.of().parseHex("015512" + "20" + "00".repeat(32)));

    private static final Block TEXT = block(Cid.RAW, "hello".getBytes(StandardCharsets.US_ASCII));

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder, "-C", "repo")
                .withVariable("PAIL_STORE", folder.resolve("repo").toString());
    }

    private static Block block(long codec, byte[] bytes) {
        return Block.of(codec, bytes);
    }

    private static Block cbor(DagCborWriter content) {
        return block(Cid.DAG_CBOR, content.toByteArray());
    }

    private static byte[] car(List<Cid> roots, List<Block> blocks) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (CarWriter writer = CarWriter.of(out, "test", roots)) {
            blocks.forEach(writer::write);
        }
        return out.toByteArray();
    }

    private void write(String name, List<Cid> roots, Block... blocks) throws IOException {
        Files.write(folder.resolve(name), car(roots, List.of(blocks)));
    }

    private Shell on(String car) {
        return Shell.in(folder).withVariable("PAIL_STORE", car);
    }

    /** A file of UnixFS, in the codec that IPFS tools use; a number in dag-cbor; bytes; no root at all; one that is not there. */
    private List<List<Cid>> valuesOnly() {
        Cid unixfs = Block.verified(Cid.fromBytes(TEXT.cid().multihash()), TEXT.bytes())
                .cid();
        Cid number = cbor(new DagCborWriter().integer(1)).cid();
        return List.of(List.of(unixfs), List.of(number), List.of(TEXT.cid()), List.of(), List.of(ABSENT, unixfs));
    }

    @Test
    void aCarWithoutAVersionIsTakenIn() {
        String root = shell.root();
        shell.run("put", "text", TEXT.cid().toString()).done();
        String before = shell.root();
        Block number = cbor(new DagCborWriter().integer(1));
        long known = 0;
        for (List<Cid> roots : valuesOnly()) {
            Answer answer = shell.feed(car(roots, List.of(TEXT, number)), "import", "-");
            boolean lacksRoot = roots.contains(ABSENT);
            assertThat(answer.status()).isEqualTo(lacksRoot ? Exit.DAMAGED : Exit.DONE);
            assertThat(answer.line()).isEqualTo("blocks: " + (2 - known) + " new, " + known + " known, 0 refused");
            if (lacksRoot) {
                assertThat(answer.err()).contains("error: ", "root", ABSENT.toString());
            } else {
                assertThat(answer.err()).startsWith("the CAR names no version, so no branch was moved");
                assertThat(answer.err().lines()).hasSize(1);
            }
            known = 2;
        }
        assertThat(shell.run("cat", "text").done().text()).isEqualTo("hello");
        assertThat(shell.root()).isEqualTo(before).isNotEqualTo(root);
        assertThat(shell.run("log").done().lines()).hasSize(1);
    }

    @Test
    void theCountsOfACarWithoutAVersionAreInJson() {
        byte[] car = car(List.of(TEXT.cid()), List.of(TEXT, TEXT));
        JsonNode counts = shell.feed(car, "import", "-", "--json").done().json().get(0);
        assertThat(counts.fieldNames()).toIterable().containsExactly("new", "known", "refused", "leftOut");
        assertThat(counts.get("new").asInt()).isEqualTo(1);
        assertThat(counts.get("known").asInt()).isEqualTo(1);
        assertThat(counts.get("refused").asInt()).isZero();
        assertThat(shell.feed(car, "import", "-", "-q").done().text()).isEmpty();
    }

    @Test
    void noBranchIsMadeOfACarWithoutAVersion() {
        byte[] car = car(List.of(TEXT.cid()), List.of(TEXT));
        assertThat(shell.feed(car, "import", "-", "-b", "new").failed(Exit.FAILED))
                .contains("names no version", "no branch was made: new");
        assertThat(shell.run("branch").done().lines()).hasSize(1);
        assertThat(shell.feed(car, "import", "-", "-b", "main").status()).isEqualTo(Exit.DONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls", "root", "get k", "log", "stat", "verify", "tree", "export x.car"})
    void aCarThatHoldsNoPailIsNamedByTheCodecOfItsRoot(String command) throws IOException {
        Cid unixfs = Cid.fromBytes(TEXT.cid().multihash());
        Cid json = Cid.fromBytes(HexFormat.of().parseHex("01a90212" + "20" + "00".repeat(32)));
        Cid strange = Cid.fromBytes(HexFormat.of().parseHex("01b0ff0112" + "20" + "00".repeat(32)));
        Block number = cbor(new DagCborWriter().integer(1));
        write("a.car", List.of(unixfs), TEXT);
        write("b.car", List.of(json));
        write("c.car", List.of(TEXT.cid(), unixfs, json), TEXT);
        write("d.car", List.of(number.cid()), number);
        write("e.car", List.of(strange));
        String[] words = command.split(" ");
        assertThat(on("a.car").run(words).refused(Exit.FAILED))
                .contains("the CAR holds no pail", "a.car", unixfs + " is dag-pb", "pail import");
        assertThat(on("b.car").run(words).refused(Exit.FAILED)).contains(json + " is dag-json");
        assertThat(on("c.car").run(words).refused(Exit.FAILED)).contains(TEXT.cid() + " is raw, and 2 more are values");
        assertThat(on("d.car").run(words).refused(Exit.FAILED))
                .contains(number.cid() + " is dag-cbor, and neither a shard nor an event");
        assertThat(on("e.car").run(words).refused(Exit.FAILED)).contains("codec 0x7fb0");
        assertThat(folder.resolve("x.car")).doesNotExist();
    }

    /** The same file with its roots in another order, some of them twice, and with values among them. */
    @Test
    void theOrderOfRootsSaysNothing_CAR3() throws IOException {
        Random random = new Random(Randomness.seed("CarFormsTest"));
        shell.put("a", 1);
        shell.run("branch", "other").done();
        shell.put("b", 2);
        shell.run("-b", "other", "put", "c", Shell.cid(3)).done();
        shell.run("merge", "other").done();
        byte[] exported = shell.run("export", "-").done().bytes();
        List<Block> blocks = new ArrayList<>();
        List<Cid> named = new ArrayList<>();
        try (CarReader reader = CarReader.of(new ByteArrayInputStream(exported), "test")) {
            named.addAll(reader.header().roots());
            reader.forEach(section -> blocks.add(section.block()));
        }
        assertThat(named).hasSize(3);
        for (int i = 0; i < 20; i++) {
            List<Cid> roots = new ArrayList<>(named);
            roots.addAll(List.of(
                    named.get(random.nextInt(3)),
                    TEXT.cid(),
                    Cid.fromBytes(TEXT.cid().multihash())));
            Collections.shuffle(roots, random);
            Files.write(folder.resolve("shuffled.car"), withRoots(roots, blocks));
            assertThat(on("shuffled.car").root()).isEqualTo(shell.root());
            assertThat(on("shuffled.car").keys()).containsExactly("a", "b", "c");
            on("shuffled.car").run("verify").done();
            Shell taker = Shell.withRepository(folder, "-C", "taker" + i).withVariable("PAIL_STORE", "taker" + i);
            assertThat(taker.run("import", "shuffled.car").done().lines()).contains(shell.root());
        }
        Files.write(folder.resolve("events.car"), withRoots(List.of(named.get(2), named.get(1)), blocks));
        assertThat(on("events.car").root()).isEqualTo(shell.root());
    }

    /** A CAR of version 1 with roots as they are given, which a writer makes a set. */
    private static byte[] withRoots(List<Cid> roots, List<Block> blocks) {
        DagCborWriter header = new DagCborWriter().map(2).text("roots").array(roots.size());
        roots.forEach(header::link);
        byte[] bytes = header.text("version").integer(1).toByteArray();
        byte[] none = car(List.of(), List.of());
        byte[] sections = car(List.of(), blocks);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int rest = bytes.length; ; rest >>>= 7) {
            out.write(rest < 0x80 ? rest : rest | 0x80);
            if (rest < 0x80) {
                break;
            }
        }
        out.writeBytes(bytes);
        out.writeBytes(Arrays.copyOfRange(sections, none.length, sections.length));
        return out.toByteArray();
    }

    @Test
    void ofSeveralVersionsWithoutAHistoryOneIsToBeNamed() throws IOException {
        String empty = shell.root();
        byte[] first = shell.run("export", "-", "--only").done().bytes();
        shell.put("a", 1);
        byte[] second = shell.run("export", "-", "--only").done().bytes();
        List<Block> blocks = new ArrayList<>();
        for (byte[] each : List.of(first, second)) {
            try (CarReader reader = CarReader.of(new ByteArrayInputStream(each), "test")) {
                reader.forEach(section -> blocks.add(section.block()));
            }
        }
        List<Cid> roots = List.of(Cid.parse(empty), Cid.parse(shell.root()));
        Files.write(folder.resolve("two.car"), car(roots, blocks));
        assertThat(on("two.car").run("ls").refused(Exit.FAILED)).contains("2 versions", "--at");
        assertThat(on("two.car").run("ls", "--at", empty).done().lines()).isEmpty();
        on("two.car").run("verify").done();
        Files.write(folder.resolve("one.car"), withRoots(List.of(roots.get(1), roots.get(1)), blocks));
        assertThat(on("one.car").keys()).containsExactly("a");
        Shell taker = Shell.withRepository(folder, "-C", "taker").withVariable("PAIL_STORE", "taker");
        assertThat(taker.run("import", "two.car").failed(Exit.FAILED)).contains("2 versions without a history");
        assertThat(taker.run("import", "one.car").done().lines()).contains(shell.root());
    }

    /** An event of a merkle clock over something else, of an operation of another kind, and one that breaks a rule. */
    @Test
    void eventsThatAreNoneAreRefusedWithTheReason_M3() throws IOException {
        Block clock = cbor(new DagCborWriter()
                .map(2)
                .text("data")
                .link(TEXT.cid())
                .text("parents")
                .array(0));
        Block type = cbor(new DagCborWriter()
                .map(2)
                .text("data")
                .map(2)
                .text("key")
                .text("a")
                .text("type")
                .text("set")
                .text("parents")
                .array(0));
        shell.put("a", 1);
        Cid root = Cid.parse(shell.root());
        Cid parent = Cid.parse(
                shell.run("log", "--json").done().json().get(0).get("event").asText());
        Block twice = cbor(new DagCborWriter()
                .map(2)
                .text("data")
                .map(3)
                .text("key")
                .text("a")
                .text("root")
                .link(root)
                .text("type")
                .text("del")
                .text("parents")
                .array(2)
                .link(parent)
                .link(parent));
        checkEvent(clock, Exit.FAILED, "an event of another program", "M3");
        checkEvent(type, Exit.FAILED, "an event of another program", "M3");
        checkEvent(twice, Exit.DAMAGED, "malformed event", "M5");
        write("twice.car", List.of(twice.cid()), twice);
        Answer verified = on("twice.car").run("verify");
        assertThat(verified.failed(Exit.DAMAGED)).contains("1 block is missing or damaged");
        assertThat(verified.lines().get(0)).contains("M5");
    }

    private void checkEvent(Block event, int exit, String... told) throws IOException {
        write("event.car", List.of(event.cid()), event, TEXT);
        String before = shell.root();
        assertThat(shell.run("import", "event.car").failed(exit))
                .contains(told)
                .contains(event.cid().toString(), "hint: no branch was moved");
        assertThat(shell.root()).isEqualTo(before);
        assertThat(on("event.car").run("ls").refused(exit))
                .contains(told)
                .contains(event.cid().toString());
        assertThat(on("event.car").run("ls", "--at", event.cid().toString()).refused(exit))
                .contains(told);
    }

    @Test
    void identitySectionsAreNotRefused_CAR5() throws IOException {
        Cid tiny = Cid.fromBytes(HexFormat.of().parseHex("0155000474696e79"));
        shell.run("put", "k", tiny.toString()).done();
        byte[] exported = shell.run("export", "-").done().bytes();
        byte[] section = HexFormat.of().parseHex("0c0155000474696e7974696e79");
        byte[] car = Arrays.copyOf(exported, exported.length + section.length);
        System.arraycopy(section, 0, car, exported.length, section.length);
        Files.write(folder.resolve("identity.car"), car);

        Shell taker = Shell.withRepository(folder, "-C", "taker").withVariable("PAIL_STORE", "taker");
        assertThat(taker.run("import", "identity.car").done().lines())
                .containsExactly("blocks: 2 new, 0 known, 0 refused", shell.root());
        for (Shell each : List.of(taker, on("identity.car"))) {
            assertThat(each.run("cat", "k").done().text()).isEqualTo("tiny");
        }
    }

    /** A value in version 0 is found in a CAR that has it in version 1, as it is in a repository that has taken it in. */
    @Test
    void aCarIsReadByMultihashAsARepositoryIs_CAR7() throws IOException {
        Cid version0 = Cid.fromBytes(TEXT.cid().multihash());
        shell.run("put", "k", version0.toString()).done();
        byte[] exported = shell.run("export", "-").done().bytes();
        for (Block stored : List.of(TEXT, Block.verified(version0, TEXT.bytes()), block(0x51, TEXT.bytes()))) {
            byte[] part = car(List.of(), List.of(stored));
            byte[] header = car(List.of(), List.of());
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            whole.writeBytes(exported);
            whole.write(part, header.length, part.length - header.length);
            Files.write(folder.resolve("whole.car"), whole.toByteArray());
            assertThat(on("whole.car").run("cat", "k", "--raw").done().text()).isEqualTo("hello");
        }
    }

    /** A head has as many events as a CAR has roots: then the pail is not among them. */
    @Test
    void aHeadOfAThousandEventsIsExported_CAR3() throws IOException {
        shell.put("base", 0);
        Cid root = Cid.parse(shell.root());
        Cid base = Cid.parse(
                shell.run("log", "--json").done().json().get(0).get("event").asText());
        for (int count : new int[] {999, 1000}) {
            List<Cid> events = new ArrayList<>();
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Block event = cbor(new DagCborWriter()
                        .map(2)
                        .text("data")
                        .map(4)
                        .text("key")
                        .text("k" + i)
                        .text("root")
                        .link(root)
                        .text("type")
                        .text("put")
                        .text("value")
                        .link(Cid.parse(Shell.cid(i)))
                        .text("parents")
                        .array(1)
                        .link(base));
                events.add(event.cid());
                blocks.add(event);
            }
            Files.write(folder.resolve("wide.car"), car(events, blocks));
            String branch = "wide" + count;
            shell.run("branch", branch).done();
            shell.run("-b", branch, "import", "wide.car").done();
            String out = branch + ".car";
            JsonNode written = shell.run("-b", branch, "export", out, "--json")
                    .done()
                    .json()
                    .get(0);
            assertThat(written.get("roots")).hasSize(1000);
            String merged = shell.run("-b", branch, "root").done().line();
            assertThat(on(out).root()).isEqualTo(merged);
            assertThat(on(out).keys()).hasSize(count + 1);
            Shell taker =
                    Shell.withRepository(folder, "-C", "taker" + count).withVariable("PAIL_STORE", "taker" + count);
            assertThat(taker.run("import", out).done().lines()).contains(merged);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"notes.txt", "repo/config", "picture"})
    void exportReplacesNoFileThatIsNoCar(String name) throws IOException {
        shell.put("a", 1);
        Files.writeString(folder.resolve("notes.txt"), "not to be lost\n");
        Files.write(folder.resolve("picture"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 0, 0});
        byte[] before = Files.readAllBytes(folder.resolve(name));
        assertThat(shell.run("export", name).refused(Exit.FAILED)).contains("no CAR is not replaced", name);
        assertThat(folder.resolve(name)).hasBinaryContent(before);
    }

    @Test
    void exportReplacesACarAndAnEmptyFile() throws IOException {
        shell.put("a", 1);
        Files.createFile(folder.resolve("empty"));
        Files.write(folder.resolve("other.car"), car(List.of(), List.of(TEXT)));
        for (String name : List.of("empty", "other.car", "new.car", "new.car")) {
            shell.run("export", name).done();
            assertThat(on(name).keys()).containsExactly("a");
        }
    }
}
