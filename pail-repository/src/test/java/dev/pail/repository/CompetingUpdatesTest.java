package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Entry;
import dev.pail.ShardFormat;
import dev.pail.blockstore.JavaProcess;
import dev.pail.clock.MerkleClock;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.LogEntry;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads with a repository of their own, threads that share one, and processes compete for a head. */
class CompetingUpdatesTest {
    private static final int THREADS = 4;
    private static final int PROCESSES = 2;
    private static final int EACH = Randomness.times(80, 20_000);

    @TempDir(factory = MemoryTempDir.class)
    Path temporary;

    @ParameterizedTest
    @EnumSource
    void noUpdateIsLost(BlockStorage storage) throws Exception {
        Path folder = temporary.resolve("r");
        FileRepository.init(folder, ShardFormat.v1(), storage).close();
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(start(folder, "process " + i, EACH));
        }
        compete(() -> CompetingWriter.open(folder));
        for (Process process : processes) {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
        }
        try (Repository repository = FileRepository.open(folder)) {
            check(repository, THREADS + PROCESSES);
        }
    }

    @Test
    void noUpdateIsLostInMemory() throws Exception {
        noUpdateIsLost(SharedMemory.exclusive()::open);
    }

    /** Without a lock, the compare-and-set of the refs has to do. */
    @Test
    void noUpdateIsLostWithoutALock() throws Exception {
        noUpdateIsLost(SharedMemory.competing()::open);
    }

    /** The files are old enough that the reader does not read them again while they are the same. */
    @Test
    void readerSeesEachMoveOfAnotherProcess() throws Exception {
        Path folder = temporary.resolve("r");
        FileRepository.init(folder, ShardFormat.v1()).close();
        FileTime old = FileTime.from(Instant.now().minusSeconds(60));
        try (Repository reader = FileRepository.open(folder)) {
            for (int i = 0; i < 3; i++) {
                for (String each : List.of("heads", "logs")) {
                    Files.setLastModifiedTime(folder.resolve(each).resolve("main"), old);
                }
                assertThat(reader.snapshot(Repository.MAIN).generation()).isEqualTo(i);
                assertThat(start(folder, "process " + i, 1).waitFor()).isZero();
                assertThat(reader.snapshot(Repository.MAIN).generation()).isEqualTo(i + 1);
                assertThat(reader.pail().get("process " + i + "/0")).isPresent();
            }
        }
    }

    /** Threads compete for a head. Half of them open the repository for themselves. */
    static void noUpdateIsLost(Supplier<Repository> open) throws Exception {
        compete(open);
        try (Repository repository = open.get()) {
            check(repository, THREADS);
        }
    }

    private static void compete(Supplier<Repository> open) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Repository shared = open.get()) {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String name = "thread " + i;
                boolean own = i % 2 == 0;
                writers.add(threads.submit(() -> {
                    try (Repository repository = own ? open.get() : null) {
                        CompetingWriter.put(repository == null ? shared : repository, name, EACH);
                    }
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void check(Repository repository, int writers) {
        int all = writers * EACH;
        try (Stream<LogEntry> log = repository.history().log(Repository.MAIN)) {
            Set<String> keys = new HashSet<>();
            repository.pail().entries().map(Entry::key).forEach(keys::add);
            Set<String> reasons = new HashSet<>();
            log.map(LogEntry::reason).forEach(reasons::add);
            long generation = repository.snapshot(Repository.MAIN).generation();
            int events = MerkleClock.open(repository.blocks())
                    .history(repository.snapshot(Repository.MAIN).head())
                    .size();
            assertThat(keys).hasSize(all).isEqualTo(reasons);
            assertThat(generation).isEqualTo(all);
            assertThat(events).isEqualTo(all);
        }
    }

    /** Starts a program that puts {@code count} keys of its own. */
    static Process start(Path folder, String name, int count) throws Exception {
        return JavaProcess.of(List.of(), CompetingWriter.class, folder, name, count)
                .start();
    }
}
