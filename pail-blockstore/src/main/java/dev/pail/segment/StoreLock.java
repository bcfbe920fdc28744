package dev.pail.segment;

import dev.pail.disk.Disk;
import dev.pail.lock.WriterLock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a store, as the threads of this process have it: one takes it for all who use it at the same time. Those who use it one
 * after the other, with no end, let go of it when others should have their turn.
 *
 * <p>Guarded by the writer's lock, which is let go while a thread waits.
 */
final class StoreLock {
    private final ReentrantLock lock;

    /** It is held, is not waited for any more, or was let go. */
    private final Condition decided;

    private final WriterLock.Turns turns;

    private Disk.@Nullable Lock held;

    /** Whether a thread waits for it, for all of them. */
    private boolean waits;

    /** How long threads have waited for it by now, in milliseconds. */
    private final AtomicLong waited = new AtomicLong();

    /** How many threads use it, or wait for it. */
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

    /** Whether a thread uses it, or waits for it. */
    boolean isUsed() {
        return users > 0;
    }

    /** Begins to use it, which does not take it. */
    void enter() {
        users++;
    }

    /** Waits, if others should have it now, until nobody here uses it. Users that overlap would keep others away for ever. */
    void awaitTurn() {
        while (held != null && users > 0 && turns.isOver()) {
            decided.awaitUninterruptibly();
        }
    }

    void leave() {
        users--;
    }

    /** How long threads have waited for it by now, in milliseconds. A thread that begins to wait keeps the number for {@link #take}. */
    long waited() {
        return waited.get();
    }

    /**
     * Takes it; or if another thread does so already, waits until that thread has it or gives up. It may still not be held then: the
     * caller checks whether it still has a use for it, and calls again.
     *
     * @param came what {@link #waited} was when the caller began to wait: its patience counts from then
     * @throws dev.pail.StoreLockedException if another process holds it for longer than there is patience
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

    /** Lets go of it, if it is held. */
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
