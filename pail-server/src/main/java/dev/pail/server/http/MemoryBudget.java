package dev.pail.server.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * The heap that requests may take at once for one purpose. A request waits for its share for a limited time; then it is refused and the
 * client tries again later. The callers take turns, and a small share does not wait for a large one. While a request waits, one that holds a share and keeps the server waiting for its
 * client is ended. Rule GW22. Safe for use by several threads.
 */
public final class MemoryBudget {
    /** How long a request waits for its share. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    /** A waiting request looks for slow clients so often, in milliseconds. */
    private static final long TURN = 1000;

    /** For how long the client of a share may keep the server waiting while another request waits for a share. */
    private static final long SLOW = TimeUnit.SECONDS.toNanos(2);

    /** A share of at most this number of bytes waits for no larger one: it has room for a body of 64 KiB. */
    private static final long SMALL = 192 << 10;

    /** What large shares leave to small ones, in bytes, if the budget has more than they need. */
    private static final long KEPT = 1 << 20;

    /** What the memory is for. */
    public enum Purpose {
        /** Bodies of requests, and the blocks that are made of them. */
        BODY,
        /** Blocks that are being sent. */
        RESPONSE;

        private String attribute() {
            return MemoryBudget.class.getName() + "." + name();
        }
    }

    private final long bytes;

    @GuardedBy("this")
    private long free;

    @GuardedBy("this")
    private final FairQueue<Object> waiting = new FairQueue<>();

    @GuardedBy("this")
    private final Set<Share> shares = new LinkedHashSet<>();

    /** @param bytes the most bytes that all shares have together */
    public MemoryBudget(long bytes) {
        this.bytes = bytes;
        this.free = bytes;
    }

    /** Lets a request take shares of this budget. */
    public void offerTo(Request request, Purpose purpose) {
        request.setAttribute(purpose.attribute(), this);
    }

    /** The bytes that are taken. */
    public synchronized long taken() {
        return bytes - free;
    }

    /**
     * Takes a share for a request, until the share is closed or the request has ended.
     *
     * @param wanted in bytes; more than the whole budget is the whole budget
     * @throws Refusal if others hold too much for too long
     */
    public static Share take(Request request, Purpose purpose, long wanted) {
        Share share = takeBriefly(request, purpose, wanted);
        Request.addCompletionListener(request, failure -> share.close());
        return share;
    }

    /** Takes a share that the caller closes. Otherwise as {@link #take}. */
    static Share takeBriefly(Request request, Purpose purpose, long wanted) {
        if (!(request.getAttribute(purpose.attribute()) instanceof MemoryBudget budget)) {
            throw new IllegalStateException("a request without a budget");
        }
        return budget.take(request, Math.min(wanted, budget.bytes));
    }

    private Share take(Request request, long wanted) {
        long begun = System.nanoTime();
        Object turn = new Object();
        begin(turn, Caller.nameOf(request), wanted);
        try {
            Share share = tryTake(request, turn, wanted);
            while (share == null) {
                if (System.nanoTime() - begun > PATIENCE) {
                    throw Refusal.busy("the server has no memory for this request now: send it again later");
                }
                // Without the monitor: what this ends may give back a share.
                next(turn, wanted).forEach(holder -> TimedRequest.endIfWaiting(holder, SLOW));
                share = tryTake(request, turn, wanted);
            }
            return share;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusal.busy("the server is ending");
        } finally {
            end(turn);
        }
    }

    private synchronized void begin(Object turn, String sender, long wanted) {
        if (wanted > SMALL) {
            waiting.add(sender, turn);
        }
    }

    /** Removes a turn that no share was taken in. */
    @SuppressWarnings("ReferenceEquality") // A turn is nothing but itself.
    private synchronized void end(Object turn) {
        waiting.removeIf(each -> each == turn);
        notifyAll();
    }

    /** Takes a share, if there is one within a turn. */
    @SuppressWarnings("WaitNotInLoop") // The caller has the loop.
    private synchronized @Nullable Share tryTake(Request request, Object turn, long wanted)
            throws InterruptedException {
        if (!isNext(turn, wanted)) {
            wait(TURN);
        }
        if (!isNext(turn, wanted)) {
            return null;
        }
        if (wanted > SMALL) {
            waiting.poll();
        }
        free -= wanted;
        Share share = new Share(request, wanted);
        shares.add(share);
        return share;
    }

    @SuppressWarnings("ReferenceEquality") // A turn is nothing but itself.
    @GuardedBy("this")
    private boolean isNext(Object turn, long wanted) {
        if (wanted <= SMALL) {
            return wanted <= free;
        }
        return waiting.peek() == turn && wanted <= free - Math.min(KEPT, bytes - wanted);
    }

    /** The requests that hold shares, if it is this one's turn to wait for them, or it waits for nothing else. */
    @SuppressWarnings("ReferenceEquality")
    private synchronized List<Request> next(Object turn, long wanted) {
        return wanted <= SMALL || waiting.peek() == turn
                ? shares.stream().map(share -> share.request).toList()
                : List.of();
    }

    @SuppressWarnings("GuardedBy") // Each share is one of this budget, whose monitor is held.
    private synchronized void giveBack(Share share, long needed) {
        if (needed < share.held) {
            free += share.held - needed;
            share.held = needed;
            notifyAll();
        }
        if (share.held == 0) {
            shares.remove(share);
        }
    }

    /** Part of the budget that one request has. */
    public final class Share implements AutoCloseable {
        private final Request request;

        @GuardedBy("MemoryBudget.this")
        private long held;

        private Share(Request request, long held) {
            this.request = request;
            this.held = held;
        }

        /** Gives back all but a number of bytes. */
        public void shrinkTo(long needed) {
            giveBack(this, needed);
        }

        @Override
        public void close() {
            giveBack(this, 0);
        }
    }
}
