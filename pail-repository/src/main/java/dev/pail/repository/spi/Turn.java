package dev.pail.repository.spi;

import dev.pail.OperationInterruptedException;
import dev.pail.StoreLockedException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The turns of the writers of this process, where the records of a store exclude those of other processes. */
final class Turn extends ReentrantLock {
    private static final long serialVersionUID = 1;

    private final String location;
    private final long patienceNanos;

    Turn(String location, Duration patience) {
        super(true);
        this.location = location;
        this.patienceNanos = patience.toNanos();
    }

    /**
     * @throws StoreLockedException if that takes longer than there is patience
     * @throws OperationInterruptedException if this thread is interrupted
     */
    @Override
    public void lock() {
        try {
            if (!tryLock(patienceNanos, TimeUnit.NANOSECONDS)) {
                throw new StoreLockedException(location, "another writer of this process");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperationInterruptedException("a wait for another writer of " + location);
        }
    }
}
