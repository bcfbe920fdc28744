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
import dev.pail.repository.files.FileStorage;
import dev.pail.testkit.HandClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
        repository.createBranch("side", repository.snapshot("main").head());
        repository.update("side", pail -> pail.put("c", value(3)).delete("a"));
        repository.update("main", pail -> pail.put("a", value(4)));
        repository.change("main", "merge", replica -> replica.merge(repository.head("side")));
        repository.createTag("one", repository.head("side"));
        repository.undo(repository.snapshot("main"), 1);
        repository.redo(repository.snapshot("main"), 1);
        repository.revert("side", repository.head("side").events().get(0), dev.pail.MergePolicy.fail());
        repository.switchTo("side");
        return List.of(
                repository.head("main"),
                repository.head("side"),
                repository.tag("one").orElseThrow());
    }

    /** A function sees the generation that it changes, also when it is called again after a lost race. */
    @Test
    void aFunctionSeesTheGenerationThatItChanges() {
        try (Repository repository = Repository.init(folder.resolve("r"), ShardFormat.v1())) {
            List<Long> seen = new ArrayList<>();
            Snapshot now = repository.updateSnapshot("main", before -> {
                if (seen.isEmpty()) {
                    repository.update("main", pail -> pail.put("other", value(1)));
                }
                seen.add(before.generation());
                return before.pail().put("own", value(2));
            });
            assertThat(seen).containsExactly(0L, 1L);
            assertThat(now).isEqualTo(repository.snapshot("main"));
            assertThat(now.generation()).isEqualTo(2);
            assertThat(now.pail().entries()).extracting(Entry::key).containsExactly("other", "own");
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> repository.updateSnapshot("main", before -> {
                        throw new IllegalArgumentException("refused");
                    }))
                    .withMessage("refused");
            assertThat(repository.snapshot("main")).isEqualTo(now);
            assertThat(repository.log("main").findFirst())
                    .hasValueSatisfying(entry -> assertThat(entry.reason()).isEqualTo("put \"own\""));
        }
    }

    @Test
    void aFunctionMakesABranch() {
        try (Repository repository = Repository.inMemory()) {
            Snapshot draft =
                    repository.createBranch("draft", nothing -> nothing.pail().put("a", value(1)));
            assertThat(draft).isEqualTo(repository.snapshot("draft"));
            assertThat(draft.pail().get("a")).contains(value(1));
            Snapshot empty = repository.createBranch("empty", Snapshot::pail);
            assertThat(empty.head()).isEqualTo(Head.empty());
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> repository.createBranch("draft", Snapshot::pail))
                    .matches(e -> e.reason() == RepositoryException.Reason.EXISTS);
            assertThatIllegalStateException()
                    .isThrownBy(() -> repository.createBranch("none", nothing -> {
                        throw new IllegalStateException("refused");
                    }));
            assertThat(repository.isBranch("none")).isFalse();
        }
    }

    @Test
    void historiesAreThoseOfAFolder() {
        try (Repository inMemory = Repository.inMemory();
                Repository inFolder = Repository.init(folder.resolve("r"), ShardFormat.v1())) {
            assertThat(history(inMemory)).isEqualTo(history(inFolder));
            for (String branch : List.of("main", "side")) {
                assertThat(inMemory.root(branch)).isEqualTo(inFolder.root(branch));
                assertThat(inMemory.log(branch).map(LogEntry::reason))
                        .isEqualTo(inFolder.log(branch).map(LogEntry::reason).toList());
            }
            assertThat(inMemory.branches()).isEqualTo(inFolder.branches());
            assertThat(inMemory.current()).isEqualTo("side");
            assertThat(inMemory.resolve("main@{1}").pail().root())
                    .isEqualTo(inFolder.resolve("main@{1}").pail().root());
            assertThat(inMemory.pail("main").entries()).extracting(Entry::key).containsExactly("b", "c");
        }
    }

    @Test
    void refusesWhatAFolderRefuses() {
        try (Repository repository = Repository.inMemory()) {
            assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> repository.head("none"));
            assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> repository.removeBranch("main"));
            assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> repository.checkFree("MAIN"));
            assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> repository.removeTag("none"));
            assertThat(FileStorage.of(repository)).isEmpty();
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
            assertThat(repository.log("main")).hasSize(THREADS * updates);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void collectsWhatNothingNeeds() {
        HandClock clock = new HandClock();
        MemoryBlocks blocks = new MemoryBlocks(clock);
        try (Repository repository = Repository.open(new MemoryRefs(clock), blocks, ShardFormat.v1())) {
            Pail lost = repository.update("main", pail -> pail.put("lost", value(1)));
            repository.undo(repository.snapshot("main"), 1);
            repository.update("main", pail -> pail.put("kept", value(2)));
            clock.pass(Duration.ofDays(200));
            repository.update("main", pail -> pail.put("later", value(3)));
            GarbageCollection gc = repository.garbageCollection();

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
