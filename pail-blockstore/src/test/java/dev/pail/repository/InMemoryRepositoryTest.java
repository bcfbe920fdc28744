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
