package dev.pail.repository.files;

import dev.pail.disk.Disk;
import dev.pail.repository.RepositoryBlocks;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import dev.pail.testkit.repository.RepositoryBlocksContract;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

class BlocksInSegmentsTest extends RepositoryBlocksContract {
    private final CrashDisk alone = new CrashDisk();

    /** For several threads. */
    private final Disk disk = HookedDisk.of(alone, (call, file, made) -> {
        synchronized (alone) {
            return made.make();
        }
    });

    @Override
    protected RepositoryBlocks newStore() throws IOException {
        Path folder = Path.of("/r");
        disk.createFolder(folder);
        return new FileBlocks(new RepositoryFolder(disk, folder), BlockStorage.SEGMENTS, Duration.ZERO);
    }

    @Override
    protected void pass(Duration time) {
        disk.pause(time.toMillis());
    }

    @Test
    @Disabled("reading does not bring back what is condemned in segments (G16)")
    @Override
    public void s2_s5_randomStepsDeleteNothingTooEarly() {}
}
