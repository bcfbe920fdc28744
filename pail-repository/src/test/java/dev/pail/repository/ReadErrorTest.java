package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.MissingBlockException;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.Verification;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.Fault;
import dev.pail.testkit.disk.FaultyDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A disk that cannot read is a failure with the name of the file. It says nothing of the block, so no block is called damaged. */
class ReadErrorTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final Disk disk = new CrashDisk();

    /** From one call on, each read of a check fails. */
    @ParameterizedTest
    @EnumSource
    void aCheckFailsAndCallsNothingDamaged(BlockStorage storage) {
        Cid root;
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage)) {
            for (String key : List.of("a", "b", "c")) {
                repository.update("main", pail -> pail.put(key, VALUE));
            }
            root = repository.root("main");
        }
        int failures = 0;
        for (long failing = 1 + callsToOpen(); ; failing++) {
            FaultyDisk faulty = new FaultyDisk(disk, Fault.READ, failing, true);
            try (Repository repository = FileRepository.open(faulty, FOLDER, Duration.ZERO)) {
                Verification found = Verification.of(repository.blocks(), List.of(root));
                assertThat(found.problems()).isEmpty();
                List<PailException> told = new ArrayList<>();
                VerifyReport report = repository.verify(VerifyOptions.DEFAULT
                        .withAllVersions()
                        .withValues()
                        .withProblems(problem -> told.add(problem.cause())));
                // The value was never stored.
                told.removeIf(MissingBlockException.class::isInstance);
                assertThat(report.damaged()).isEqualTo(1);
                if (faulty.failed().isEmpty()) {
                    assertThat(told).isEmpty();
                    break;
                }
                failures++;
                assertThat(told).isNotEmpty().allSatisfy(e -> checkFailure(e, faulty));
            } catch (StoreIOException e) {
                failures++;
                checkFailure(e, faulty);
            }
        }
        assertThat(failures).isGreaterThan(5);
    }

    private long callsToOpen() {
        FaultyDisk counting = new FaultyDisk(disk, Fault.READ, 0, true);
        FileRepository.open(counting, FOLDER, Duration.ZERO).close();
        return counting.calls();
    }

    private static void checkFailure(PailException e, FaultyDisk faulty) {
        assertThat(e).isInstanceOf(StoreIOException.class).hasMessageContaining("Input/output error");
        // What cannot be listed is named by its folder.
        assertThat(faulty.allFailed())
                .anySatisfy(failed -> assertThat(e)
                        .hasMessageContaining((failed.call() == Fault.Call.READ
                                        ? failed.file()
                                        : failed.file().getParent())
                                .toString()));
    }
}
