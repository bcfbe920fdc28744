package dev.pail.cli.command.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.Snapshot;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The way back after a block of the newest version was lost (spec rules REP18, G11 and G17). */
class RecoveryTest {
    /** What the removed branch alone led to: two events and the shards of their versions. */
    private static final int GIVEN_UP = 5;

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;
    private Path store;
    private String rootBefore;

    /** Two versions of main: with the key a, and with a and b. */
    @BeforeEach
    void makeRepository() throws IOException {
        shell = Shell.withRepository(folder, "--format", "v1");
        store = folder.resolve(".pail");
        shell.put("a", 1);
        rootBefore = shell.root();
        shell.put("b", 2);
    }

    /** What is lost of the newest version. */
    enum Lost {
        EVENT,
        ROOT
    }

    /** How it is lost. */
    enum How {
        MISSING,
        CORRUPT,
        EMPTY
    }

    private Path file(String cid) {
        String name = Cid.parse(cid).multihashName();
        return store.resolve("blocks/" + name.substring(name.length() - 2) + "/" + name + ".data");
    }

    /** Loses the block, and returns its CID. */
    private String lose(Lost lost, How how) throws IOException {
        String cid = lost == Lost.ROOT ? shell.root() : event();
        Path file = file(cid);
        switch (how) {
            case MISSING -> Files.delete(file);
            case EMPTY -> Files.write(file, new byte[0]);
            default -> {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2] ^= 1;
                Files.write(file, bytes);
            }
        }
        return cid;
    }

    private String event() throws IOException {
        return Files.readString(store.resolve("heads/main")).strip();
    }

    private void assertClean() {
        shell.run("verify").done();
        assertThat(shell.run("gc").status()).isZero();
        shell.put("z", 9);
        assertThat(shell.keys()).containsExactly("a", "z");
        shell.run("verify").done();
    }

    @ParameterizedTest
    @CsvSource({
        "EVENT,MISSING",
        "EVENT,CORRUPT",
        "EVENT,EMPTY",
        "ROOT,MISSING",
        "ROOT,CORRUPT",
        "ROOT,EMPTY",
    })
    void undoLeavesALostVersion_REP18(Lost lost, How how) throws IOException {
        String cid = lose(lost, how);
        shell.run("ls").refused(Exit.DAMAGED);
        shell.run("verify").status();
        assertThat(shell.run("gc").refused(Exit.DAMAGED)).contains(cid);

        Answer undone = shell.run("undo");
        assertThat(undone.line()).isEqualTo(rootBefore);
        assertThat(undone.status()).isZero();
        assertThat(undone.err()).startsWith("warning: ").contains(cid);
        assertClean();
        // The log still leads to it: all of the history is not whole.
        assertThat(shell.run("gc").err()).startsWith("warning: ").contains(cid);
        assertThat(shell.run("verify", "--all").status()).isEqualTo(Exit.DAMAGED);
    }

    @ParameterizedTest
    @EnumSource
    void resetLeavesALostVersion_REP18(Lost lost) throws IOException {
        String cid = lose(lost, How.MISSING);
        Answer reset = shell.run("--json", "reset", "@{1}");
        assertThat(reset.status()).isZero();
        assertThat(reset.json().get(0).get("root").asText()).isEqualTo(rootBefore);
        assertThat(Answer.parse(reset.err()).get("warning").asText()).contains(cid);
        assertClean();
    }

    /** A root that an event has is found even if another event on the way is corrupt. */
    @ParameterizedTest
    @EnumSource
    void resetToARoot(How how) throws IOException {
        lose(Lost.EVENT, how);
        assertThat(shell.run("reset", rootBefore).line()).isEqualTo(rootBefore);
        assertClean();
    }

    @Test
    void aBranchThatLostItsNewestEventIsRemoved() throws IOException {
        shell.run("branch", "side").done();
        shell.run("-b", "side", "put", "c", Shell.cid(3)).done();
        String lost = Files.readString(store.resolve("heads/side")).strip();
        Files.delete(file(lost));
        shell.run("branch", "-d", "side").done();
        shell.run("verify").done();
        assertThat(shell.run("gc").err()).contains(lost);
        assertThat(shell.run("branch").done().lines()).hasSize(1);
    }

    /** The events say what both sides have done: the root that one side lost is made of them again. */
    @Test
    void mergesWithALostRoot_REP18() throws IOException {
        shell.run("branch", "side", "@{1}").done();
        shell.run("-b", "side", "put", "c", Shell.cid(3)).done();
        String lost = lose(Lost.ROOT, How.MISSING);
        Answer merged = shell.run("merge", "side");
        assertThat(merged.status()).isZero();
        assertThat(merged.err()).startsWith("warning: ").contains(lost);
        assertThat(shell.keys()).containsExactly("a", "b", "c");
        shell.run("verify").done();
    }

    @Test
    void mergesWithWhatFollowsALostRoot_REP18() throws IOException {
        shell.run("branch", "side").done();
        shell.run("-b", "side", "put", "c", Shell.cid(3)).done();
        lose(Lost.ROOT, How.MISSING);
        shell.run("merge", "side");
        assertThat(shell.keys()).containsExactly("a", "b", "c");
    }

    /** A merge of a lost event cannot be made, and changes nothing. */
    @Test
    void doesNotMergeALostEvent() throws IOException {
        shell.run("branch", "side", "@{1}").done();
        shell.run("-b", "side", "put", "c", Shell.cid(3)).done();
        String lost = lose(Lost.EVENT, How.MISSING);
        assertThat(shell.run("merge", "side").refused(Exit.DAMAGED)).contains(lost);
        shell.run("undo");
        shell.run("merge", "side").done();
        assertThat(shell.keys()).containsExactly("a", "c");
    }

    @Test
    void aDamagedGcFileIsToldAndReplaced_G17() throws IOException {
        for (String damaged : List.of("", "x", "999999999999999999 1970-01-01T00:00:00Z\n", "2 yesterday\n")) {
            Files.writeString(store.resolve("gc"), damaged);
            shell.put("c", 3);
            shell.run("rm", "c").done();
            assertThat(shell.run("verify").status()).isEqualTo(Exit.DAMAGED);
            Answer collected = shell.run("gc");
            assertThat(collected.status()).isZero();
            assertThat(collected.err()).startsWith("warning: damaged: " + store.resolve("gc"));
            shell.run("gc").done();
            shell.run("verify").done();
        }
    }

    @Test
    void aDamagedTagIsNamedAndRemoved() throws IOException {
        shell.run("tag", "v1").done();
        Files.writeString(
                store.resolve("tags/v1"),
                Files.readString(store.resolve("tags/v1")).substring(1));
        assertThat(shell.run("verify").status()).isEqualTo(Exit.DAMAGED);
        assertThat(shell.run("gc").refused(Exit.DAMAGED)).contains("tags/v1");
        shell.run("tag", "-d", "v1").done();
        shell.run("verify").done();
        shell.run("gc").done();
    }

    /** A value may be anywhere, but one that was here and could not be saved is missing. */
    @Test
    void aValueThatCouldNotBeSavedIsMissing_REP19() throws IOException {
        String value = Shell.cid("kept".getBytes(StandardCharsets.UTF_8));
        shell.put("absent", 3);
        shell.run("put", "c", value).done();
        shell.run("verify").done();
        Files.writeString(store.resolve("lost"), Cid.parse(value).raw() + "\n");
        Answer verified = shell.run("verify");
        assertThat(verified.status()).isEqualTo(Exit.DAMAGED);
        assertThat(verified.lines()).hasSize(2).first().asString().startsWith("missing\t" + value + "\tvalue\tc\t");
        shell.feed("kept", "put", "d", "--file", "-").done();
        shell.run("verify").done();
        Files.writeString(store.resolve("lost"), "bafy");
        assertThat(shell.run("verify").refused(Exit.DAMAGED))
                .contains(store.resolve("lost").toString());
    }

    /** A read error says nothing of the block: only what is missing or damaged makes the exit status 5. */
    @Test
    void aReadErrorIsNoDamage() throws IOException {
        String[] values = new String[2];
        for (int i = 0; i < values.length; i++) {
            values[i] = Shell.cid(new byte[] {(byte) i, 7});
            shell.feed("" + (char) i + (char) 7, "put", "c" + i, "--file", "-").done();
        }
        Files.setPosixFilePermissions(file(values[0]), Set.of());
        assumeFalse(Files.isReadable(file(values[0])), "needs a user that is refused");
        Answer unread = shell.run("verify");
        assertThat(unread.status()).isEqualTo(Exit.FAILED);
        assertThat(unread.lines().get(0)).startsWith("unreadable\t" + values[0] + "\tvalue\tc0\tcannot read a block: ");
        assertThat(unread.err()).startsWith("error: 1 block cannot be read: ");
        Files.delete(file(values[1]));
        Answer both = shell.run("verify", "--values");
        assertThat(both.status()).isEqualTo(Exit.DAMAGED);
        assertThat(both.err()).contains("missing or damaged, and 1 block cannot be read: ");
    }

    /** A head that does not fit its log, and a log that does not fit its head (spec rule REP20). */
    @ParameterizedTest
    @CsvSource({
        "heads,",
        "heads,garbage",
        "heads,bafyreigdump5odosqgtxw7bvjh4zc2u5etru6cv4oqec4tzlfljkpzre4e",
        "logs,",
        "logs,torn"
    })
    void headAndLogAreMadeToFit_REP20(String lost, String left) throws IOException {
        String root = shell.root();
        Path file = store.resolve(lost + "/main");
        if (left == null) {
            Files.delete(file);
        } else if (left.equals("torn")) {
            Files.writeString(file, Files.readString(file).replaceFirst("(?s).\n\\z", "!\n"));
        } else {
            Files.writeString(file, left + "\n");
        }
        assertThat(shell.run("ls").refused(Exit.DAMAGED)).contains(file.toString(), "pail reset @{0} -b main");
        Answer reset = shell.run("reset", "@{0}");
        assertThat(reset.line()).isEqualTo(root);
        assertThat(reset.err()).startsWith("warning: ").contains("made to fit");
        shell.run("verify").done();
        shell.put("c", 3);
        assertThat(shell.keys()).containsExactly("a", "b", "c");
        shell.run("gc").done();
    }

    /** Moves all blocks to where they are to be in a test. */
    private void storeIn(String blocks) throws IOException {
        if (blocks.equals("segments")) {
            shell.run("pack").done();
        }
        // Old enough to be moved to the trash.
        try (Stream<Path> files = Files.walk(store.resolve(blocks))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(100))));
            }
        }
    }

    private void putGarbage() throws IOException {
        Block garbage = Block.of(Cid.RAW, "garbage".getBytes(StandardCharsets.UTF_8));
        Path file = file(garbage.cid().toString());
        Files.createDirectories(file.getParent());
        Files.write(file, garbage.bytes());
    }

    private long moved(Answer collected) {
        assertThat(collected.status()).isZero();
        return collected.json().get(0).get("moved").asLong();
    }

    private void assertNothingIsCollected(Path named) throws IOException {
        Map<String, String> before = Snapshot.of(folder);
        for (String arguments : List.of("gc", "gc --dry-run", "gc --retention 0d --grace 1h")) {
            Answer refused = shell.run(arguments.split(" "));
            assertThat(refused.refused(Exit.DAMAGED)).contains(named.toString(), "hint: ", "pail reset @{0} -b ");
        }
        assertThat(shell.run("verify").refused(Exit.DAMAGED)).contains(named.toString());
        assertThat(Snapshot.of(folder)).isEqualTo(before);
    }

    /** The log leads to versions that no head does, so nothing goes until it is whole or given up. */
    @ParameterizedTest
    @CsvSource({"blocks,main", "segments,main", "blocks,side", "segments,side"})
    void aDamagedLineInTheMiddleOfALogStopsCollections_G11(String blocks, String branch) throws IOException {
        shell.run("branch", "side").done();
        shell.run("-b", "side", "put", "c", Shell.cid(3)).done();
        shell.run("-b", "side", "undo", "-q").done();
        shell.run("-b", "side", "put", "d", Shell.cid(4)).done();
        shell.run("branch", "-d", "side").done();
        putGarbage();
        storeIn(blocks);
        Path log = store.resolve("logs/" + branch);
        byte[] whole = Files.readAllBytes(log);
        byte[] damaged = whole.clone();
        damaged[20] ^= 1;
        Files.write(log, damaged);
        assertNothingIsCollected(log);
        assertThat(shell.run("gc").refused(Exit.DAMAGED)).contains("line 1 is damaged");

        Files.write(log, whole);
        assertThat(moved(shell.run("gc", "--dry-run", "--json"))).as("garbage").isEqualTo(1);
        Files.write(log, damaged);
        String root = shell.root();
        Files.move(log, folder.resolve("damaged.log"));
        if (branch.equals("main")) {
            shell.run("reset", "@{0}", "-b", "main");
        }
        assertThat(shell.root()).isEqualTo(root);
        assertThat(moved(shell.run("gc", "--json"))).isEqualTo(branch.equals("main") ? 1 : GIVEN_UP);
        shell.run("verify", "--all").done();
        assertThat(shell.keys()).containsExactly("a", "b");
    }

    @ParameterizedTest
    @CsvSource({"blocks", "segments"})
    void aLostLogStopsCollections_G11(String blocks) throws IOException {
        putGarbage();
        storeIn(blocks);
        Files.delete(store.resolve("logs/main"));
        assertNothingIsCollected(store.resolve("logs/main"));
        shell.run("reset", "@{0}", "-b", "main");
        assertThat(moved(shell.run("gc", "--json"))).isEqualTo(1);
        shell.run("verify", "--all").done();
        assertThat(shell.keys()).containsExactly("a", "b");
    }

    /** The collection reports it and continues: it keeps all else that the log reaches, and removes garbage. */
    @ParameterizedTest
    @CsvSource({"blocks", "segments"})
    void aLostShardOfAVersionThatOnlyTheLogLeadsTo_G11(String blocks) throws IOException {
        String lost = shell.root();
        shell.run("undo", "-q").done();
        shell.put("c", 3);
        Files.delete(file(lost));
        putGarbage();
        storeIn(blocks);
        Answer collected = shell.run("gc", "--json");
        assertThat(moved(collected)).isEqualTo(1);
        assertThat(Answer.parse(collected.err()).get("warning").asText()).contains("a log leads to what is lost", lost);
        shell.run("verify").done();
        Answer verified = shell.run("verify", "--all");
        verified.failed(Exit.DAMAGED);
        assertThat(verified.lines()).hasSize(2).first().asString().startsWith("missing\t" + lost + "\tshard\t");
        assertThat(shell.keys()).containsExactly("a", "c");
    }
}
