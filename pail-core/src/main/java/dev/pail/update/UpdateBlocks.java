package dev.pail.update;

import dev.pail.BlockStore;
import dev.pail.OperationInterruptedException;

/** The block store of an update. A version that is opened in it is one that the update hands out. */
public interface UpdateBlocks extends BlockStore {
    /**
     * Ends the update if its thread is interrupted. A call costs about a nanosecond.
     *
     * @throws OperationInterruptedException if it is
     */
    void checkInterrupted();
}
