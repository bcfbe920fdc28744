package dev.pail.repository.files;

import dev.pail.disk.Disk;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import dev.pail.testkit.repository.RepositoryBlocksContract;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

class BlocksInFilesTest extends RepositoryBlocksContract {
    private final CrashDisk alone = new CrashDisk();

    /** For several threads. */
    private final Disk disk = HookedDisk.of(alone, (call, file, made) -> {
        synchronized (alone) {
            return made.make();
        }
    });

    /** How the store keeps blocks. */
    BlockStorage storage() {
        return BlockStorage.FILES;
    }

    @Override
    protected RepositoryBlocks newStore() throws IOException {
        Path folder = Path.of("/r");
        disk.createDirectory(folder);
        return new FileBlocks(new RepositoryFolder(disk, folder), storage(), true, Duration.ZERO);
    }

    @Override
    protected void pass(Duration time) {
        disk.pause(time.toMillis());
    }
}
