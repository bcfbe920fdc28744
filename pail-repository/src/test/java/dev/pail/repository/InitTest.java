package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.ShardFormat;
import dev.pail.StoreLockedException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.files.InitOptions;
import dev.pail.repository.model.RepositoryException;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Repositories that are made twice at once, or whose maker does not come to an end. */
class InitTest {
    private static final Path AROUND = Path.of("/w");
    private static final Path FOLDER = Path.of("/w/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private static final String CODEC = "delimited:!";

    private final CrashDisk disk = new CrashDisk();

    /** A process that is killed. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /** A disk that lets another come in between, once, before this call. */
    private static Disk with(Disk disk, String call, String file, Runnable other) {
        AtomicBoolean first = new AtomicBoolean(true);
        return HookedDisk.telling(disk, (name, path) -> {
            if (name.equals(call) && path.endsWith(file) && first.getAndSet(false)) {
                other.run();
            }
        });
    }

    private void other() {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            repository.update("main", pail -> pail.put("key", VALUE));
        }
    }

    private void assertOther() {
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            assertThat(repository.format()).isEqualTo(ShardFormat.v1());
            assertThat(repository.pail().get("key")).contains(VALUE);
            assertThat(repository.history().log("main")).hasSize(1);
        }
    }

    @Test
    void whoComesSecondFindsARepository() throws IOException {
        disk.createDirectory(AROUND);
        Disk shared = with(disk, "tryLock", "LOCK", this::other);
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> FileRepository.init(shared, FOLDER, ShardFormat.v0(), BlockStorage.FILES))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.EXISTS));
        assertOther();
    }

    @Test
    void whoComesBetweenWaits() throws IOException {
        disk.createDirectory(AROUND);
        Disk shared = with(
                disk,
                "append",
                "logs/main",
                () -> assertThatExceptionOfType(StoreLockedException.class).isThrownBy(this::other));
        FileRepository.init(shared, FOLDER, ShardFormat.v0(), BlockStorage.FILES)
                .close();
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            assertThat(repository.format()).isEqualTo(ShardFormat.v0());
        }
    }

    private static Optional<String> codec(Repository repository) {
        return FileRepository.of(repository).orElseThrow().namespaceCodec();
    }

    @Test
    void aCodecWithoutANameMakesNoRepository_N14() throws IOException {
        disk.createDirectory(AROUND);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InitOptions.of(ShardFormat.v1()).withNamespaceCodec("hex"));
        assertThat(disk.status(FOLDER)).isEmpty();
    }

    /** Kills the process that makes a repository before each write. Another process continues, and then the power is lost. */
    @ParameterizedTest
    @EnumSource
    void whatAnotherPutsAfterAKillSurvives_REP3(BlockStorage storage) throws IOException {
        long acknowledged = 0;
        for (long kill = 1; ; kill++) {
            CrashDisk crashing = new CrashDisk();
            crashing.createDirectory(AROUND);
            crashing.syncDirectory(Path.of("/"));
            AtomicLong left = new AtomicLong(kill);
            crashing.onChange(() -> {
                if (left.decrementAndGet() <= 0) {
                    throw new Killed();
                }
            });
            boolean killed = false;
            try {
                FileRepository.init(
                                crashing,
                                FOLDER,
                                InitOptions.of(ShardFormat.v1())
                                        .withStorage(storage)
                                        .withNamespaceCodec(CODEC))
                        .close();
            } catch (Killed e) {
                killed = true;
            }
            crashing.onChange(() -> {});
            if (!killed) {
                break;
            }
            try (Repository repository = FileRepository.open(crashing, FOLDER, Duration.ZERO)) {
                assertThat(codec(repository)).as("killed before write " + kill).contains(CODEC);
                repository.update("main", pail -> pail.put("key", VALUE));
            } catch (RepositoryException e) {
                assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NO_REPOSITORY);
                assertThat(acknowledged)
                        .as("there was one when it was killed earlier than before write " + kill)
                        .isZero();
                continue;
            }
            acknowledged++;
            CrashDisk found = crashing.afterLoss(CrashDisk.Loss.ALL, new Random(kill));
            try (Repository repository = FileRepository.open(found, FOLDER, Duration.ZERO)) {
                assertThat(codec(repository)).contains(CODEC);
                assertThat(repository.pail().get("key"))
                        .as("killed before write " + kill)
                        .contains(VALUE);
            }
        }
        assertThat(acknowledged).isPositive();
    }
}
