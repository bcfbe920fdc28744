package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.HeadMovedException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Updated;
import dev.pail.testkit.HandClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repository over stores in memory, whose refs have no lock: the same histories as in a folder. */
class InMemoryRepositoryTest {
    private static final int THREADS = 4;

    @TempDir
    Path folder;

    private static Cid value(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number, (byte) (number >> 8)})
                .cid();
    }

    private static List<Head> history(Repository repository) {
        repository.update("main", pail -> pail.put("a", value(1)).put("b", value(2)));
        repository.branches().create("side", repository.snapshot("main").head());
        repository.update("side", pail -> pail.put("c", value(3)).delete("a"));
        repository.update("main", pail -> pail.put("a", value(4)));
        repository.change("main", "merge", replica -> replica.merge(repository.head("side")));
        repository.tags().create("one", repository.head("side"));
        repository.undo(repository.snapshot("main"), 1);
        repository.redo(repository.snapshot("main"), 1);
        repository.revert("side", repository.head("side").events().get(0), dev.pail.MergePolicy.fail());
        repository.branches().switchTo("side");
        return List.of(
                repository.head("main"),
                repository.head("side"),
                repository.tags().head("one").orElseThrow());
    }

    /** The function is called again after a lost race. The result has the version that its last call changed. */
    @Test
    void anUpdateTellsWhatItChanged() {
        try (Repository repository = FileRepository.init(folder.resolve("r"), ShardFormat.v1())) {
            List<Cid> seen = new ArrayList<>();
            Updated updated = repository.update("main", before -> {
                if (seen.isEmpty()) {
                    repository.update("main", pail -> pail.put("other", value(1)));
                }
                seen.add(before.root());
                return before.put("own", value(2));
            });
            assertThat(seen).hasSize(2).last().isEqualTo(updated.before().root());
            assertThat(updated.before().generation()).isEqualTo(1);
            assertThat(updated.before().pail().entries()).extracting(Entry::key).containsExactly("other");
            assertThat(updated.isChanged()).isTrue();
            Snapshot now = updated.after();
            assertThat(now).isEqualTo(repository.snapshot("main"));
            assertThat(now.generation()).isEqualTo(2);
            assertThat(now.pail().entries()).extracting(Entry::key).containsExactly("other", "own");
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> repository.update("main", before -> {
                        throw new IllegalArgumentException("refused");
                    }))
                    .withMessage("refused");
            assertThat(repository.snapshot("main")).isEqualTo(now);
            Updated nothing = repository.update("main", pail -> pail.delete("none"));
            assertThat(nothing.isChanged()).isFalse();
            assertThat(nothing.before()).isEqualTo(nothing.after()).isEqualTo(now);
            assertThat(repository.history().log("main").findFirst())
                    .hasValueSatisfying(entry -> assertThat(entry.reason()).isEqualTo("put \"own\""));
        }
    }

    /** An update from a version that was seen is made from no other. */
    @Test
    void anUpdateFromASnapshotIsRefusedIfTheBranchHasMoved() {
        try (Repository repository = FileRepository.init(folder.resolve("r"), ShardFormat.v1())) {
            Snapshot seen = repository.snapshot("main");
            Snapshot now = repository
                    .update(seen, "one", pail -> pail.put("a", value(1)))
                    .after();
            assertThat(now).isEqualTo(repository.snapshot("main"));
            AtomicInteger calls = new AtomicInteger();
            assertThatExceptionOfType(HeadMovedException.class)
                    .isThrownBy(() -> repository.update(seen, pail -> {
                        calls.incrementAndGet();
                        return pail.put("b", value(2));
                    }));
            assertThatExceptionOfType(HeadMovedException.class)
                    .isThrownBy(() -> repository.update(now, pail -> {
                        calls.incrementAndGet();
                        repository.update("main", other -> other.put("c", value(3)));
                        return pail.put("b", value(2));
                    }));
            assertThat(calls).hasValue(1);
            assertThat(repository.pail().entries()).extracting(Entry::key).containsExactly("a", "c");
        }
    }

    @Test
    void aFunctionMakesABranch() {
        try (Repository repository = Repository.inMemory()) {
            Snapshot draft = repository.branches().create("draft", nothing -> nothing.put("a", value(1)));
            assertThat(draft).isEqualTo(repository.snapshot("draft"));
            assertThat(draft.pail().get("a")).contains(value(1));
            Snapshot empty = repository.branches().create("empty", nothing -> nothing);
            assertThat(empty.head()).isEqualTo(Head.empty());
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> repository.branches().create("draft", nothing -> nothing))
                    .matches(e -> e.reason() == RepositoryException.Reason.EXISTS);
            assertThatIllegalStateException()
                    .isThrownBy(() -> repository.branches().create("none", nothing -> {
                        throw new IllegalStateException("refused");
                    }));
            assertThat(repository.branches().contains("none")).isFalse();
        }
    }

    @Test
    void historiesAreThoseOfAFolder() {
        try (Repository inMemory = Repository.inMemory();
                Repository inFolder = FileRepository.init(folder.resolve("r"), ShardFormat.v1())) {
            assertThat(history(inMemory)).isEqualTo(history(inFolder));
            for (String branch : List.of("main", "side")) {
                assertThat(inMemory.root(branch)).isEqualTo(inFolder.root(branch));
                assertThat(inMemory.history().log(branch).map(LogEntry::reason))
                        .isEqualTo(inFolder.history()
                                .log(branch)
                                .map(LogEntry::reason)
                                .toList());
            }
            assertThat(inMemory.branches().names())
                    .isEqualTo(inFolder.branches().names());
            assertThat(inMemory.branches().current()).isEqualTo("side");
            assertThat(inMemory.resolve("main@{1}").pail().root())
                    .isEqualTo(inFolder.resolve("main@{1}").pail().root());
            assertThat(inMemory.pail("main").entries()).extracting(Entry::key).containsExactly("b", "c");
        }
    }

    @Test
    void refusesWhatAFolderRefuses() {
        try (Repository repository = Repository.inMemory()) {
            assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> repository.head("none"));
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> repository.branches().remove("main"));
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> repository.branches().checkFree("MAIN"));
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> repository.tags().remove("none"));
            assertThat(FileRepository.of(repository)).isEmpty();
        }
    }

    @Test
    void updatesThatCompeteAreAllMade() throws Exception {
        int updates = 50;
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try (Repository repository = Repository.inMemory()) {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int thread = t;
                all.add(pool.submit(() -> {
                    for (int i = 0; i < updates; i++) {
                        String key = thread + "/" + i;
                        repository.update("main", pail -> pail.put(key, value(key.hashCode())));
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            assertThat(repository.pail().entries()).hasSize(THREADS * updates);
            assertThat(repository.history().log("main")).hasSize(THREADS * updates);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void collectsWhatNothingNeeds() {
        HandClock clock = new HandClock();
        MemoryBlocks blocks = new MemoryBlocks(clock);
        try (Repository repository = Repository.open(new MemoryRefs(clock), blocks, ShardFormat.v1())) {
            Pail lost = repository
                    .update("main", pail -> pail.put("lost", value(1)))
                    .pail();
            repository.undo(repository.snapshot("main"), 1);
            repository.update("main", pail -> pail.put("kept", value(2)));
            clock.pass(Duration.ofDays(200));
            repository.update("main", pail -> pail.put("later", value(3)));
            GarbageCollection gc = repository.maintenance().garbageCollection();

            assertThat(gc.run().moved().blocks()).isPositive();
            assertThat(repository.pail().entries()).hasSize(2);
            clock.pass(Duration.ofDays(200));
            repository.update("main", pail -> pail.put("last", value(4)));
            assertThat(gc.run().deleted().blocks()).isPositive();
            assertThat(blocks.has(lost.root())).isFalse();
            assertThat(repository.pail().entries()).hasSize(3);
            TreeMap<String, Cid> again = new TreeMap<>();
            repository.pail().entries().forEach(entry -> again.put(entry.key(), entry.value()));
            assertThat(again).containsOnlyKeys("kept", "later", "last");
        }
    }

    @Test
    void closesBothStores() {
        MemoryBlocks blocks = new MemoryBlocks();
        Repository.open(new MemoryRefs(), blocks, ShardFormat.v0()).close();
        assertThatIllegalStateException().isThrownBy(() -> blocks.has(value(1)));
    }
}
