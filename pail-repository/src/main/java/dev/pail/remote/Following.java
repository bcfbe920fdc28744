package dev.pail.remote;

import dev.pail.BlockException;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.Tracking;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A copy that follows a remote: after a first exchange, it waits for each update there, and exchanges again. It waits as
 * {@link Remote#awaitUpdate} does. Each wait and each fetch begins at the state that the copy has, so a connection that breaks, a restart
 * of either side and a log that expired cost nothing but time (Rule SY27).
 *
 * <p>If an exchange fails, another follows after a pause of one second, and of twice as long each further time, up to a minute. An update,
 * or a wait of five seconds, makes it one second again. So a remote that fails, or tells of updates that it does not have, costs a request
 * or two in a minute. The failure of the first exchange ends the following instead: its address or its token may be wrong.
 *
 * <p>One thread calls {@link #run}; any thread may call {@link #close}.
 *
 * <pre>{@code
 * Exchange exchange = Exchange.of(repository, "origin", remote);
 * try (Following following = Following.of(exchange, "main", fetched -> {
 *     repository.merge("main", fetched.ref(), MergeOptions.DEFAULT);
 * })) {
 *     following.run(); // until another thread closes it
 * }
 * }</pre>
 */
public final class Following implements AutoCloseable {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** A remote that lets a request wait for so long does not answer for ever at once. */
    private static final long LONG_WAIT = Duration.ofSeconds(5).toNanos();

    /**
     * What the caller does with updates, in the thread of {@link #run}. If the store or the remote fails meanwhile, it gets the same fetch
     * again after the pause. All other exceptions end the following.
     */
    @FunctionalInterface
    public interface Listener {
        /** Takes what the first exchange found, and then each fetch with an update. */
        void fetched(FetchResult fetched);

        /**
         * Takes the failure of an exchange. By default does nothing.
         *
         * @param pause the time until the next exchange
         */
        default void failed(PailException failure, Duration pause) {
            Objects.requireNonNull(failure, "failure");
            Objects.requireNonNull(pause, "pause");
        }
    }

    /** An exchange, which may be repeated. Returns the branch of the remote to wait for. */
    interface Step {
        RemoteBranch run();
    }

    /** Takes failures. */
    interface Failures {
        void failed(PailException failure, Duration pause);
    }

    /** Waits for a time. */
    interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    private final Remote remote;
    private final Step step;
    private final Failures failures;
    private final LongSupplier nanos;
    private final Pause pause;
    private final boolean lasts;
    private boolean hasBegun;
    private Duration next = FIRST_PAUSE;
    private volatile boolean closed;

    /**
     * Follows a remote by any exchange.
     *
     * @param lasts whether no failure of the remote ends it: neither that of the first exchange, nor that the branch is gone
     * @param nanos as {@link System#nanoTime}
     */
    Following(Remote remote, Step step, Failures failures, boolean lasts, LongSupplier nanos, Pause pause) {
        this.remote = remote;
        this.step = step;
        this.failures = failures;
        this.lasts = lasts;
        this.nanos = nanos;
        this.pause = pause;
    }

    /**
     * Follows a branch of a remote. Sends nothing yet.
     *
     * @param exchange the exchange with the remote
     */
    public static Following of(Exchange exchange, String branch, Listener listener) {
        return of(exchange, branch, listener, System::nanoTime, time -> Thread.sleep(time.toMillis()));
    }

    static Following of(Exchange exchange, String branch, Listener listener, LongSupplier nanos, Pause pause) {
        Objects.requireNonNull(exchange, "exchange");
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(listener, "listener");
        Fetches fetches = new Fetches(exchange, branch, listener);
        return new Following(exchange.remote(), fetches::run, listener::failed, false, nanos, pause);
    }

    /** The fetches of a branch, each with a new state told once. */
    private static final class Fetches {
        private final Exchange exchange;
        private final String branch;
        private final Listener listener;
        private @Nullable Tracking told;

        Fetches(Exchange exchange, String branch, Listener listener) {
            this.exchange = exchange;
            this.branch = branch;
            this.listener = listener;
        }

        RemoteBranch run() {
            FetchResult fetched = exchange.fetch(branch);
            Tracking now = fetched.now();
            if (!now.equals(told)) {
                listener.fetched(fetched);
                told = now;
            }
            return new RemoteBranch(branch, now.generation(), now.head());
        }
    }

    /**
     * Follows until this is closed. If another thread closes it, returns after the current request: about a minute later at most.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws RemoteException if the remote has no such branch, or has removed it; and what the first exchange throws
     */
    public void run() throws InterruptedException {
        RemoteBranch seen = null;
        while (!closed) {
            boolean isNew = false;
            boolean isFailed = false;
            long begun = nanos.getAsLong();
            try {
                RemoteBranch now = step.run();
                isNew = !now.equals(seen);
                seen = now;
                hasBegun = true;
                begun = nanos.getAsLong();
                // The exchange that follows tells whether there is an update.
                boolean unused = closed || remote.awaitUpdate(now);
            } catch (StoreIOException | RemoteException | BlockException | MalformedDataException e) {
                isFailed = true;
                failed(e, isNew ? FIRST_PAUSE : next);
            }
            boolean isLong = !isFailed && nanos.getAsLong() - begun >= LONG_WAIT;
            if (isNew || isLong) {
                next = FIRST_PAUSE;
            }
            if (!closed && (isFailed || !(isNew || isLong))) {
                pause.of(next);
                Duration twice = next.multipliedBy(2);
                next = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
            }
        }
    }

    private void failed(PailException failure, Duration time) {
        boolean isGone = failure instanceof RemoteException e && e.reason() == RemoteException.Reason.NO_BRANCH;
        if (!lasts && (!hasBegun || isGone)) {
            throw failure;
        }
        failures.failed(failure, time);
    }

    /** Ends {@link #run} after its current request. May be called twice, and by any thread. */
    @Override
    public void close() {
        closed = true;
    }
}
