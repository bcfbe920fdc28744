package dev.pail.testkit.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.Repository;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.repository.spi.RefRecords;
import dev.pail.testkit.Randomness;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Faults of stores that competing clients must find, and stores without them. */
class CompetingClientsTest {
    /** How often a store with a fault does wrong. */
    private static final int SELDOM = 50;

    private static final int OPERATIONS = 3_000;

    /** Records in maps, which a test may let fail. */
    private static class Records implements RefRecords {
        final TreeMap<String, TreeMap<Long, byte[]>> all = new TreeMap<>();

        @Override
        public synchronized Optional<Map.Entry<Long, byte[]>> newest(String name) {
            return Optional.ofNullable(all.get(name)).map(TreeMap::lastEntry);
        }

        @Override
        public synchronized Optional<byte[]> read(String name, long number) {
            return Optional.ofNullable(all.get(name)).map(records -> records.get(number));
        }

        @Override
        public synchronized boolean create(String name, long number, byte[] content) {
            return all.computeIfAbsent(name, any -> new TreeMap<>()).putIfAbsent(number, content) == null;
        }

        @Override
        public synchronized List<String> names(String prefix) {
            return all.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
        }
    }

    /** Changes what a client does. */
    private interface Wrong {
        Map<String, Optional<String>> run(MapClient right, Set<String> reads, Map<String, Optional<String>> writes);
    }

    /** Runs clients of a store over records, each with a repository of its own. */
    private static CompetingClients.Report run(RefRecords records, Wrong wrong, boolean hasFaults) throws Exception {
        MemoryBlocks blocks = new MemoryBlocks();
        LinearizabilityContract.SharedStore store = faults -> {
            Repository repository = Repository.open(
                    new RecordRefs(faulty(records, faults, hasFaults), "memory", Clock.systemUTC()),
                    blocks,
                    ShardFormat.v1());
            MapClient right = MapClient.of(repository);
            return new MapClient() {
                @Override
                public Map<String, Optional<String>> run(Set<String> reads, Map<String, Optional<String>> writes) {
                    return wrong.run(right, reads, writes);
                }

                @Override
                public void close() {
                    // The blocks are those of all.
                }
            };
        };
        try (CompetingClients clients = new CompetingClients(store, Randomness.seed("CompetingClientsTest"))) {
            return clients.run(OPERATIONS);
        }
    }

    private static RefRecords faulty(RefRecords records, ProcessFaults faults, boolean hasFaults) {
        if (!hasFaults) {
            return records;
        }
        return new RefRecords() {
            private <T> T call(ProcessFaults.Call<T, RuntimeException> call) {
                return faults.call(call, () -> new StoreIOException("cannot reach", "memory", "injected", null));
            }

            @Override
            public Optional<Map.Entry<Long, byte[]>> newest(String name) {
                return call(() -> records.newest(name));
            }

            @Override
            public Optional<byte[]> read(String name, long number) {
                return call(() -> records.read(name, number));
            }

            @Override
            public boolean create(String name, long number, byte[] content) {
                return call(() -> records.create(name, number, content));
            }

            @Override
            public List<String> names(String prefix) {
                return call(() -> records.names(prefix));
            }
        };
    }

