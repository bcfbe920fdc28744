package dev.pail.update;

import dev.pail.BlockStore;
import dev.pail.OperationInterruptedException;
import org.jspecify.annotations.Nullable;

/** The block store of an update. A version that is opened in it is one that the update hands out. */
public interface UpdateBlocks extends BlockStore {
    /**
     * Ends the update if its thread is interrupted. A call costs about a nanosecond.
     *
     * @throws OperationInterruptedException if it is
     */
    void checkInterrupted();

    /** What follows a version that is made of an empty one from now on; null if the update does not need it. */
    @Nullable
    BuildListener buildListener();
}
