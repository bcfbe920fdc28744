package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.car.Completeness;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Collected;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Writers in threads, for a folder also in another process, and a reader, during collections. Some collections have no retention and no
 * grace period, and remove unreachable blocks at once; others have an hour of each. No acknowledged change is lost, and no head
 * reaches a missing block.
 */
class GarbageStormTest {
    private static final int WRITERS = 3;
    private static final int EACH = Randomness.times(120, 10_000);

    /** A storm must take more blocks. */
    private static final int ENOUGH = 100;

    private final AtomicLong collections = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong changes = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();

    /** What earlier storms have taken. */
    private volatile long takenBefore;

    @TempDir(factory = MemoryTempDir.class)
    Path temporary;

    @ParameterizedTest
    @EnumSource
    void nothingAcknowledgedIsLost(BlockStorage storage) throws Exception {
        long seed = Randomness.seed("GarbageStormTest");
        Path folder = temporary.resolve("r");
        FileRepository.init(folder, ShardFormat.v1(), storage).close();
        Process process = CompetingUpdatesTest.start(folder, "process", EACH);
        Set<String> keys = IntStream.range(0, EACH)
                .mapToObj(i -> CompetingWriter.key("process", i))
                .collect(Collectors.toSet());
        // A segment that is written to all the time is never old.
        Duration none = storage == BlockStorage.FILES ? Duration.ZERO : Duration.ofHours(-1);
        try {
            storm(() -> CompetingWriter.open(folder), none, seed, keys, () -> {
                String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(process.waitFor()).as(said).isZero();
                return said;
            });
        } finally {
            process.destroy();
        }
    }

