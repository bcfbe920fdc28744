package dev.pail.remote;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time that a request has waited for its server. If the request has waited for longer than the patience, and meanwhile less than 64
 * KiB have moved, it ends. Time in which the client itself works does not count. Rule SY17. Safe for use by several threads.
 */
final class Waiting {
    private static final int LEAST = 64 << 10;

    private final Duration patience;
    private final Clock clock;
    private final Runnable end;

    /** How long the request has waited since {@link #LEAST} bytes moved, without the current wait, in nanoseconds. */
    @GuardedBy("this")
    private long waited;

    @GuardedBy("this")
    private long moved;

    @GuardedBy("this")
    private long since;

    @GuardedBy("this")
    private boolean isWaiting;

    @GuardedBy("this")
    private boolean isDone;

    @GuardedBy("this")
    private boolean isOver;

    /**
     * What tells the time, and when to look at a request that waits.
     *
     * @param nanoTime as {@link System#nanoTime}
     * @param later runs a task after about the patience
     */
    record Clock(LongSupplier nanoTime, Executor later) {
        static Clock system(Duration patience) {
            return new Clock(
                    System::nanoTime, CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS));
        }
    }

    /** @param end ends the connection, so that a thread that waits for it fails */
    Waiting(Duration patience, Clock clock, Runnable end) {
        this.patience = patience;
        this.clock = clock;
        this.end = end;
    }

    /** Looks at the request from time to time until {@link #done}: it may wait where nothing else ends that. */
    void watch() {
        clock.later.execute(() -> {
            if (isToWatch()) {
                watch();
            }
        });
    }

    private synchronized boolean isToWatch() {
        if (!isDone && isWaiting && waited + clock.nanoTime.getAsLong() - since > patience.toNanos()) {
            isOver = true;
            end.run();
        }
        return !isDone && !isOver;
    }

    /** The client begins to wait. */
    synchronized void begin() {
        isWaiting = true;
        since = clock.nanoTime.getAsLong();
    }

    /**
     * The wait is over.
     *
     * @param bytes how many bytes moved meanwhile
     * @throws IOException if the patience is over
     */
    synchronized void end(long bytes) throws IOException {
        isWaiting = false;
        waited += clock.nanoTime.getAsLong() - since;
        moved += Math.max(0, bytes);
        if (moved >= LEAST) {
            restart();
        }
        isOver |= waited > patience.toNanos();
        if (isOver) {
            throw failure(null);
        }
    }

    /** The next part of the request has a patience of its own. */
    synchronized void restart() {
        waited = 0;
        moved = 0;
    }

    synchronized void done() {
        isDone = true;
    }

    synchronized boolean isOver() {
        return isOver;
    }

    /** Why a request whose patience is over failed. */
    IOException failure(@Nullable IOException cause) {
        return new IOException(
                "less than " + LEAST + " bytes moved within " + ConnectionFailure.seconds(patience) + " of waiting",
                cause);
    }
}
