package dev.pail.cli.command.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CarWriter;
import dev.pail.cli.Answer;
import dev.pail.cli.Launched;
import dev.pail.cli.Line;
import dev.pail.cli.Main;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code prove} in a repository, and {@code check} where there is none. */
class ProofCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    @TempDir(factory = MemoryTempDir.class)
    Path elsewhere;

    private Shell repository(String format) {
        Shell shell = Shell.withRepository(folder, "--format", format);
        shell.put("a/1", 1, "a/2", 2, "b/1", 3);
        return shell;
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private Answer check(String... arguments) {
        return Shell.in(elsewhere).run(Shell.concat("check", arguments));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void aKeyIsPresentOrAbsent(String format) {
        Shell shell = repository(format);
        String root = shell.root();
        List<String> said = shell.run("prove", "a/1", "-o", "one.car").done().lines();
        assertThat(said).hasSize(2);
        assertThat(said.get(0)).matches("blocks: \\d, bytes: \\d+");
        assertThat(said.get(1)).isEqualTo(root);
        assertThat(check(file("one.car"), "--root", root, "--key", "a/1").done().line())
                .isEqualTo("present\t" + Shell.cid(1));
        shell.run("prove", "a/3", "--output", "none.car").done();
        Answer absent = check(file("none.car"), "--root", "ipfs://" + root, "--key", "a/3");
        assertThat(absent.status()).isEqualTo(Exit.NO);
        assertThat(absent.line()).isEqualTo("absent");
        assertThat(absent.err()).isEmpty();
        assertThat(check(file("none.car"), "--root", root, "--key", "a/3", "-q").text())
                .isEmpty();
    }

    @Test
    void theValueMayBeGiven() {
        Shell shell = repository("v1");
        shell.run("prove", "a/1", "-o", "one.car").done();
        String[] arguments = {file("one.car"), "--root", shell.root(), "--key", "a/1", "--value", Shell.cid(1)};
        assertThat(check(arguments).done().line()).isEqualTo("present\t" + Shell.cid(1));
        arguments[6] = Shell.cid(2);
        assertThat(check(arguments).status()).isEqualTo(Exit.NO);
        assertThat(check(arguments).line()).isEqualTo("present\t" + Shell.cid(1));
    }

    @Test
    void aRangeIsListed() {
        Shell shell = repository("v1");
        shell.run("prove", "--prefix", "a/", "-o", "a.car", "-q").done();
        assertThat(check(file("a.car"), "--root", shell.root(), "--prefix", "a/")
                        .done()
                        .lines())
                .containsExactly("a/1\t" + Shell.cid(1), "a/2\t" + Shell.cid(2));
        shell.run("prove", "--gt", "a/1", "--lte", "b/1", "-o", "some.car").done();
        assertThat(check(file("some.car"), "--root", shell.root(), "--gt", "a/1", "--lte", "b/1", "--json")
                        .done()
                        .json())
                .extracting(JsonNode::toString)
                .containsExactly(
                        "{\"key\":\"a/2\",\"value\":\"" + Shell.cid(2) + "\"}",
                        "{\"key\":\"b/1\",\"value\":\"" + Shell.cid(3) + "\"}");
        shell.run("prove", "--prefix", "c", "-o", "c.car").done();
        assertThat(check(file("c.car"), "--root", shell.root(), "--prefix", "c").status())
                .isEqualTo(Exit.NO);
        shell.run("prove", "--prefix", "", "-o", "all.car").done();
        assertThat(check(file("all.car"), "--root", shell.root(), "--prefix", "")
                        .done()
                        .lines())
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void aKeyOfANamespace(String format) {
        Shell shell = repository(format);
        shell.run("put", "ann", Shell.cid(4), "--namespace", "users/eu").done();
        String root = shell.root();
        shell.run("prove", "ann", "--namespace", "users/eu", "-o", "ann.car").done();
        String[] arguments = {file("ann.car"), "--root", root, "--key", "ann", "--namespace", "users/eu"};
        assertThat(check(arguments).done().line()).isEqualTo("present\t" + Shell.cid(4));
        shell.run("prove", "bob", "--namespace", "users/eu", "-o", "bob.car").done();
        arguments[0] = file("bob.car");
        arguments[4] = "bob";
        assertThat(check(arguments).status()).isEqualTo(Exit.NO);
        assertThat(check(arguments).line()).isEqualTo("absent");
        arguments[6] = "users//eu";
        assertThat(check(arguments).refused(Exit.USAGE)).contains("a name in --namespace is empty");
    }

    /** The proof of a key in one namespace is none of that key in another, or in none. */
    @Test
    void theProofOfAnotherNamespaceProvesNothing() {
        Shell shell = repository("v1");
        for (String namespace : List.of("users", "teams")) {
            shell.run("put", "ann", Shell.cid(4), "--namespace", namespace).done();
            shell.run("put", "bob", Shell.cid(5), "--namespace", namespace).done();
        }
        String root = shell.root();
        shell.run("prove", "ann", "--namespace", "users", "-o", "ann.car").done();
        check(file("ann.car"), "--root", root, "--key", "ann", "--namespace", "users")
                .done();
        check(file("ann.car"), "--root", root, "--key", "ann", "--namespace", "teams")
                .refused(Exit.DAMAGED);
        check(file("ann.car"), "--root", root, "--key", "ann").refused(Exit.DAMAGED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void aDiffIsListedAsDiffListsIt(String format) {
        Shell shell = repository(format);
        String before = shell.root();
        shell.feed(Line.put("a/1", 9) + Line.put("c/1", 4) + "{\"op\":\"del\",\"key\":\"b/1\"}\n", "apply")
                .done();
        String after = shell.root();
        assertThat(shell.run("prove", "--from", "@{1}", "-o", "all.car").done().lines())
                .hasSize(3)
                .endsWith(before, after);
        String[] all = {file("all.car"), "--from", before, "--root", after};
        assertThat(check(all).done().text())
                .isEqualTo(shell.run("diff", "@{1}").done().text());
        assertThat(check(Shell.concat(file("all.car"), "--from", before, "--root", after, "--json"))
                        .done()
                        .text())
                .isEqualTo(shell.run("diff", "@{1}", "--json").done().text());
        assertThat(check(Shell.concat("-q", all)).done().text()).isEmpty();
        JsonNode made = shell.run("prove", "--from", before, "--at", after, "-o", "same.car", "--json")
                .done()
                .json()
                .get(0);
        assertThat(made.get("from").asText()).isEqualTo(before);
        assertThat(made.get("root").asText()).isEqualTo(after);
        assertThat(folder.resolve("same.car")).hasSameBinaryContentAs(folder.resolve("all.car"));
    }

    @Test
    void aDiffOfARangeOrAKey() {
        Shell shell = repository("v1");
        String before = shell.root();
        shell.put("a/1", 9, "a/11", 5, "c/1", 4);
        String after = shell.root();
        shell.run("prove", "--from", before, "--prefix", "a/", "-o", "a.car").done();
        assertThat(check(file("a.car"), "--from", before, "--root", after, "--prefix", "a/")
                        .done()
                        .text())
                .isEqualTo(shell.run("diff", before, "--prefix", "a/").done().text());
        shell.run("prove", "a/1", "--from", before, "-o", "one.car").done();
        assertThat(check(file("one.car"), "--from", before, "--root", after, "--key", "a/1")
                        .done()
                        .line())
                .isEqualTo("~ a/1\t" + Shell.cid(1) + " -> " + Shell.cid(9));
        shell.run("prove", "b/1", "--from", before, "-o", "none.car").done();
        Answer none = check(file("none.car"), "--from", before, "--root", after, "--key", "b/1");
        assertThat(none.status()).isEqualTo(Exit.NO);
        assertThat(none.text()).isEmpty();
        // A version does not differ from itself.
        shell.run("prove", "--from", after, "-o", "same.car").done();
        assertThat(check(file("same.car"), "--from", after, "--root", after).status())
                .isEqualTo(Exit.NO);
    }

    @Test
    void theProofOfAnotherDiffProvesNothing() {
        Shell shell = repository("v1");
        String before = shell.root();
        shell.put("a/1", 9, "c/1", 4);
        String after = shell.root();
        shell.run("prove", "--from", before, "-o", "all.car").done();
        for (String[] other : List.of(
                new String[] {"--from", after, "--root", before},
                new String[] {"--from", before, "--root", before},
                new String[] {"--root", after, "--prefix", ""},
                new String[] {"--root", after, "--key", "a/1"})) {
            assertThat(check(Shell.concat(file("all.car"), other)).refused(Exit.DAMAGED))
                    .contains("(PF10)");
        }
        assertThat(check(file("all.car"), "--from", before, "--root", after, "--prefix", "c")
                        .refused(Exit.DAMAGED))
                .contains("(PF4)");
        shell.run("prove", "--prefix", "", "-o", "range.car").done();
        assertThat(check(file("range.car"), "--from", before, "--root", after).refused(Exit.DAMAGED))
                .contains("(PF10)");
    }

    @Test
    void inJson() {
        Shell shell = repository("v1");
        JsonNode made = shell.run("prove", "a/1", "-o", "one.car", "--json")
                .done()
                .json()
                .get(0);
        assertThat(made.get("root").asText()).isEqualTo(shell.root());
        assertThat(made.get("blocks").asInt()).isEqualTo(3);
        assertThat(made.get("bytes").asLong())
                .isEqualTo(folder.resolve("one.car").toFile().length());
        assertThat(check(file("one.car"), "--root", shell.root(), "--key", "a/1", "--json")
                        .line())
                .isEqualTo("{\"answer\":\"present\",\"value\":\"" + Shell.cid(1) + "\"}");
        assertThat(check(file("one.car"), "--root", shell.root(), "--key", "a/3", "--json")
                        .line())
                .isEqualTo("{\"answer\":\"absent\"}");
        JsonNode refused = check(file("one.car"), "--root", shell.root(), "--key", "b/1", "--json")
                .refusedInJson(Exit.DAMAGED);
        assertThat(refused.get("code").asText()).isEqualTo("invalid-proof");
    }

    @Test
    void theProofOfAnotherKeyOrRootProvesNothing() {
        Shell shell = repository("v1");
        String root = shell.root();
        shell.run("prove", "a/1", "-o", "one.car").done();
        assertThat(check(file("one.car"), "--root", root, "--key", "b/1").refused(Exit.DAMAGED))
                .startsWith("error: proves nothing: " + file("one.car") + ": bafyrei")
                .contains(": the query does not read this block (PF4)\nhint: ");
        shell.put("a/1", 9);
        assertThat(check(file("one.car"), "--root", shell.root(), "--key", "a/1")
                        .refused(Exit.DAMAGED))
                .contains(shell.root() + ": the proof is of other roots (PF10): [" + root + "]");
        shell.run("prove", "a/1", "--at", "@{1}", "-o", "before.car").done();
        assertThat(check(file("before.car"), "--root", root, "--key", "a/1")
                        .done()
                        .line())
                .isEqualTo("present\t" + Shell.cid(1));
    }

    @Test
    void whatIsNoProofIsRefused() throws IOException {
        Shell shell = repository("v1");
        shell.run("prove", "a/1", "-o", "one.car").done();
        byte[] sound = Files.readAllBytes(folder.resolve("one.car"));
        for (byte[] bad : List.of(new byte[0], new byte[] {1, 2, 3}, Arrays.copyOf(sound, sound.length - 1))) {
            Files.write(folder.resolve("bad.car"), bad);
            assertThat(check(file("bad.car"), "--root", shell.root(), "--key", "a/1")
                            .refused(Exit.DAMAGED))
                    .startsWith("error: no proof: " + file("bad.car"))
                    .contains("hint: ");
        }
        assertThat(check("nowhere", "--root", shell.root(), "--key", "a").refused(Exit.FAILED))
                .contains("no such file: nowhere");
        // A CAR of the whole version is none.
        shell.run("export", "all.car", "--only").done();
        assertThat(check(file("all.car"), "--root", shell.root(), "--key", "b/1")
                        .refused(Exit.DAMAGED))
                .contains("(PF4)");
    }

    @Test
    void standardOutputAndInput() {
        Shell shell = repository("v1");
        byte[] proof = shell.run("prove", "a/1", "-o", "-").done().bytes();
        assertThat(Shell.in(elsewhere)
                        .feed(proof, "check", "-", "--root", shell.root(), "--key", "a/1")
                        .done()
                        .line())
                .isEqualTo("present\t" + Shell.cid(1));
        shell.run("export", "all.car").done();
        assertThat(Shell.in(folder)
                        .run("-C", "all.car", "prove", "a/1", "-o", "-")
                        .done()
                        .bytes())
                .isEqualTo(proof);
    }

    @Test
    void onlyACarIsReplaced() throws IOException {
        Shell shell = repository("v1");
        Files.writeString(folder.resolve("text"), "text");
        assertThat(shell.run("prove", "a/1", "-o", "text").refused(Exit.FAILED)).contains("is not replaced");
        assertThat(folder.resolve("text")).hasContent("text");
        shell.run("prove", "a/1", "-o", "one.car").done();
        shell.run("prove", "b/1", "-o", "one.car").done();
        check(file("one.car"), "--root", shell.root(), "--key", "b/1").done();
    }

    @Test
    void whatIsMissingFromTheCommandLineIsNamed() {
        Shell shell = repository("v1");
        assertThat(shell.run("prove", "a").refused(Exit.USAGE)).contains("-o FILE");
        assertThat(shell.run("prove", "-o", "x").refused(Exit.USAGE)).contains("name a key with KEY, or a range");
        assertThat(shell.run("prove", "a", "--prefix", "a", "-o", "x").refused(Exit.USAGE))
                .contains("a key or a range: KEY is not for --prefix");
        assertThat(check("x", "--key", "a").refused(Exit.USAGE)).contains("--root CID", "pail verify");
        assertThat(check("x", "--root", "y", "--key", "a").refused(Exit.USAGE)).contains("--root is a CID, not \"y\"");
        String root = shell.root();
        assertThat(check("x", "--root", root).refused(Exit.USAGE)).contains("name a key with --key");
        assertThat(check("x", "--root", root, "--key", "a", "--lt", "b").refused(Exit.USAGE))
                .contains("--key is not for --prefix");
        assertThat(check("x", "--root", root, "--prefix", "a", "--value", root).refused(Exit.USAGE))
                .contains("--value is for --key");
        assertThat(check("x", "--root", root, "--from", root, "--key", "a", "--value", root)
                        .refused(Exit.USAGE))
                .contains("--value is for --key, not for a range or a diff");
        assertThat(check("x", "--root", root, "--from", "y").refused(Exit.USAGE))
                .contains("--from is a CID, not \"y\"");
        assertThat(check("x", "--root", root, "--prefix", "a", "--namespace", "n")
                        .refused(Exit.USAGE))
                .contains("--namespace is not for --prefix, bounds and --from");
        assertThat(shell.run("prove", "a", "--from", root, "--namespace", "n", "-o", "x")
                        .refused(Exit.USAGE))
                .contains("--namespace is not for --prefix, bounds and --from");
        assertThat(shell.run("prove", "--from", "nothing", "-o", "x").refused(Exit.FAILED))
                .contains("nothing");
        assertThat(check("x", "--root", root, "--key", "a", "--value", "y").refused(Exit.USAGE))
                .contains("--value is a CID");
    }

    @Test
    void aLargeProofOfV0IsToldOf() {
        Shell shell = Shell.withRepository(folder);
        StringBuilder operations = new StringBuilder();
        for (int i = 0; i < 1500; i++) {
            operations.append(Line.put("key " + i, i));
        }
        shell.feed(operations.toString(), "apply").done();
        Answer made = shell.run("prove", "key 7", "-o", "one.car");
        assertThat(made.status()).isZero();
        assertThat(made.err()).matches("warning: the proof has \\d+ bytes, .*: pail convert --format v1\n");
        assertThat(shell.run("prove", "key 7", "-o", "one.car", "-q").err()).isEmpty();
    }

    private static Block v0(DagCborWriter entries) {
        return Block.of(
                Cid.DAG_CBOR,
                entries.text("maxSize")
                        .integer(Block.MAX_SIZE)
                        .text("maxKeyLength")
                        .integer(64)
                        .toByteArray());
    }

    /** A shard of nearly 8 MiB whose entries have long values, and one more entry that links to a shard, if there is one. */
    private static Block large(List<Block> below) {
        int count = 3900;
        DagCborWriter out = new DagCborWriter().map(3).text("entries").array(count + below.size());
        Cid value = longest();
        for (int i = 0; i < count; i++) {
            out.array(2).text("k%05d".formatted(i)).link(value);
        }
        below.forEach(block -> out.array(2).text("z").array(1).link(block.cid()));
        return v0(out);
    }

    private static Block empty() {
        return v0(new DagCborWriter().map(3).text("entries").array(0));
    }

    /** An identity CID that is as long as a CID can be. */
    private static Cid longest() {
        byte[] cid = new byte[Cid.MAX_BYTES];
        int digest = cid.length - 5;
        byte[] head = {1, (byte) Cid.RAW, (byte) Cid.IDENTITY, (byte) (digest | 0x80), (byte) (digest >> 7)};
        System.arraycopy(head, 0, cid, 0, head.length);
        return Cid.fromBytes(cid);
    }

    private void write(String name, Cid root, List<Block> blocks) throws IOException {
        try (OutputStream out = Files.newOutputStream(folder.resolve(name));
                CarWriter writer = CarWriter.of(out, name, List.of(root))) {
            blocks.forEach(writer::write);
        }
    }

    private Answer checkInLittleMemory(String... arguments) {
        List<String> words = new ArrayList<>(Launched.command(Main.class, Shell.concat("check", arguments)));
        words.add(1, "-Xmx64m");
        return Launched.start(Launched.builder(elsewhere, words)).answer();
    }

    /** The largest proofs that there are, true and false ones, and files that are larger. */
    @Test
    void sixtyFourMebibytesOfMemoryAreEnough() throws IOException {
        Block below = large(List.of());
        Block root = large(List.of(below));
        String cid = root.cid().toString();
        write("two.car", root.cid(), List.of(root, below));
        assertThat(folder.resolve("two.car").toFile().length()).isBetween(15_000_000L, 2L * Block.MAX_SIZE);
        Answer present = checkInLittleMemory(file("two.car"), "--root", cid, "--key", "zk00000");
        assertThat(present.done().line()).startsWith("present\t");
        assertThat(checkInLittleMemory(file("two.car"), "--root", cid, "--prefix", "z")
                        .refused(Exit.DAMAGED))
                .contains("(PF12)");
        assertThat(checkInLittleMemory(file("two.car"), "--root", cid, "--gte", "zk01000", "--lt", "zk02000")
                        .done()
                        .lines())
                .hasSize(1000);
        // A diff of the largest roots.
        Block first = large(List.of(Block.of(Cid.DAG_CBOR, new byte[] {1})));
        Block second = large(List.of(Block.of(Cid.DAG_CBOR, new byte[] {2})));
        String earlier = first.cid().toString();
        String later = second.cid().toString();
        try (OutputStream out = Files.newOutputStream(folder.resolve("diff.car"));
                CarWriter writer = CarWriter.of(out, "diff.car", List.of(first.cid(), second.cid()))) {
            writer.write(first);
            writer.write(second);
        }
        Answer same = checkInLittleMemory(file("diff.car"), "--from", earlier, "--root", later, "--lt", "y");
        assertThat(same.status()).as(same.err()).isEqualTo(Exit.NO);
        assertThat(checkInLittleMemory(file("diff.car"), "--from", earlier, "--root", later)
                        .refused(Exit.DAMAGED))
                .contains("(PF4)");
        try (OutputStream out = Files.newOutputStream(folder.resolve("all.car"));
                CarWriter writer = CarWriter.of(out, "all.car", List.of(empty().cid(), below.cid()))) {
            writer.write(empty());
            writer.write(below);
        }
        assertThat(checkInLittleMemory(
                                file("all.car"),
                                "--from",
                                empty().cid().toString(),
                                "--root",
                                below.cid().toString())
                        .refused(Exit.DAMAGED))
                .contains("(PF12)");
        // The same block in many places: each entry of the root is a link to it.
        DagCborWriter links = new DagCborWriter().map(3).text("entries").array(100_000);
        Block one = v0(new DagCborWriter()
                .map(3)
                .text("entries")
                .array(1)
                .array(2)
                .text("x")
                .link(below.cid()));
        for (int i = 0; i < 100_000; i++) {
            links.array(2).text("k%06d".formatted(i)).array(1).link(one.cid());
        }
        Block many = v0(links);
        write("many.car", many.cid(), List.of(many, one));
        assertThat(checkInLittleMemory(file("many.car"), "--root", many.cid().toString(), "--prefix", "")
                        .refused(Exit.DAMAGED))
                .contains("(PF12)");
        List<Block> small = Stream.iterate(0, i -> i + 1)
                .limit(20_000)
                .map(i -> Block.of(Cid.DAG_CBOR, new byte[] {0x19, (byte) (i >> 8), (byte) (int) i}))
                .toList();
        write("small.car", root.cid(), small);
        assertThat(checkInLittleMemory(file("small.car"), "--root", cid, "--key", "a")
                        .refused(Exit.DAMAGED))
                .contains("(PF12)");
        write("large.car", root.cid(), List.of(root, below, root, below, root, below, root, below, root, below));
        assertThat(checkInLittleMemory(file("large.car"), "--root", cid, "--key", "a")
                        .refused(Exit.DAMAGED))
                .contains("(PF12)");
    }

    /** The file that a program of Java makes is the one that the command makes. */
    @Test
    void theCommandWritesWhatTheLibraryWrites() throws IOException {
        Shell shell = repository("v2");
        Pail pail = Pail.create(new MemoryBlockStore(), ShardFormat.v2());
        for (int i = 1; i <= 3; i++) {
            pail = pail.put(i == 3 ? "b/1" : "a/" + i, Cid.parse(Shell.cid(i)));
        }
        shell.run("prove", "a/2", "-o", "one.car").done();
        assertThat(Files.readAllBytes(folder.resolve("one.car")))
                .isEqualTo(pail.prove("a/2").bytes());
    }
}
