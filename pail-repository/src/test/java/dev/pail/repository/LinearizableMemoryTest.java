package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.repository.spi.RefRecords;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.testkit.repository.LinearizabilityContract;
import dev.pail.testkit.repository.MapClient;
import dev.pail.testkit.repository.ProcessFaults;
import java.time.Clock;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/** Processes that share refs and blocks in memory, each with a repository of its own. */
class LinearizableMemoryTest {
    @Nested
    class CompetingWriters extends LinearizabilityContract {
        @Override
        protected SharedStore newStore(Random random) {
            return new Memory(null);
        }
    }

    @Nested
    class WritersWithALock extends LinearizabilityContract {
        @Override
        protected SharedStore newStore(Random random) {
            return new Memory(new ReentrantLock());
        }
    }

    private static final class Memory implements LinearizabilityContract.SharedStore {
        private final RefRecords records = new MemoryRefs.Records();
        private final RepositoryBlocks blocks = new MemoryBlocks();
        private final @Nullable ReentrantLock lock;

        Memory(@Nullable ReentrantLock lock) {
            this.lock = lock;
        }

        @Override
        public MapClient open(ProcessFaults faults) {
            RefStore refs = new RecordRefs(of(faults, RefRecords.class, records), "memory", Clock.systemUTC(), lock);
            return MapClient.of(Repository.open(refs, of(faults, RepositoryBlocks.class, blocks), ShardFormat.v1()));
        }

        @Override
        public int callsOfAnOperation() {
            return 8;
        }

        /** A store whose calls have the faults of a process, but those that make others, and the end. */
        private static <T> T of(ProcessFaults faults, Class<T> type, T store) {
            return HookedRefs.proxy(type, (proxy, method, arguments) -> switch (method.getName()) {
                case "close" -> null;
                case "atOnce", "swept", "erasures", "repositoryId" -> method.invoke(store, arguments);
                default ->
                    faults.call(
                            () -> method.invoke(store, arguments),
                            () -> new StoreIOException(
                                    "cannot call " + method.getName(), "memory", "injected: no answer", null));
            });
        }
    }
}
