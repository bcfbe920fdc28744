package dev.pail.server.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.server.http.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The places of watchers, by the names of their tokens. If all are taken, a watcher takes the place of the oldest one of the name that has
 * most, unless its own name has as many. Safe for use by several threads.
 */
public final class WatchPlaces {
    /** Each takes a thread and a connection. */
    public static final int MOST = 1024;

    /** The heap for each, in bytes. With less, the watchers would leave too little for other requests. */
    private static final long HEAP_OF_EACH = 256 << 10;

    private final int most;

    @GuardedBy("this")
    private final Map<String, Deque<Runnable>> byName = new HashMap<>();

    @GuardedBy("this")
    private int taken;

    /** @param most the most watchers at once */
    public WatchPlaces(int most) {
        this.most = most;
    }

    /** The most watchers of a server with a heap of a number of bytes. */
    public static int most(long heap) {
        return (int) Math.min(MOST, heap / HEAP_OF_EACH);
    }

    /**
     * Takes a place.
     *
     * @param name of the token
     * @param end ends this watcher, which then leaves
     * @throws Refusal if there is none
     */
    public void enter(String name, Runnable end) {
        displaced(name, end).run();
    }

    private synchronized Runnable displaced(String name, Runnable end) {
        Runnable other = () -> {};
        if (taken >= most) {
            Deque<Runnable> largest = byName.values().stream()
                    .max((a, b) -> Integer.compare(a.size(), b.size()))
                    .orElseThrow();
            int own = byName.containsKey(name) ? byName.get(name).size() : 0;
            if (own + 1 >= largest.size()) {
                throw Refusal.busy("the server has " + most + " watchers, and takes no more");
            }
            other = largest.remove();
            taken--;
        }
        byName.computeIfAbsent(name, each -> new ArrayDeque<>()).add(end);
        taken++;
        return other;
    }

    /** Gives a place back, if it was not given to another watcher. */
    public synchronized void leave(String name, Runnable end) {
        Deque<Runnable> own = byName.get(name);
        if (own != null && own.remove(end)) {
            taken--;
            if (own.isEmpty()) {
                byName.remove(name);
            }
        }
    }

    /** How many watchers there are. */
    public synchronized int taken() {
        return taken;
    }
}
