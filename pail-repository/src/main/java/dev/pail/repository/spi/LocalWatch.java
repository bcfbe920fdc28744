package dev.pail.repository.spi;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A watch that only moves in this process wake, if any. For one reader; others may wake and close it. */
final class LocalWatch implements RefStore.Watch {
    /** Another process may move the branch meanwhile. */
    private static final Duration POLL = Duration.ofSeconds(1);

    private final Semaphore wakeups = new Semaphore(0);
    private final Consumer<LocalWatch> onClose;
    private volatile boolean closed;

    /** @param onClose is called when this is closed, each time */
    LocalWatch(Consumer<LocalWatch> onClose) {
        this.onClose = onClose;
    }

    void wake() {
        // One wakeup is enough for any number of moves, and permits have a bound.
        if (wakeups.availablePermits() == 0) {
            wakeups.release();
        }
    }

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
        Duration most = atMost.compareTo(POLL) < 0 ? atMost : POLL;
        if (!closed && wakeups.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS)) {
            wakeups.drainPermits();
        }
        return true;
    }

    @Override
    public void close() {
        closed = true;
        onClose.accept(this);
        wake();
    }
}
