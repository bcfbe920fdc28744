package dev.pail.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * The time stamps of files, which say when what is in them was last put (spec rules G7 and SEG19).
 *
 * <pre>{@code
 * Instant old = Files.getLastModifiedTime(file).toInstant();
 * boolean isRenewed = Stamps.tryRenew(Disk.system(), file, old, Instant.now()); // false, if the file is not there
 * }</pre>
 */
public final class Stamps {
    /** A time stamp is not set again before that. */
    private static final Duration KEPT = Duration.ofMinutes(30);

    private Stamps() {}

    /**
     * Sets the time stamp of a file, if that was not done lately, and makes it safe.
     *
     * @param stamp the time stamp that it has
     * @return false if it is old and could not be set: whoever may not set it can still keep what was put once more
     */
    public static boolean tryRenew(Disk disk, Path file, Instant stamp, Instant now) throws IOException {
        if (!stamp.isBefore(now.minus(KEPT))) {
            return true;
        }
        if (!Disk.tryTouch(disk, file, now)) {
            return false;
        }
        disk.force(file);
        return true;
    }
}
