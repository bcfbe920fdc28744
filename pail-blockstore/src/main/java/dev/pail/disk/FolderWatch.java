package dev.pail.disk;

import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A watch over a folder of this machine, by the notice of its file system. */
final class FolderWatch implements Disk.Watch {
    /** File systems that no other machine changes, and whose notice Java passes on at once. */
    private static final Set<String> LOCAL = Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "tmpfs");

    private final WatchService service;
    private volatile boolean complete;

    private FolderWatch(WatchService service) {
        this.service = service;
    }

    /** Watches a folder; empty if that cannot be: systems have a bound on the number of folders that are watched. */
    static Optional<Disk.Watch> open(Path folder) {
        try {
            WatchService service = folder.getFileSystem().newWatchService();
            FolderWatch watch = new FolderWatch(service);
            try {
                folder.register(
                        service,
                        StandardWatchEventKinds.ENTRY_CREATE,
                        StandardWatchEventKinds.ENTRY_MODIFY,
                        StandardWatchEventKinds.ENTRY_DELETE);
                watch.complete = LOCAL.contains(Files.getFileStore(folder).type());
                return Optional.of(watch);
            } catch (IOException | RuntimeException e) {
                watch.close();
                throw e;
            }
        } catch (IOException | UnsupportedOperationException e) {
            Trace.swallowed("cannot watch a folder, which is polled instead: " + folder, e);
            return Optional.empty();
        }
    }

    @Override
    public void await(Duration atMost) throws InterruptedException {
        try {
            WatchKey key = service.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
            if (key != null) {
                key.pollEvents();
                // If the folder is gone, there may be another in its place.
                complete &= key.reset();
            }
        } catch (ClosedWatchServiceException e) {
            return;
        }
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException e) {
            Trace.swallowed("cannot end the watch over a folder", e);
        }
    }
}