    private static void finds(RefRecords records, Wrong wrong) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> run(records, wrong, true))
                .withMessageStartingWith("not linearizable");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> run(new Records(), wrong, false))
                .withMessageStartingWith("not linearizable");
    }

    private static boolean isNow(AtomicInteger counter) {
        return counter.incrementAndGet() % SELDOM == 0;
    }

    @Test
    void aRightStoreIsRight() throws Exception {
        CompetingClients.Report still = run(new Records(), MapClient::run, false);
        assertThat(still.operations()).isGreaterThanOrEqualTo(OPERATIONS);
        assertThat(still.unknowns() + still.kills() + still.failures()).isZero();
        CompetingClients.Report faulty = run(new Records(), MapClient::run, true);
        assertThat(faulty.unknowns()).isGreaterThan(20);
        assertThat(faulty.kills()).isGreaterThan(10);
        assertThat(faulty.failures()).isGreaterThan(20);
    }

    @Test
    void findsADroppedWrite() {
        AtomicInteger counter = new AtomicInteger();
        finds(new Records(), (right, reads, writes) -> {
            boolean isDropped = !writes.isEmpty() && reads.isEmpty() && isNow(counter);
            return isDropped ? Map.of() : right.run(reads, writes);
        });
    }

    /** A batch in two updates is seen by a read between them, or torn by a kill. */
    @Test
    void findsATornBatch() {
        finds(new Records(), (right, reads, writes) -> {
            if (!reads.isEmpty() || writes.size() < 2) {
                return right.run(reads, writes);
            }
            writes.forEach((key, value) -> right.run(Set.of(), Map.of(key, value)));
            return Map.of();
        });
    }

    /** Reads that have what the read of the same keys before had. */
    @Test
    void findsAStaleRead() {
        AtomicInteger counter = new AtomicInteger();
        Map<Set<String>, Map<String, Optional<String>>> last = new ConcurrentHashMap<>();
        finds(new Records(), (right, reads, writes) -> {
            Map<String, Optional<String>> read = right.run(reads, writes);
            if (!writes.isEmpty()) {
                return read;
            }
            Map<String, Optional<String>> before = last.put(Set.copyOf(reads), read);
            return before != null && isNow(counter) ? before : read;
        });
    }

    /** A swap that reads in one version and writes in another. */
    @Test
    void findsALostUpdate() {
        finds(new Records(), (right, reads, writes) -> {
            if (reads.isEmpty() || writes.isEmpty()) {
                return right.run(reads, writes);
            }
            Map<String, Optional<String>> before = right.run(reads, Map.of());
            Map<String, Optional<String>> unused = right.run(Set.of(), writes);
            return before;
        });
    }

    /** A write whose failure says that nothing changed, though it did. */
    @Test
    void findsAnUntrueRefusal() {
        AtomicInteger counter = new AtomicInteger();
        finds(new Records(), (right, reads, writes) -> {
            Map<String, Optional<String>> read = right.run(reads, writes);
            if (!writes.isEmpty() && isNow(counter)) {
                throw new StoreIOException("cannot write", "memory", "injected", null);
            }
            return read;
        });
    }

    /** A write that comes again later. */
    @Test
    void findsAWriteThatHappensTwice() {
        AtomicInteger counter = new AtomicInteger();
        AtomicReference<Map<String, Optional<String>>> late = new AtomicReference<>(Map.of());
        finds(new Records(), (right, reads, writes) -> {
            if (writes.size() == 1 && isNow(counter)) {
                Map<String, Optional<String>> unused = right.run(Set.of(), late.getAndSet(writes));
            }
            return right.run(reads, writes);
        });
    }

    /** A store that ignores the condition of a creation, so that the last of two writers wins. */
    @Test
    void findsRecordsThatAreOverwritten() {
        Records records = new Records() {
            @Override
            public synchronized boolean create(String name, long number, byte[] content) {
                all.computeIfAbsent(name, any -> new TreeMap<>()).put(number, content);
                return true;
            }
        };
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> run(records, MapClient::run, true))
                .withMessageStartingWith("not linearizable");
    }

    /** A store that now and then shows the record before the newest one, to a reader that has not seen the newest. */
    @Test
    void findsARecordThatIsNotTheNewest() {
        AtomicInteger counter = new AtomicInteger();
        Records records = new Records() {
            @Override
            public synchronized Optional<Map.Entry<Long, byte[]>> newest(String name) {
                TreeMap<Long, byte[]> written = all.getOrDefault(name, new TreeMap<>());
                return written.size() > 1 && isNow(counter)
                        ? Optional.of(written.lowerEntry(written.lastKey()))
                        : super.newest(name);
            }
        };
        // A process that has seen the newest one says that the store went back.
        Throwable found = catchThrowable(() -> run(records, MapClient::run, true));
        assertThat(found).isInstanceOf(AssertionError.class);
        assertThat(found + " " + found.getCause()).containsAnyOf("not linearizable", "the repository went back");
    }

    /** An error that no operation may throw ends the run with that error. */
    @Test
    void anUnexpectedErrorIsAFailure() {
        IllegalStateException error = new IllegalStateException("a mistake");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> run(
                        new Records(),
                        (right, reads, writes) -> {
                            throw error;
                        },
                        true))
                .withCause(error);
    }

    @Test
    void aClientReadsBeforeItWrites() {
        Map<String, Optional<String>> written = new HashMap<>();
        written.put("a", Optional.of("1"));
        written.put("b", Optional.of("2"));
        try (MapClient client = MapClient.of(Repository.inMemory())) {
            assertThat(client.run(Set.of(), written)).isEmpty();
            assertThat(client.run(Set.of("a", "c"), Map.of("a", Optional.empty(), "c", Optional.of("3"))))
                    .isEqualTo(Map.of("a", Optional.of("1"), "c", Optional.empty()));
            assertThat(client.run(Set.of("a", "b", "c"), Map.of()))
                    .isEqualTo(Map.of("a", Optional.empty(), "b", Optional.of("2"), "c", Optional.of("3")));
        }
    }

    /** A killed process does nothing more, and runs what is to be done at its death once. */
    @Test
    void aKilledProcessCallsNothing() {
        AtomicInteger deaths = new AtomicInteger();
        List<String> calls = new ArrayList<>();
        ProcessFaults faults = ProcessFaults.of(new Random(1), 0, 0, new ProcessFaults.Counts(), () -> false);
        faults.atDeath(deaths::incrementAndGet);
        assertThat(faults.<Boolean, RuntimeException>call(() -> calls.add("one"), IllegalStateException::new))
                .isTrue();
        faults.kill();
        faults.kill();
        assertThat(faults.isDead()).isTrue();
        assertThat(deaths).hasValue(1);
        assertThatExceptionOfType(ProcessFaults.Killed.class).isThrownBy(() -> {
            boolean unused = faults.<Boolean, RuntimeException>call(() -> calls.add("two"), IllegalStateException::new);
        });
        assertThatExceptionOfType(ProcessFaults.Killed.class).isThrownBy(faults::next);
        assertThat(calls).containsExactly("one");
    }
}
