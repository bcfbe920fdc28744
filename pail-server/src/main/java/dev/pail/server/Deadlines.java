package dev.pail.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Ends what clients keep waiting: connections without a request, and requests that wait for their client too long or take too long in
 * all. Looks at all of them in turns, as a timer for each would cost each request more. The idle timeout of the connector ends only
 * those that do nothing at all. Rule GW13.
 */
final class Deadlines implements Connection.Listener {
    /** How often all are looked at within the patience: a client may have a quarter more of it. */
    private static final int TURNS = 4;

    /** A remote address may have this part of the connections. */
    private static final int SENDERS = 4;

    private final ServerLimits limits;
    private final Scheduler scheduler;
    private final Map<EndPoint, Served> connections = new ConcurrentHashMap<>();
    private final Set<TimedRequest> requests = ConcurrentHashMap.newKeySet();

    private final Places places;

    /** The most connections of one remote address. */
    private final int mostOfSender;

    /** How many connections have an endless response. These have a limit of their own. */
    private final AtomicInteger endless = new AtomicInteger();

    /** Whether a connection ends with the response that it is at. */
    private volatile boolean isEnding;

    Deadlines(ServerLimits limits, Scheduler scheduler) {
        this.limits = limits;
        this.scheduler = scheduler;
        this.places = new Places(limits.connections());
        this.mostOfSender = Math.max(1, limits.connections() / SENDERS);
    }

    /** Begins to look, until the scheduler stops. */
    void begin() {
        long period = Math.max(limits.patience().toNanos() / TURNS, TimeUnit.MILLISECONDS.toNanos(1));
        scheduler.schedule(
                () -> {
                    try {
                        look(System.nanoTime());
                    } finally {
                        begin();
                    }
                },
                period,
                TimeUnit.NANOSECONDS);
    }

    private void look(long now) {
        connections.values().forEach(connection -> connection.endIfLate(now));
        requests.forEach(timed -> timed.endIfLate(now));
    }

    @Override
    public void onOpened(Connection connection) {
        // Below TLS. The connection above it has an end point of its own, from the handshake on.
        if (!(connection instanceof SslConnection)) {
            Served opened = new Served(connection.getEndPoint());
            connections.put(connection.getEndPoint(), opened);
            if (isFull()) {
                connections.values().forEach(Served::endIfKept);
            }
            makeRoom(opened);
        }
    }

    /**
     * Closes a connection without a request, if there are too many. The sender with most connections loses its oldest one. If all have
     * requests, the new connection stays, unless its sender has too many.
     */
    private void makeRoom(Served opened) {
        Map<String, List<Served>> senders =
                connections.values().stream().collect(Collectors.groupingBy(each -> each.sender));
        List<Served> own = senders.getOrDefault(opened.sender, List.of());
        if (!opened.sender.isEmpty() && own.size() > mostOfSender) {
            oldestIdle(own, opened).orElse(opened).end();
        } else if (connections.size() - endless.get() > limits.connections()) {
            senders.values().stream()
                    .max(Comparator.comparingInt(List::size))
                    .flatMap(all -> oldestIdle(all, opened))
                    .ifPresent(Served::end);
        }
    }

    @SuppressWarnings("ReferenceEquality") // A connection is nothing but itself.
    private static Optional<Served> oldestIdle(List<Served> all, Served other) {
        return all.stream()
                .filter(each -> each != other && each.isIdle())
                .min(Comparator.comparingLong(Served::idleSince));
    }

    @Override
    public void onClosed(Connection connection) {
        connections.remove(connection.getEndPoint());
    }

    /** Whether the server accepts no further connection. A client must not wait for one that is kept without a request. */
    private boolean isFull() {
        return connections.size() - endless.get() >= limits.connections();
    }

    /** How many places connections have at most, with those that the server keeps for {@code /healthz} and for endless responses. */
    static int most(ServerLimits limits) {
        return limits.connections() + Places.RESERVED + WatchPlaces.MOST;
    }

    /** How many requests are being answered. */
    int activeRequests() {
        return requests.size();
    }

    /** Closes the connections that wait for a request, and from now on each one when its response has ended. */
    void end() {
        isEnding = true;
        connections.values().forEach(Served::endIfIdle);
    }

    /** A handler that keeps time for another one. */
    Handler around(Handler handler) {
        return new Handler.Wrapper(handler) {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                Served connection = connections.get(
                        request.getConnectionMetaData().getConnection().getEndPoint());
                TimedRequest timed = TimedRequest.begin(request, limits);
                requests.add(timed);
                if (connection != null) {
                    connection.begin();
                }
                if (isFull()) {
                    response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
                }
                Request.addCompletionListener(request, failure -> {
                    requests.remove(timed);
                    if (connection != null) {
                        connection.finish();
                    }
                });
                try {
                    take(request, timed);
                } catch (Refusal e) {
                    ErrorReply.write(request, response, callback, e);
                    return true;
                }
                return super.handle(request, response, callback);
            }
        };
    }

    /** Takes a place for a request, until it ends or its response is endless. */
    private void take(Request request, TimedRequest timed) {
        if (Entrance.HEALTH.equals(request.getHttpURI().getPath())) {
            return;
        }
        places.enter();
        AtomicBoolean isEndless = new AtomicBoolean();
        timed.whenUnlimited(() -> {
            if (isEndless.compareAndSet(false, true)) {
                endless.incrementAndGet();
                places.leave();
            }
        });
        Request.addCompletionListener(request, failure -> {
            if (isEndless.get()) {
                endless.decrementAndGet();
            } else {
                places.leave();
            }
        });
    }

    /** A connection, and how many of its requests are being answered: of HTTP/2 several at once. */
    private final class Served {
        private final EndPoint endPoint;

        /** See {@link Places#sender}. */
        private final String sender;

        @GuardedBy("this")
        private int requests;

        @GuardedBy("this")
        private boolean hasServed;

        /** Since when the connection has had no request. */
        @GuardedBy("this")
        private long since = System.nanoTime();

        Served(EndPoint endPoint) {
            this.endPoint = endPoint;
            this.sender = Places.sender(endPoint.getRemoteSocketAddress());
        }

        synchronized void begin() {
            requests++;
        }

        void finish() {
            synchronized (this) {
                requests--;
                since = System.nanoTime();
                hasServed = true;
            }
            if (isEnding || isFull()) {
                endIfIdle();
            }
        }

        private synchronized boolean isIdle() {
            return requests == 0;
        }

        private synchronized long idleSince() {
            return since;
        }

        void end() {
            endPoint.close();
        }

        private synchronized boolean isLate(long now) {
            return requests == 0 && now - since > limits.patience().toNanos();
        }

        private synchronized boolean isKept() {
            return hasServed && isIdle();
        }

        /** Closes a connection that has no request. */
        void endIfIdle() {
            if (isIdle()) {
                endPoint.close();
            }
        }

        /** Closes a connection that has had a request and has none now. The client opens another one if it needs it. */
        void endIfKept() {
            if (isKept()) {
                endPoint.close();
            }
        }

        void endIfLate(long now) {
            if (isLate(now)) {
                endPoint.close(new TimeoutException("no request has come in time"));
            }
        }
    }
}
