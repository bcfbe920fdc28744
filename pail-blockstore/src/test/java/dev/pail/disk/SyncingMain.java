package dev.pail.disk;

import java.io.IOException;
import java.nio.file.Path;

/** Makes something safe in each way that there is, with files that are named after these: for {@link SystemDiskSyncTest}. */
final class SyncingMain {
    private SyncingMain() {}

    /**
     * Does it.
     *
     * @param args the folder, and {@code unsynced} for a disk that forces nothing
     */
    public static void main(String[] args) throws IOException {
        Disk disk = args.length > 1 ? Disk.unsynced() : Disk.system();
        Path folder = Path.of(args[0]);
        byte[] bytes = {1, 2, 3};
        for (String name : new String[] {"untouched", "truncate", "force-path"}) {
            try (Disk.WritableFile out = disk.create(folder.resolve(name))) {
                out.write(bytes);
            }
        }
        try (Disk.WritableFile out = disk.create(folder.resolve("sync"))) {
            out.write(bytes);
            out.sync();
        }
        try (Disk.WritableFile out = disk.create(folder.resolve("safely"))) {
            out.writeDurably(0, bytes);
        }
        disk.truncate(folder.resolve("truncate"), 1);
        disk.sync(folder.resolve("force-path"));
        disk.createDirectory(folder.resolve("force-folder"));
        disk.syncDirectory(folder.resolve("force-folder"));
    }
}
