package dev.pail.segment;

import dev.pail.disk.Disk;
import dev.pail.lock.WriterLock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a store against other processes, shared by the threads of this one: one thread takes it for all that use it at the same
 * time. If threads use it one after the other without a gap, they let go of it from time to time, so that other processes get their turn.
 *
 * <p>The writer's lock, {@link GroupCommit#lock}, guards all fields: a thread must have it to call any method. A thread that waits lets go
 * of it meanwhile.
 */
final class StoreLock {
    private final ReentrantLock lock;

    /** A thread has taken it, has given up waiting for it, or has let go of it. */
    private final Condition decided;

    private final WriterLock.Turns turns;

    private Disk.@Nullable Lock held;

    /** Whether a thread waits for it on behalf of all. */
    private boolean waits;

    /** How long threads have waited for it so far, in milliseconds. */
    private final AtomicLong waited = new AtomicLong();

    /** How many threads use it or wait for it. */
    private int users;

    /** @param lock the writer's */
    StoreLock(ReentrantLock lock, WriterLock.Turns turns) {
        this.lock = lock;
        this.decided = lock.newCondition();
        this.turns = turns;
    }

    boolean isHeld() {
        return held != null;
    }

    /** Whether a thread uses it or waits for it. */
    boolean isUsed() {
        return users > 0;
    }

    /** Counts the calling thread as a user, and takes nothing. */
    void enter() {
        users++;
    }

    /** If another process should have its turn, waits until no thread uses the lock. Users that overlap would keep others out for ever. */
    void awaitTurn() {
        while (held != null && users > 0 && turns.isOver()) {
            decided.awaitUninterruptibly();
        }
    }

    void leave() {
        users--;
    }

    /** How long threads have waited for it so far, in milliseconds. A thread that begins to wait passes the number to {@link #take}. */
    long waited() {
        return waited.get();
    }

    /**
     * Takes it. If another thread is doing so, waits until that thread has it or gives up. So the lock may still not be held after a call:
     * the caller checks whether it can still use it, and calls again.
     *
     * @param came what {@link #waited} was when the caller began to wait: its patience counts from then
     * @throws dev.pail.StoreLockedException if another process holds it for longer than the patience
     */
    @SuppressWarnings("WaitNotInLoop") // The caller has the loop.
    void take(long came) {
        if (waits) {
            decided.awaitUninterruptibly();
        } else {
            takeFor(came);
        }
    }

    private void takeFor(long came) {
        Disk.Lock taken = null;
        waits = true;
        lock.unlock();
        try {
            taken = turns.take(waited.get() - came, waited::addAndGet);
        } finally {
            lock.lock();
            waits = false;
            held = taken;
            decided.signalAll();
        }
    }

    /** Releases it, if it is held. */
    void release() {
        Disk.Lock taken = held;
        if (taken != null) {
            held = null;
            try {
                taken.close();
            } finally {
                decided.signalAll();
            }
        }
    }
}
