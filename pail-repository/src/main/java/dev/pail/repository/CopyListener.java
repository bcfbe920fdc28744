package dev.pail.repository;

import dev.pail.repository.model.RepositoryException;
import java.util.Objects;

/**
 * A listener to the progress of a {@link RepositoryCopy}. Its exceptions end the copy.
 *
 * <pre>{@code
 * CopyListener listener = new CopyListener() {
 *     @Override
 *     public void copied(RepositoryCopy.Copied ref) {
 *         System.out.println(ref.name() + ": " + ref.outcome() + ", " + ref.blocks() + " blocks");
 *     }
 * };
 * CopyOptions options = CopyOptions.DEFAULT.withListener(listener);
 * }</pre>
 *
 * <p>The thread of the copy calls all methods.
 */
public interface CopyListener {
    /** Listens to nothing. */
    CopyListener NONE = new CopyListener() {};

    /** One more block was read. */
    default void read() {}

    /** The copy of a branch or tag has ended. */
    default void copied(RepositoryCopy.Copied ref) {
        Objects.requireNonNull(ref, "ref");
    }

    /** The other repository has not taken the records of erased blocks. The copy continues without them. */
    default void erasuresRefused(RepositoryException why) {
        Objects.requireNonNull(why, "why");
    }
}