    @Test
    void nothingAcknowledgedIsLostInMemory_G19() throws Exception {
        long seed = Randomness.seed("GarbageStormTest");
        int storms = Randomness.times(2, 500);
        for (long each = seed; each < seed + storms; each++) {
            try {
                storm(SharedMemory.exclusive()::open, Duration.ZERO, each, Set.of(), () -> "no process");
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + each, e);
            }
        }
    }

    /**
     * @param open opens the repository once more
     * @param none the grace period of most collections
     * @param keys what another process puts meanwhile
     * @param process waits for that process
     */
    void storm(Supplier<Repository> open, Duration none, long seed, Set<String> keys, Callable<?> process)
            throws Exception {
        takenBefore = taken.get();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 2);
        AtomicBoolean over = new AtomicBoolean();
        List<Future<Map<String, Cid>>> writers = new ArrayList<>();
        List<Future<?>> others = new ArrayList<>();
        try (Repository shared = open.get()) {
            for (int i = 0; i < WRITERS; i++) {
                int number = i;
                writers.add(threads.submit(() -> {
                    if (number == 0) {
                        return write(shared, number, Randomness.random(seed + number));
                    }
                    try (Repository own = open.get()) {
                        return write(own, number, Randomness.random(seed + number));
                    }
                }));
            }
            others.add(threads.submit(until(over, () -> collect(open, none))));
            others.add(threads.submit(until(over, () -> read(shared))));
            List<Map<String, Cid>> expected = new ArrayList<>();
            try {
                for (Future<Map<String, Cid>> writer : writers) {
                    expected.add(writer.get());
                }
                process.call();
            } finally {
                over.set(true);
            }
            for (Future<?> other : others) {
                other.get();
            }
            check(open, expected, keys);
        } finally {
            threads.shutdownNow();
        }
        assertThat(isEnoughTaken())
                .as("whether more than %d blocks were taken, of %d", ENOUGH, taken.get() - takenBefore)
                .isTrue();
        assertThat(reads.get()).isPositive();
        assertThat(collections.get()).isPositive();
        assertThat(changes.get()).isGreaterThan(refused.get());
    }

    private boolean isEnoughTaken() {
        return taken.get() - takenBefore > ENOUGH;
    }

    private static Callable<Object> until(AtomicBoolean over, Callable<?> action) {
        return () -> {
            while (!over.get()) {
                action.call();
            }
            return true;
        };
    }

    private Object collect(Supplier<Repository> open, Duration none) {
        try (Repository repository = open.get()) {
            GarbageCollection collection = repository.maintenance().garbageCollection();
            Collected done = (collections.get() % 4 == 3
                            ? collection.withGrace(GarbageCollection.LEAST_GRACE)
                            : collection.withRetention(Duration.ZERO).withAnyGrace(none))
                    .run();
            collections.incrementAndGet();
            taken.addAndGet(done.moved().blocks() + done.deleted().blocks());
            return done;
        }
    }

    /** The history of main is never abandoned: it can be read whenever it is looked at. */
    private Object read(Repository repository) {
        Snapshot snapshot = repository.snapshot(Repository.MAIN);
        assertThat(Verification.of(repository.blocks(), snapshot.root()).problems())
                .isEmpty();
        reads.incrementAndGet();
        return snapshot;
    }

    /** Changes its own branch forwards and backwards, and its own keys in the shared branch; returns the last acknowledged values. */
    private Map<String, Cid> write(Repository repository, int number, Random random) {
        String branch = "own" + number;
        repository
                .branches()
                .create(branch, repository.snapshot(Repository.MAIN).head());
        List<Snapshot> held = new ArrayList<>();
        Map<String, Cid> expected = Listing.entries(repository.pail(branch));
        // The first changes may be through before the first collection takes anything.
        for (int i = 0; i < EACH || (!isEnoughTaken() && i < 100 * EACH); i++) {
            String key = "k" + random.nextInt(30);
            Cid value =
                    Block.of(Cid.RAW, key.getBytes(StandardCharsets.US_ASCII)).cid();
            try {
                Pail after;
                switch (held.isEmpty() ? 0 : random.nextInt(6)) {
                    case 1 ->
                        after = repository
                                .move(
                                        repository.snapshot(branch),
                                        any(held, random).head(),
                                        "back")
                                .pail();
                    case 2 -> {
                        Pail old = any(held, random).pail();
                        after = repository.replace(branch, "back", pail -> old).pail();
                    }
                    case 3 -> {
                        Pail old = any(held, random).pail();
                        after = repository
                                .replace(branch, "back", pail -> old.put(key, value))
                                .pail();
                    }
                    default ->
                        after = repository
                                .update(branch, pail -> random.nextBoolean() ? pail.delete(key) : pail.put(key, value))
                                .pail();
                }
                expected = Listing.entries(after);
                held.add(repository.snapshot(branch));
            } catch (MissingBlockException | RepositoryException e) {
                if (e instanceof RepositoryException other) {
                    assertThat(other).hasCauseInstanceOf(MissingBlockException.class);
                }
                // What nothing reaches may be gone. Then nothing has changed.
                refused.incrementAndGet();
            }
            changes.incrementAndGet();
            assertThat(Listing.entries(Pail.open(repository.blocks(), repository.root(branch))))
                    .isEqualTo(expected);
            if (i % 4 == 0 && i < EACH) {
                CompetingWriter.put(repository, branch + "/" + i, 1);
            }
        }
        return expected;
    }

    private static Snapshot any(List<Snapshot> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }

    private static void check(Supplier<Repository> open, List<Map<String, Cid>> expected, Set<String> others) {
        try (Repository repository = open.get()) {
            for (String branch : repository.branches().names()) {
                Completeness.require(
                        repository.blocks(), repository.snapshot(branch).head().events());
            }
            Set<String> keys = new TreeSet<>(others);
            for (int number = 0; number < WRITERS; number++) {
                assertThat(Listing.entries(repository.pail("own" + number))).isEqualTo(expected.get(number));
                for (int i = 0; i < EACH; i += 4) {
                    keys.add(CompetingWriter.key("own" + number + "/" + i, 0));
                }
            }
            assertThat(Listing.entries(repository.pail()).keySet()).isEqualTo(keys);
        }
    }
}
