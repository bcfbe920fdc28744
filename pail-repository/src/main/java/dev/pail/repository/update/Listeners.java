package dev.pail.repository.update;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.repository.model.HeadUpdate;
import dev.pail.repository.model.Registration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listeners for new heads. They get one update at a time, in the order of the updates, on a thread that holds no lock. If a thread
 * is notifying listeners already, it takes over the updates of all others. Safe for use by several threads.
 */
final class Listeners {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    @GuardedBy("this")
    private final Queue<HeadUpdate> updates = new ArrayDeque<>();

    /** Whether a thread is notifying listeners. */
    @GuardedBy("this")
    private boolean notifying;

    private final class Listener implements Registration {
        private final Consumer<HeadUpdate> action;

        Listener(Consumer<HeadUpdate> action) {
            this.action = action;
        }

        @Override
        public void close() {
            listeners.remove(this);
        }
    }

    /** Adds a listener, which can be added several times, and returns what removes it. */
    Registration add(Consumer<HeadUpdate> listener) {
        Listener added = new Listener(listener);
        listeners.add(added);
        return added;
    }

    /** Queues an update for the listeners. The caller holds the lock of the refs, so the queue has the order of the updates. */
    synchronized void enqueue(HeadUpdate update) {
        if (!listeners.isEmpty()) {
            updates.add(update);
        }
    }

    /** Notifies the listeners of all queued updates, unless another thread is doing that. */
    void notifyQueued() {
        if (!start()) {
            return;
        }
        boolean ended = false;
        try {
            for (HeadUpdate update = next(); update != null; update = next()) {
                for (Listener listener : listeners) {
                    notify(listener.action, update);
                }
            }
            ended = true;
        } finally {
            if (!ended) {
                stop();
            }
        }
    }

    private synchronized boolean start() {
        boolean starts = !notifying && !updates.isEmpty();
        notifying |= starts;
        return starts;
    }

    /** Removes the next update. If there is none, the next caller of {@link #notifyQueued} notifies. */
    private synchronized @Nullable HeadUpdate next() {
        HeadUpdate update = updates.poll();
        notifying = update != null;
        return update;
    }

    private synchronized void stop() {
        notifying = false;
    }

    /** The head is updated already, and other listeners wait: what a listener throws goes to the handler of this thread. */
    private static void notify(Consumer<HeadUpdate> listener, HeadUpdate update) {
        try {
            listener.accept(update);
        } catch (Throwable e) {
            report(e);
        }
    }

    private static void report(Throwable error) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        } catch (Throwable e) {
            // The JVM, too, ignores what such a handler throws.
            return;
        }
    }
}
