package dev.pail.folder;

import com.google.errorprone.annotations.CheckReturnValue;
import java.util.Objects;

/**
 * The options of a {@link FolderRestore}. Immutable; safe for use by several threads, if the listener is.
 *
 * <pre>{@code
 * RestoreOptions options = RestoreOptions.DEFAULT.withOverwrite().withDryRun();
 * FolderRestore restore = FolderRestore.to(folder, repository.blocks(), options);
 * restore.add(pail, "photos");
 * System.out.println(restore.run().written() + " files would be written");
 * }</pre>
 *
 * @param overwrite whether files that have other bytes, and links that have other targets, are replaced; else they are refused
 * @param dryRun whether nothing is written, and only counted what would be
 * @param listener a listener to the progress, and to files that are not written
 */
@CheckReturnValue
public record RestoreOptions(boolean overwrite, boolean dryRun, FolderListener listener) {
    /** The default options: files with other bytes are refused. */
    public static final RestoreOptions DEFAULT = new RestoreOptions(false, false, FolderListener.NONE);

    public RestoreOptions {
        Objects.requireNonNull(listener, "listener");
    }

    /** Returns these options with files replaced that have other bytes. */
    public RestoreOptions withOverwrite() {
        return new RestoreOptions(true, dryRun, listener);
    }

    /** Returns these options for a restore that writes nothing. */
    public RestoreOptions withDryRun() {
        return new RestoreOptions(overwrite, true, listener);
    }

    /** Returns these options with a listener. */
    public RestoreOptions withListener(FolderListener progress) {
        return new RestoreOptions(overwrite, dryRun, progress);
    }
}
