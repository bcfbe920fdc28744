package dev.pail.testkit.repository;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The faults of a simulated process: some calls to its store fail, or are done and fail all the same, and at some call the process is
 * killed. From then on, each of its calls throws {@link Killed}. Safe for use by several threads.
 *
 * <pre>{@code
 * ProcessFaults faults = ProcessFaults.none();
 * String answer = faults.call(() -> "answer", () -> new StoreIOException("cannot ask", "a store", "no answer", null));
 * boolean isKilled = faults.isDead(); // false
 * }</pre>
 */
public final class ProcessFaults {
    /** What becomes of a call. */
    public enum Fault {
        NONE,
        /** It is not done, and fails. */
        LOST_CALL,
        /** It is done, and fails. */
        LOST_ANSWER
    }

    /** Is thrown by each call of a process that was killed. */
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1;

        private Killed() {
            super("the process was killed", null, false, false);
        }
    }

    /** How often each fault was drawn, by all processes of a test. */
    static final class Counts {
        final AtomicLong failures = new AtomicLong();
        final AtomicLong kills = new AtomicLong();
    }

    /** A call to a store. */
    @FunctionalInterface
    public interface Call<T, E extends Throwable> {
        T make() throws E;
    }

    /** One failure in this many is an outage: some of the next calls fail, too. */
    private static final int FAILURES_FOR_AN_OUTAGE = 4;

    private static final int LONGEST_OUTAGE = 8;

    private final @Nullable Random random;
    private final int failing;
    private final int killing;
    private final Counts counts;
    private final BooleanSupplier isPowerLost;

    /** Held by each call that is under way, and by the kill alone: a process that is killed does nothing more. */
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();

    private int outage;

    private volatile boolean dead;
    private volatile Runnable atDeath = () -> {};

    private ProcessFaults(
            @Nullable Random random, int failing, int killing, Counts counts, BooleanSupplier isPowerLost) {
        this.random = random;
        this.failing = failing;
        this.killing = killing;
        this.counts = counts;
        this.isPowerLost = isPowerLost;
    }

    /** A process without faults. */
    public static ProcessFaults none() {
        return new ProcessFaults(null, 0, 0, new Counts(), () -> false);
    }

    /** A process. One call in {@code failing} fails, and one in {@code killing} ends it. */
    static ProcessFaults of(Random random, int failing, int killing, Counts counts, BooleanSupplier isPowerLost) {
        return new ProcessFaults(random, failing, killing, counts, isPowerLost);
    }

    /** What to do when the process is killed, such as to release its locks. */
    public void atDeath(Runnable action) {
        atDeath = action;
    }

    /** Whether the process was killed, or the power of its machine is lost. */
    public boolean isDead() {
        return dead || isPowerLost.getAsBoolean();
    }

    /** Kills the process. Returns when its calls under way have ended. */
    public void kill() {
        life.writeLock().lock();
        try {
            if (!dead) {
                dead = true;
                counts.kills.incrementAndGet();
                atDeath.run();
            }
        } finally {
            life.writeLock().unlock();
        }
    }

    /**
     * Draws what becomes of the next call, for stores that make the fault themselves. If the process is to be killed, the result is any,
     * and each later call throws.
     *
     * @throws Killed if the process was killed
     */
    public Fault next() {
        check();
        Fault fault = draw();
        if (isKilledNow()) {
            kill();
            return fault == Fault.NONE ? Fault.LOST_ANSWER : fault;
        }
        return fault;
    }

    /** Throws {@link Killed} if the process was killed. */
    public void check() {
        if (isDead()) {
            throw new Killed();
        }
    }

    /**
     * Makes a call to the store, or lets it fail.
     *
     * @param failure makes what a failed call throws
     * @throws Killed if the process was killed, before or behind the call
     */
    public <T, E extends Throwable> T call(Call<T, E> call, Supplier<? extends E> failure) throws E {
        boolean isKilled = isKilledNow();
        if (isKilled && coin()) {
            kill();
        }
        T answer;
        Fault fault = draw();
        life.readLock().lock();
        try {
            check();
            if (fault == Fault.LOST_CALL) {
                throw failure.get();
            }
            answer = call.make();
        } finally {
            life.readLock().unlock();
        }
        if (isKilled) {
            kill();
        }
        check();
        if (fault == Fault.LOST_ANSWER) {
            throw failure.get();
        }
        return answer;
    }

    private synchronized boolean coin() {
        return random != null && random.nextBoolean();
    }

    private synchronized boolean isKilledNow() {
        return random != null && killing > 0 && random.nextInt(killing) == 0;
    }

    @SuppressWarnings("ThreadPriorityCheck") // Only lets threads mix better.
    private synchronized Fault draw() {
        if (random == null) {
            return Fault.NONE;
        }
        if (random.nextInt(4) == 0) {
            Thread.onSpinWait();
        }
        if (outage > 0) {
            outage--;
            return Fault.LOST_CALL;
        }
        if (failing == 0 || random.nextInt(failing) != 0) {
            return Fault.NONE;
        }
        counts.failures.incrementAndGet();
        if (random.nextInt(FAILURES_FOR_AN_OUTAGE) == 0) {
            outage = 1 + random.nextInt(LONGEST_OUTAGE);
        }
        return random.nextBoolean() ? Fault.LOST_CALL : Fault.LOST_ANSWER;
    }
}
