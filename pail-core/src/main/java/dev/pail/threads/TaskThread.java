package dev.pail.threads;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Another thread that runs the tasks of one call, one after the other in their order, while the caller does something else. The caller takes
 * each result, or what the task threw, when its turn comes. So it gives and throws the same as one thread does. If the call may use only
 * one thread, each task runs in the caller's when it is begun.
 *
 * <p>The thread is a daemon and ends with {@link #close}. The caller bounds how many tasks wait. For one caller, which is one thread at a time.
 */
public final class TaskThread implements AutoCloseable {
    /**
     * The system property with the number of threads that one call may use, the caller's among them: with 1, no call starts a thread to
     * use another processor. Without it, a call may use as many as there are processors.
     */
    public static final String PROPERTY = "dev.pail.threads";

    private final String name;
    private final boolean isAlone = threads() == 1;

    @GuardedBy("this")
    private final Deque<FutureTask<?>> due = new ArrayDeque<>();

    @GuardedBy("this")
    private boolean closed;

    /** Started with the first task. */
    private @Nullable Thread thread;

    /** @param name the name of the thread */
    public TaskThread(String name) {
        this.name = name;
    }

    /** The number of threads that one call may use, the caller's among them. */
    public static int threads() {
        return Math.max(1, Integer.getInteger(PROPERTY, Runtime.getRuntime().availableProcessors()));
    }

    /** A task whose result is still to be taken. */
    public static final class Task<T> {
        private final FutureTask<T> work;

        private Task(Supplier<T> work) {
            this.work = new FutureTask<>(work::get);
        }

        /** Waits for the result, and throws what the task threw. An interrupt does not end the wait, and is kept. */
        public T get() {
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return work.get();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    } catch (ExecutionException e) {
                        throw unchecked(Objects.requireNonNull(e.getCause()));
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private static RuntimeException unchecked(Throwable cause) {
            if (cause instanceof Error error) {
                throw error;
            }
            // A supplier throws nothing else.
            return (RuntimeException) cause;
        }
    }

    /** Begins a task behind those before it. */
    public <T> Task<T> begin(Supplier<T> work) {
        Task<T> task = new Task<>(work);
        if (isAlone) {
            task.work.run();
            return task;
        }
        synchronized (this) {
            due.add(task.work);
            notifyAll();
        }
        if (thread == null) {
            thread = new Thread(this::run, name);
            thread.setDaemon(true);
            thread.start();
        }
        return task;
    }

    private void run() {
        for (FutureTask<?> work = next(); work != null; work = next()) {
            work.run();
        }
    }

    /** The next task; null if there will be no more. */
    private synchronized @Nullable FutureTask<?> next() {
        while (due.isEmpty() && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                // Only close() ends this thread.
            }
        }
        return due.poll();
    }

    /** Whether a task waits that the thread has not begun. */
    synchronized boolean isDue() {
        return !due.isEmpty();
    }

    /** Drops the tasks that the thread has not begun, and waits until it has ended. An interrupt does not end the wait, and is kept. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            due.clear();
            notifyAll();
        }
        boolean interrupted = false;
        while (thread != null) {
            try {
                thread.join();
                thread = null;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
