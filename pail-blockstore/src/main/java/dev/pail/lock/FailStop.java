package dev.pail.lock;

import dev.pail.StoreIOException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Refuses all writes to a folder after the first failed write, if earlier writes may be lost with it. Safe for use by several
 * threads.
 */
public final class FailStop {
    private final String opened;
    private final Path folder;

    private volatile @Nullable Throwable failure;

    /**
     * Allows writes until the first failure.
     *
     * @param opened the thing in the folder that the caller must open again after a failure, for messages
     */
    public FailStop(String opened, Path folder) {
        this.opened = opened;
        this.folder = folder;
    }

    /** Whether no write has failed. */
    public boolean isSound() {
        return failure == null;
    }

    /**
     * Checks that no write has failed.
     *
     * @throws StoreIOException if one has
     */
    public void check() {
        Throwable failed = failure;
        if (failed != null) {
            throw new StoreIOException(
                    "nothing is written after a failure, until the " + opened + " is opened again",
                    folder.toString(),
                    reason(failed),
                    failed);
        }
    }

    /** The reason of a failure, for messages. */
    public static String reason(Throwable failed) {
        if (failed instanceof IOException error) {
            return StoreIOException.reason(error);
        }
        String said = failed.getMessage();
        return said == null ? failed.getClass().getSimpleName() : said;
    }

    /** Refuses all writes from now on. */
    public void refuseAfter(Throwable error) {
        failure = error;
    }
}
