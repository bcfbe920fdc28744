package dev.pail.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockStore;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether the repository can be written to, as the last write showed. After a failed write, it is asked again when someone wants to know,
 * once a second at most: by a block of eight bytes, which a garbage collection removes. Rule GW23. Safe for use by several threads.
 */
final class WriteHealth {
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final BlockStore blocks;
    private final LongSupplier nanoTime;

    @GuardedBy("this")
    private boolean isFailing;

    @GuardedBy("this")
    private long asked;

    @GuardedBy("this")
    private long failures;

    /** @param nanoTime as {@link System#nanoTime} */
    WriteHealth(BlockStore blocks, LongSupplier nanoTime) {
        this.blocks = blocks;
        this.nanoTime = nanoTime;
    }

    /** Notes that a write has failed, unless the request was to blame. */
    synchronized void failed(Throwable why) {
        if (why instanceof StoreIOException || why instanceof VirtualMachineError) {
            isFailing = true;
            failures++;
            asked = nanoTime.getAsLong();
        }
    }

    /** Notes that a write has succeeded. */
    synchronized void wrote() {
        isFailing = false;
    }

    /** How many writes have failed. */
    synchronized long failures() {
        return failures;
    }

    /** Whether the last write failed, and the next one would fail. */
    boolean isFailing() {
        if (!isDue()) {
            return isFailingNow();
        }
        try {
            blocks.put(Block.of(
                    Cid.RAW,
                    ByteBuffer.allocate(Long.BYTES)
                            .putLong(nanoTime.getAsLong())
                            .array()));
            wrote();
            return false;
        } catch (PailException e) {
            return true;
        }
    }

    private synchronized boolean isFailingNow() {
        return isFailing;
    }

    /** Whether it is time to ask again. If so, no other thread asks for a while. */
    private synchronized boolean isDue() {
        long now = nanoTime.getAsLong();
        if (!isFailing || now - asked < PAUSE) {
            return false;
        }
        asked = now;
        return true;
    }
}
