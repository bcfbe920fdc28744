package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileStorage;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A repository on a disk that takes no writes. */
class ReadOnlyDiskTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Set<String> WRITES =
            Set.of("tryLock", "create", "append", "truncate", "force", "touch", "rename", "createFolder", "delete");

    /** However blocks are kept, and although there is nothing to take away. */
    @ParameterizedTest
    @EnumSource
    void collectionFailsAndDryRunDoesNot(BlockStorage storage) {
        CrashDisk disk = new CrashDisk();
        FileStorage.init(disk, FOLDER, ShardFormat.v1(), storage).close();
        Cid value = Block.of(Cid.RAW, new byte[] {1}).cid();
        try (Repository repository = FileStorage.open(disk, FOLDER, Duration.ZERO)) {
            repository.update("main", pail -> pail.put("a", value));
        }
        Disk readOnly = HookedDisk.telling(disk, (call, file) -> {
            if (WRITES.contains(call)) {
                throw new IOException("Read-only file system");
            }
        });
        try (Repository repository = FileStorage.open(readOnly, FOLDER, Duration.ZERO)) {
            assertThat(repository.garbageCollection().dryRun().kept().blocks()).isPositive();
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> repository.garbageCollection().run())
                    .withMessageContaining("Read-only file system");
        }
    }
}
