package dev.pail.folder;

import dev.pail.PailException;
import java.util.Objects;

/**
 * A listener to the progress of a put or a restore, and to what a restore leaves out. Its exceptions end the put or the restore.
 *
 * <pre>{@code
 * FolderListener listener = new FolderListener() {
 *     @Override
 *     public void damaged(String name, PailException why) {
 *         System.err.println(name + ": " + why.getMessage()); // its file is not written, all others are
 *     }
 * };
 * FolderRestore restore = FolderRestore.to(
 *         Path.of("copy"), repository.blocks(), RestoreOptions.DEFAULT.withListener(listener));
 * }</pre>
 *
 * <p>One thread calls all methods but {@link #read}.
 */
public interface FolderListener {
    /** Listens to nothing. */
    FolderListener NONE = new FolderListener() {};

    /**
     * The files are known.
     *
     * @param files how many there are
     * @param bytes how many bytes they have together; -1 if that is not known
     */
    default void begun(long files, long bytes) {}

    /**
     * Bytes of a file were read, or a file that has not changed since the last time was passed over. Several threads call this at once.
     *
     * @param bytes how many since the last call
     */
    default void read(long bytes) {}

    /** One more file is done. */
    default void done() {}

    /** The value of a key cannot be read, or a folder below it: its file is not written. */
    default void damaged(String name, PailException why) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(why, "why");
    }

    /** The value of a key was erased on purpose: its file is not written. */
    default void erased(String name, PailException why) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(why, "why");
    }

    /**
     * A symbolic link is not made.
     *
     * @param why a sentence
     */
    default void leftOut(String name, String why) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(why, "why");
    }
}
