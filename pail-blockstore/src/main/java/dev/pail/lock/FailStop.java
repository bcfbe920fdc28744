package dev.pail.lock;

import dev.pail.StoreIOException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that nothing is written to a folder after a failure: nothing can be known then of what was written before. For use by
 * several threads at once.
 */
public final class WriteGuard {
    private final String opened;
    private final Path folder;

    private volatile @Nullable Throwable failure;

    /**
     * A guard of a folder.
     *
     * @param opened what is to be opened again after a failure
     */
    public WriteGuard(String opened, Path folder) {
        this.opened = opened;
        this.folder = folder;
    }

    /** Whether nothing has failed. */
    public boolean isSound() {
        return failure == null;
    }

    /**
     * Checks that nothing has failed.
     *
     * @throws StoreIOException if something has
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

    private static String reason(Throwable failed) {
        if (failed instanceof IOException error) {
            return StoreIOException.reason(error);
        }
        String said = failed.getMessage();
        return said == null ? failed.getClass().getSimpleName() : said;
    }

    /** Lets nothing more be written. */
    public void refuseAfter(Throwable error) {
        failure = error;
    }
}
