package dev.pail.repository.collect;

import dev.pail.BlockException;
import dev.pail.OperationInterruptedException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reports steps to the progress listener, and ends the collection if the thread is interrupted. For one thread at a time. */
public final class Steps {
    private final String what;
    private final Runnable progress;
    private boolean isLater;
    private long untold;
    private @Nullable BlockException thrown;

    public Steps(String location, Runnable progress) {
        this.what = "a collection of " + location;
        this.progress = progress;
    }

    public void step() {
        if (isLater) {
            untold++;
        } else {
            tell();
        }
    }

    private void tell() {
        OperationInterruptedException.check(what);
        try {
            progress.run();
        } catch (BlockException e) {
            thrown = e;
            throw e;
        }
    }

    /** Whether an exception came from the progress listener, and so says nothing of the blocks here. */
    @SuppressWarnings("ReferenceEquality") // Another one may say the same.
    boolean hasThrown(BlockException e) {
        return e == thrown;
    }

    /** Throws an exception again if it came from the progress listener. */
    void rethrow(BlockException e) {
        if (hasThrown(e)) {
            throw e;
        }
    }

    /** Runs an action that holds the lock, and reports its steps afterwards: the listener may take the lock, too. */
    <T> T later(Supplier<T> action) {
        isLater = true;
        T result = action.get();
        isLater = false;
        for (; untold > 0; untold--) {
            tell();
        }
        return result;
    }
}
