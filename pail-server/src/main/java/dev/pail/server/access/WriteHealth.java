package dev.pail.server.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockStore;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether the repository can be written to. A write that failed is a reason to ask: then this writes a block of 4 KiB itself, which a
 * garbage collection removes, and says what came of that. Rule GW23. Safe for use by several threads.
 */
public final class WriteHealth {
    /** For how long an attempt that failed is true. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    /** As much as a small change takes of a disk: fewer bytes may fit into the last page of a file on a disk that is full. */
    private static final int ATTEMPT = 4096;

    private final BlockStore blocks;
    private final LongSupplier nanoTime;

    @GuardedBy("this")
    private boolean isFailing;

    @GuardedBy("this")
    private long failures;

    /** Held while this writes, so that others wait for the outcome. */
    private final Object attempt = new Object();

    @GuardedBy("attempt")
    private boolean hasFailed;

    /** When the last attempt began. */
    @GuardedBy("attempt")
    private long tried;

    /** @param nanoTime as {@link System#nanoTime} */
    public WriteHealth(BlockStore blocks, LongSupplier nanoTime) {
        this.blocks = blocks;
        this.nanoTime = nanoTime;
    }

    /** Notes that a write has failed, unless the request was to blame. */
    synchronized void failed(Throwable why) {
        if (why instanceof StoreIOException || why instanceof VirtualMachineError) {
            isFailing = true;
            failures++;
        }
    }

    /** Notes that a write has succeeded. */
    synchronized void wrote() {
        isFailing = false;
    }

    /** How many writes have failed. */
    public synchronized long failures() {
        return failures;
    }

    /** Whether the last write failed, and an attempt that began within the last second did, too. */
    public boolean isFailing() {
        if (!hasLastFailed()) {
            return false;
        }
        synchronized (attempt) {
            long now = nanoTime.getAsLong();
            if (!hasFailed || now - tried >= PAUSE) {
                tried = now;
                hasFailed = !tryToWrite();
            }
            return hasFailed;
        }
    }

    private synchronized boolean hasLastFailed() {
        return isFailing;
    }

    private boolean tryToWrite() {
        byte[] bytes = new byte[ATTEMPT];
        ThreadLocalRandom.current().nextBytes(bytes);
        long before = failures();
        try {
            blocks.put(Block.of(Cid.RAW, bytes));
        } catch (PailException | OutOfMemoryError e) {
            return false;
        }
        wrote(before);
        return true;
    }

    /** Notes that a write has succeeded that began after a number of failures. */
    private synchronized void wrote(long after) {
        if (failures == after) {
            isFailing = false;
        }
    }
}
