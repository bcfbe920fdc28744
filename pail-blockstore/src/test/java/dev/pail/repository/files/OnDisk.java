package dev.pail.repository.files;

import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.repository.Repository;
import java.nio.file.Path;
import java.time.Duration;

/** Repositories on a disk that a test chooses. */
@SuppressWarnings("exports")
public final class OnDisk {
    private OnDisk() {}

    public static Repository init(Disk disk, Path folder, ShardFormat format) {
        return FileStorage.init(disk, folder, format);
    }

    public static Repository init(Disk disk, Path folder, ShardFormat format, BlockStorage storage) {
        return FileStorage.init(disk, folder, format, storage);
    }

    public static Repository open(Disk disk, Path folder, Duration patience) {
        return FileStorage.open(disk, folder, patience);
    }
}
