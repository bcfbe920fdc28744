package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.Verification;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.spi.RefStore;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Roots of heads of several events (spec rule REP21). An event goes missing to show whether a root was computed or read from its file. */
class DerivedRootsTest {
    @TempDir
    Path around;

    private Path folder;
    private Repository repository;

    /** An event between the common ancestor and the head: only a merge that is computed reads it. */
    private Cid between;

    private static Cid value(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number}).cid();
    }

    @BeforeEach
    void fill() {
        folder = around.resolve("r");
        repository = FileRepository.init(folder, ShardFormat.v1());
        repository.update("main", pail -> {
            Pail next = pail;
            for (int i = 0; i < 200; i++) {
                next = next.put("key" + i, value(i));
            }
            return next;
        });
        repository.branches().create("b", repository.head("main"));
        repository.update("main", pail -> pail.put("key1", value(100)));
        between = repository.head("main").events().get(0);
        repository.update("main", pail -> pail.put("key2", value(101)));
        repository.update("b", pail -> pail.put("key3", value(102)));
    }

    @AfterEach
    void close() {
        repository.close();
    }

    private Head merge() {
        Head theirs = repository.head("b");
        return repository.change("main", "merge", ours -> ours.merge(theirs)).head();
    }

    private void reopen() {
        repository.close();
        repository = FileRepository.open(folder);
    }

    private Path block(Cid cid) {
        String name = cid.multihashName();
        return folder.resolve("blocks")
                .resolve(name.substring(name.length() - 2))
                .resolve(name + ".data");
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("derived"))) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }

    private void assertComputed(Head head) throws IOException {
        reopen();
        byte[] event = Files.readAllBytes(block(between));
        Files.delete(block(between));
        assertThatExceptionOfType(MissingBlockException.class).isThrownBy(() -> repository.pailAt(head));
        Files.write(block(between), event);
        reopen();
    }

    private void assertNoted(Head head, Cid root) throws IOException {
        reopen();
        byte[] event = Files.readAllBytes(block(between));
        Files.delete(block(between));
        assertThat(repository.pailAt(head).root()).isEqualTo(root);
        Files.write(block(between), event);
    }

    @Test
    void mergeIsComputedByTheWriterOnly_REP21() throws IOException {
        Head head = merge();
        assertThat(head.size()).isEqualTo(2);
        Cid root = repository.maintenance().recompute(head).root();
        assertNoted(head, root);
        assertThat(repository.pail("main").root()).isEqualTo(root);
        Files.delete(file());
        assertComputed(head);
    }

    @Test
    void mergeIsComputedByTheFirstReaderOnly_REP21() throws IOException {
        Head head = merge();
        Files.delete(file());
        reopen();
        Cid root = repository.pail("main").root();
        assertNoted(head, root);
    }

    @Test
    void damagedFileIsNotUsed_REP21() throws IOException {
        Head head = merge();
        Cid root = repository.maintenance().recompute(head).root();
        Path file = file();
        byte[] bytes = Files.readAllBytes(file);
        Random random = new Random(Randomness.seed("DerivedRootsTest"));
        for (int i = 0; i < 20; i++) {
            byte[] damaged = bytes.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            assertComputed(head);
            assertThat(repository.pailAt(head).root()).isEqualTo(root);
            assertThat(file).hasBinaryContent(bytes);
        }
        for (String other : List.of("", "\n", "merge 1 0\n", new String(bytes, StandardCharsets.US_ASCII) + "\n")) {
            Files.writeString(file, other);
            assertComputed(head);
        }
        Files.delete(file);
        Files.createDirectory(file);
        assertComputed(head);
        assertThat(repository.pailAt(head).root()).isEqualTo(root);
    }

    @Test
    void fileOfAnotherHeadIsNotUsed_REP21() throws IOException {
        Head head = merge();
        Path file = file();
        byte[] bytes = Files.readAllBytes(file);
        repository.update("main", pail -> pail.put("key4", value(103)));
        repository.update("b", pail -> pail.put("key5", value(104)));
        Head other = merge();
        Cid root = repository.maintenance().recompute(other).root();
        assertThat(repository.maintenance().recompute(head).root()).isNotEqualTo(root);
        try (Stream<Path> files = Files.list(folder.resolve("derived"))) {
            for (Path each : files.toList()) {
                Files.write(each, bytes);
            }
        }
        reopen();
        assertThat(repository.pailAt(other).root()).isEqualTo(root);
    }

    @Test
    void lostBlockOfTheMergeIsMadeAgain_REP21() throws IOException {
        Head head = merge();
        Cid root = repository.maintenance().recompute(head).root();
        List<Path> made = new ArrayList<>();
        for (String line : Files.readAllLines(file())) {
            if (line.startsWith("bafyrei") && !head.toString().contains(line)) {
                made.add(block(Cid.parse(line)));
            }
        }
        assertThat(made).contains(block(root)).hasSizeGreaterThan(1);
        for (Path lost : made) {
            Files.delete(lost);
            reopen();
            assertThat(repository.pailAt(head).root()).isEqualTo(root);
            assertThat(Verification.of(repository.blocks(), root).isSound()).isTrue();
        }
    }

    @Test
    void nothingIsUsedAfterACollection_REP21() throws IOException {
        Head head = merge();
        Files.writeString(folder.resolve("gc"), "2 2026-11-21T06:01:21Z\n");
        assertComputed(head);
        Cid root = repository.pailAt(head).root();
        assertNoted(head, root);
        Files.writeString(folder.resolve("gc"), "3 2026-11-21T06:01:21Z\n");
        assertComputed(head);
        repository.pailAt(head);
        assertComputed(head);
        Files.writeString(folder.resolve("gc"), "?\n");
        assertComputed(head);
    }

    @Test
    void whereNothingCanBeNotedTheMergeIsRead_REP21() throws IOException {
        Files.writeString(folder.resolve("derived"), "a file");
        Head head = merge();
        assertThat(repository.pail("main").get("key3")).contains(value(102));
        assertComputed(head);
        assertThat(repository.pailAt(head).get("key3")).contains(value(102));
    }

    /** What a change that came to nothing has made, is not in the store. */
    @Test
    void mergeOfStagedEventsIsNotNoted_REP21() {
        Head theirs = repository.head("b");
        repository.change("main", "nothing", replica -> {
            ReplicatedPail ours = replica.put("key9", value(99));
            assertThat(ours.merge(theirs).get("key9")).contains(value(99));
            return replica.unchanged();
        });
        assertThat(folder.resolve("derived")).doesNotExist();
    }

    @Test
    void unfinishedFilesAreRemoved_REP1() throws IOException {
        merge();
        Path unfinished = folder.resolve("derived").resolve(".tmp-1");
        Files.writeString(unfinished, "");
        reopen();
        repository.update("main", pail -> pail.put("key7", value(7)));
        assertThat(unfinished).doesNotExist();
    }

    /** Once its branch has moved, a merge has succeeded: a later failed read changes nothing. */
    @Test
    void anEpochThatCannotBeReadAfterTheUpdateFailsNothing() {
        AtomicBoolean moved = new AtomicBoolean();
        RefStore hooked = HookedRefs.of(new MemoryRefs(), () -> moved.set(true));
        RefStore failing = HookedRefs.proxy(RefStore.class, (proxy, method, arguments) -> {
            if (method.getName().equals("epoch") && moved.get()) {
                throw new StoreIOException("cannot read the epoch", "here", "for now", null);
            }
            return method.invoke(hooked, arguments);
        });
        try (Repository memory = Repository.open(failing, new MemoryBlocks(), ShardFormat.v1())) {
            memory.update("main", pail -> pail.put("base", value(1)));
            moved.set(false);
            memory.branches().create("b", memory.head("main"));
            for (String branch : List.of("main", "b")) {
                moved.set(false);
                memory.update(branch, pail -> pail.put("of " + branch, value(2)));
            }
            moved.set(false);
            Head theirs = memory.head("b");
            ReplicatedPail merged = memory.change("main", "merge", ours -> ours.merge(theirs));
            assertThat(moved).isTrue();
            moved.set(false);
            assertThat(memory.head("main")).isEqualTo(merged.head());
            assertThat(merged.head().size()).isEqualTo(2);
        }
    }
}
