package dev.pail.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The mtimes of files: when the blocks in a file were last put (spec rules G7 and SEG19).
 *
 * <pre>{@code
 * Instant old = Files.getLastModifiedTime(file).toInstant();
 * boolean isRenewed = Mtimes.tryRenew(Disk.system(), file, old, Instant.now()); // false, if the file is not there
 * }</pre>
 */
public final class Mtimes {
    /** A younger mtime is not set again. Rule G7. */
    private static final Duration KEPT = Duration.ofMinutes(30);

    private Mtimes() {}

    /**
     * Sets the mtime of a file to the present and syncs it, unless it is young.
     *
     * @param mtime the mtime of the file
     * @return false if it is old, and this process may not set it: then the caller writes a new file
     */
    public static boolean tryRenew(Disk disk, Path file, Instant mtime, Instant now) throws IOException {
        Objects.requireNonNull(disk, "disk");
        Objects.requireNonNull(file, "file");
        if (!mtime.isBefore(now.minus(KEPT))) {
            return true;
        }
        if (!Disk.trySetMtime(disk, file, now)) {
            return false;
        }
        disk.sync(file);
        return true;
    }
}
