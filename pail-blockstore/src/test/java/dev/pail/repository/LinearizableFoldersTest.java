package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileStorage;
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
            FileStorage.init(disk, FOLDER, ShardFormat.v1(), storage).close();
        }

        @Override
        public MapClient open(ProcessFaults faults) {
            Set<Disk.Lock> locks = ConcurrentHashMap.newKeySet();
            faults.atDeath(() -> locks.forEach(Disk.Lock::close));
            Disk process = HookedDisk.of(disk, (call, file, made) -> {
                mayLoseThePower();
                // The system writes the files of a process that has ended, and a lock is never taken and lost.
                return switch (call) {
                    case "close", "now", "holder" -> made.make();
                    case "pause" -> {
                        Thread.yield();
                        faults.check();
                        yield made.make();
                    }
                    default ->
                        faults.call(
                                () -> {
                                    Object answer = made.make();
                                    if (answer instanceof Optional<?> found
                                            && found.orElse(null) instanceof Disk.Lock lock) {
                                        locks.add(lock);
                                    }
                                    return answer;
                                },
                                () -> new IOException("injected: input/output error"));
                };
            });
            return MapClient.of(FileStorage.open(process, FOLDER, PATIENCE));
        }

        /** What this process was told before the loss is durable, or it was told an untruth. */
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
