package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.car.Randomness;
import dev.pail.disk.CrashDisk;
import dev.pail.disk.Disk;
import dev.pail.disk.FaultyDisk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * RELIABILITY T7: every call of the disk fails once, and from then on. Each branch is in an acknowledged state or the next,
 * complete, also if the power is lost then; and in the acknowledged one, where the error says so.
 */
class RepositoryFaultsTest {
    private static final int CHANGES = 8;
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    @Test
    void everyCallFails() {
        long seed = Randomness.seed("RepositoryFaultsTest");
        long failures = 0;
        long uncertain = 0;
        for (long workload = seed; workload < seed + Randomness.times(2, 100); workload++) {
            for (FaultyDisk.When when : FaultyDisk.When.values()) {
                for (boolean forever : new boolean[] {false, true}) {
                    long failing = 0;
                    boolean reached = true;
                    while (reached) {
                        failing++;
                        Failed failed = fail(workload, failing, forever, when);
                        reached = failed.reached;
                        failures += reached ? 1 : 0;
                        uncertain += failed.error.orElse(null) instanceof HeadUpdateUncertainException ? 1 : 0;
                    }
                }
            }
        }
        System.out.println(
                "RepositoryFaultsTest: " + failures + " failures, " + uncertain + " with an unknown outcome");
        assertThat(failures).isGreaterThan(2000);
        assertThat(uncertain).isGreaterThan(20);
    }

    private record Failed(boolean reached, Optional<PailException> error) {}

    private static Failed fail(long seed, long failing, boolean forever, FaultyDisk.When when) {
        AtomicReference<FaultyDisk> faulty = new AtomicReference<>();
        CrashWorkload workload = new CrashWorkload(seed, disk -> {
            faulty.set(new FaultyDisk(disk, failing, forever, when));
            return faulty.get();
        });
        try {
            Optional<PailException> error = workload.fail(CHANGES);
            return new Failed(faulty.get().calls() >= failing, error);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("workload " + seed + ", call " + failing + ", " + when + ", " + forever, e);
        }
    }

    /** Nobody knows what a disk that has failed to sync has kept: so nothing is built on it. */
    @Test
    void afterAFailedWriteNothingIsWrittenUntilItIsOpenedAgain() {
        int refused = 0;
        for (FaultyDisk.When when : FaultyDisk.When.values()) {
            for (int failing = 1; failing < 60; failing++) {
                CrashDisk disk = new CrashDisk();
                Repository.init(disk, FOLDER, ShardFormat.v1()).close();
                FaultyDisk faulty = new FaultyDisk(disk, failing, false, when);
                refused += refuses(disk, faulty) ? 1 : 0;
                try (Repository repository = Repository.open(disk, FOLDER, Duration.ZERO)) {
                    repository.update("main", pail -> pail.put("later", VALUE));
                    assertThat(repository.pail().get("later")).isPresent();
                }
            }
        }
        assertThat(refused).isGreaterThan(20);
    }

    private static boolean refuses(CrashDisk disk, Disk faulty) {
        try (Repository repository = Repository.open(faulty, FOLDER, Duration.ZERO)) {
            try {
                repository.update("main", pail -> pail.put("a", VALUE));
                return false;
            } catch (PailException e) {
                long calls = disk.calls();
                try {
                    repository.update("main", pail -> pail.put("b", VALUE));
                    assertThat(e.getMessage()).matches("cannot (read|look|take).*");
                    return false;
                } catch (StoreIOException refused) {
                    assertThat(refused).hasMessageContaining("after a failure");
                    assertThat(disk.calls()).as("changes of the disk").isEqualTo(calls);
                }
                assertThatExceptionOfType(StoreIOException.class)
                        .isThrownBy(() -> repository.createBranch(
                                "other", repository.snapshot("main").head()))
                        .withMessageContaining("after a failure");
                assertThat(repository.pail().get("b")).isEmpty();
                return true;
            }
        } catch (PailException e) {
            assertThat(e).hasMessageContaining("injected");
            return false;
        }
    }
}
