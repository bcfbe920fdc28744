package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import dev.pail.testkit.repository.LinearizabilityContract;
import dev.pail.testkit.repository.MapClient;
import dev.pail.testkit.repository.ProcessFaults;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/** Processes that share a folder of a disk whose calls fail, and that loses its power with all that is not durable. */
class LinearizableFoldersTest {
    @Nested
    class LooseFiles extends LinearizabilityContract {
        @Override
        protected SharedStore newStore(Random random) {
            return new Folder(BlockStorage.FILES, random);
        }
    }

    @Nested
    class Segments extends LinearizabilityContract {
        @Override
        protected SharedStore newStore(Random random) {
            return new Folder(BlockStorage.SEGMENTS, random);
        }
    }

    private static final class Folder implements LinearizabilityContract.SharedStore {
        private static final Path FOLDER = Path.of("/r");
        private static final int CALLS = 40;
        private static final int CALLS_FOR_A_LOSS = 300 * CALLS;

        /** A disk never waits, so its clock says nothing of how long a writer waits for the lock. */
        private static final Duration PATIENCE = Duration.ofDays(1000);

        private final Random random;
        private CrashDisk disk = new CrashDisk();
        private CrashDisk left = disk;
        private volatile boolean isPowerLost;

        Folder(BlockStorage storage, Random random) {
            this.random = random;
            FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage).close();
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // A disk in memory does not wait when a writer pauses.
        public MapClient open(ProcessFaults faults) {
            Set<Disk.Lock> locks = ConcurrentHashMap.newKeySet();
            faults.atDeath(() -> locks.forEach(lock -> release(lock, locks)));
            Disk process = HookedDisk.of(disk, (call, file, made) -> {
                mayLoseThePower();
                return switch (call) {
                    case "open",
                            "read",
                            "size",
                            "status",
                            "list",
                            "create",
                            "append",
                            "write",
                            "writeDurably",
                            "truncate",
                            "setMtime",
                            "sync",
                            "rename",
                            "syncDirectory",
                            "createDirectory",
                            "delete" -> faults.call(made::make, () -> new IOException("injected: input/output error"));
                    case "tryLock" -> locked(made, faults, locks);
                    // The system closes what a killed process has left open.
                    case "close" -> made.make();
                    default -> {
                        Thread.onSpinWait();
                        faults.check();
                        yield made.make();
                    }
                };
            });
            return MapClient.of(FileRepository.open(process, FOLDER, PATIENCE));
        }

        /** The system releases the locks of a process that is killed. An attempt that fails has taken none. */
        private static Optional<Disk.Lock> locked(HookedDisk.Call made, ProcessFaults faults, Set<Disk.Lock> locks)
                throws Throwable {
            AtomicReference<Disk.Lock> taken = new AtomicReference<>();
            try {
                return faults.call(
                        () -> ((Optional<?>) made.make()).map(lock -> {
                            taken.set((Disk.Lock) lock);
                            locks.add(taken.get());
                            return () -> release(taken.get(), locks);
                        }),
                        () -> new IOException("injected: input/output error"));
            } catch (IOException e) {
                release(taken.get(), locks);
                throw e;
            }
        }

        /** Releases a lock once: then it is another's. */
        private static void release(Disk.@Nullable Lock lock, Set<Disk.Lock> locks) {
            if (lock != null && locks.remove(lock)) {
                lock.close();
            }
        }

        /** Other processes continue for a moment: the calls that return after the loss have unknown outcomes. */
        private synchronized void mayLoseThePower() {
            if (!isPowerLost && random.nextInt(CALLS_FOR_A_LOSS) == 0) {
                isPowerLost = true;
                CrashDisk.Loss[] losses = CrashDisk.Loss.values();
                left = disk.afterLoss(losses[random.nextInt(losses.length)], random);
            }
        }

        @Override
        public int callsOfAnOperation() {
            return CALLS;
        }

        @Override
        public boolean isPowerLost() {
            return isPowerLost;
        }

        @Override
        public synchronized void settle() {
            if (isPowerLost) {
                disk = left;
                isPowerLost = false;
            }
        }
    }
}
