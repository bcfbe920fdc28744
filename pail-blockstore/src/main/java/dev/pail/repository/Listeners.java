package dev.pail.repository;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who is told of new heads, one move at a time and in the order of the moves, but not while anything is locked. Whoever finds
 * another thread telling leaves it to that. For use by several threads at once.
 */
final class Listeners {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Queue<HeadMove> updates = new ArrayDeque<>();
    private boolean telling;

    private final class Listener implements Registration {
        private final Consumer<HeadMove> action;

        Listener(Consumer<HeadMove> action) {
            this.action = action;
        }

        @Override
        public void close() {
            listeners.remove(this);
        }
    }

    /** Adds a listener, which can be added several times, and gives what removes it. */
    Registration add(Consumer<HeadMove> listener) {
        Listener added = new Listener(listener);
        listeners.add(added);
        return added;
    }

    /** Keeps in mind that a move is to be told. Called in the order of the moves. */
    synchronized void note(HeadMove move) {
        if (!listeners.isEmpty()) {
            updates.add(move);
        }
    }

    /** Tells what is to be told, unless that is being done. */
    void tell() {
        if (!start()) {
            return;
        }
        boolean ended = false;
        try {
            for (HeadMove move = next(); move != null; move = next()) {
                for (Listener listener : listeners) {
                    tell(listener.action, move);
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
        boolean starts = !telling && !updates.isEmpty();
        telling |= starts;
        return starts;
    }

    /** The next move; where there is none, somebody else may tell of those to come. */
    private synchronized @Nullable HeadMove next() {
        HeadMove move = updates.poll();
        telling = move != null;
        return move;
    }

    private synchronized void stop() {
        telling = false;
    }

    /** The change is made, and the others want to be told: the listener's trouble is the thread's, not theirs. */
    private static void tell(Consumer<HeadMove> listener, HeadMove move) {
        try {
            listener.accept(move);
        } catch (Throwable e) {
            report(e);
        }
    }

    private static void report(Throwable error) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        } catch (Throwable e) {
            // As where a thread ends: what a handler throws is of no account.
            return;
        }
    }
}
