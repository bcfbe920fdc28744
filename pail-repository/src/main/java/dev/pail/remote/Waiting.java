package dev.pail.remote;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The time that a request has waited for its server. If the request has waited for longer than the patience, and meanwhile less than 64
 * KiB have moved, it ends. Time in which the client itself works does not count. Rule SY17.
 *
 * <p>A thread of its own reads and writes, and the request leaves it if the patience is over. Nothing else ends every wait: the JDK reads the
 * header of a chunk and the trailers under a lock that {@link java.net.HttpURLConnection#disconnect} needs, and a TLS socket that writes
 * cannot be closed. Safe for use by several threads.
 */
final class Waiting {
    private static final int LEAST = 64 << 10;

    private final Duration patience;
    private final Clock clock;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(Waiting::daemon);

    /** How long the request has waited since {@link #LEAST} bytes moved, without the current wait, in nanoseconds. */
    @GuardedBy("this")
    private long waited;

    @GuardedBy("this")
    private long moved;

    @GuardedBy("this")
    private long since;

    /** What is added to the patience, in nanoseconds. */
    @GuardedBy("this")
    private long extra;

    /** What the request waits for. */
    @GuardedBy("this")
    private @Nullable CompletableFuture<?> awaited;

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

    /**
     * A part of a request.
     *
     * @param <T> what it results in
     */
    interface Part<T> {
        T run() throws IOException;
    }

    Waiting(Duration patience, Clock clock) {
        this.patience = patience;
        this.clock = clock;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "pail-remote");
        thread.setDaemon(true);
        return thread;
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
        CompletableFuture<?> current = awaited;
        if (!isDone && current != null && waited + clock.nanoTime.getAsLong() - since > most()) {
            isOver = true;
            boolean unused = current.completeExceptionally(failure(null));
        }
        return !isDone && !isOver;
    }

    /**
     * Does a part of the request, and waits for it.
     *
     * @param part must not write to what the caller uses later: if the patience is over, it continues
     * @param bytes how many bytes moved meanwhile
     * @throws IOException if the part fails, or the patience is over
     */
    <T> T await(Part<T> part, ToLongFunction<T> bytes) throws IOException {
        CompletableFuture<T> result = new CompletableFuture<>();
        begin(result);
        worker.execute(() -> {
            try {
                result.complete(part.run());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        T made;
        try {
            made = result.join();
        } catch (CompletionException e) {
            stop();
            throw failed(e.getCause());
        }
        end(bytes.applyAsLong(made));
        return made;
    }

    private static IOException failed(@Nullable Throwable cause) {
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        return cause instanceof IOException e ? e : new IOException(cause);
    }

    private synchronized void begin(CompletableFuture<?> result) {
        awaited = result;
        since = clock.nanoTime.getAsLong();
    }

    private synchronized void stop() {
        awaited = null;
        waited += clock.nanoTime.getAsLong() - since;
    }

    private synchronized void end(long bytes) throws IOException {
        stop();
        moved += Math.max(0, bytes);
        if (moved >= LEAST) {
            restart();
        }
        isOver |= waited > most();
        if (isOver) {
            throw failure(null);
        }
    }

    /** The next part of the request has a patience of its own. */
    synchronized void restart() {
        waited = 0;
        moved = 0;
        extra = 0;
    }

    /** Adds to the patience for what comes next. */
    synchronized void extend(Duration time) {
        extra = time.toNanos();
    }

    @GuardedBy("this")
    private long most() {
        return patience.toNanos() + extra;
    }

    /** Nothing follows. */
    synchronized void done() {
        isDone = true;
        worker.shutdown();
    }

    /** Runs what may wait for the part that was left, or end it, in a thread that nothing waits for. */
    static void aside(Runnable task) {
        daemon(task).start();
    }

    synchronized boolean isOver() {
        return isOver;
    }

    /** Why a request whose patience is over failed. */
    synchronized IOException failure(@Nullable IOException cause) {
        return new IOException(
                "less than " + LEAST + " bytes moved within " + ConnectionFailure.seconds(Duration.ofNanos(most()))
                        + " of waiting",
                cause);
    }
}
