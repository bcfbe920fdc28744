package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import java.util.Objects;

/**
 * The options of a {@link RepositoryCopy}. Immutable; safe for use by several threads, if the listener is.
 *
 * <pre>{@code
 * Repository other = Repository.inMemory();
 * CopyOptions options = CopyOptions.DEFAULT.withAll();
 * List<RepositoryCopy.Copied> refs = RepositoryCopy.of(repository, other, options).run();
 * }</pre>
 *
 * @param all whether the blocks of all versions are sent, else only those of versions that the other repository does not have
 * @param listener a listener to the progress
 */
@CheckReturnValue
public record CopyOptions(boolean all, CopyListener listener) {
    /** The default options: blocks of new versions. */
    public static final CopyOptions DEFAULT = new CopyOptions(false, CopyListener.NONE);

    public CopyOptions {
        Objects.requireNonNull(listener, "listener");
    }

    /** Returns these options with the blocks of all versions, for values that came later and blocks that the other repository has lost. */
    public CopyOptions withAll() {
        return new CopyOptions(true, listener);
    }

    /** Returns these options with a listener to the progress. */
    public CopyOptions withListener(CopyListener progress) {
        return new CopyOptions(all, progress);
    }
}
