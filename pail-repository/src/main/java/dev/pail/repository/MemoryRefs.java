package dev.pail.repository;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.repository.spi.RefRecords;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Refs in memory, for tests and for repositories that need not outlive the process. An update holds a lock, so writers exclude each
 * other. Safe for use by several threads.
 *
 * <pre>{@code
 * Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
 * Repository inMemory = Repository.open(new MemoryRefs(clock), new MemoryBlocks(clock), ShardFormat.v1());
 * Instant time = inMemory.refs().now(); // 1970-01-01T00:00:00Z, as log entries have it
 * }</pre>
 */
public final class MemoryRefs extends RecordRefs {
    /** Refs with one branch without events, {@link Repository#MAIN}. */
    public MemoryRefs() {
        this(Clock.systemUTC());
    }

    /** As {@link #MemoryRefs()}, with a clock for log entries. */
    public MemoryRefs(Clock clock) {
        // The lock is fair, because a collector takes it again and again.
        super(new Records(), "memory", clock, new ReentrantLock(true));
    }

    /** The records, in maps. */
    static final class Records implements RefRecords {
        @GuardedBy("this")
        private final TreeMap<String, TreeMap<Long, byte[]>> all = new TreeMap<>();

        private final String id = UUID.randomUUID().toString();

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
        public Optional<String> repositoryId() {
            return Optional.of(id);
        }

        @Override
        public synchronized List<String> names(String prefix) {
            return all.tailMap(prefix).keySet().stream()
                    .takeWhile(name -> name.startsWith(prefix))
                    .toList();
        }
    }
}
