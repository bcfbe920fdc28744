package dev.pail.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    private final ServerLimits limits;
    private final Scheduler scheduler;
    private final Map<EndPoint, Served> connections = new ConcurrentHashMap<>();
    private final Set<TimedRequest> requests = ConcurrentHashMap.newKeySet();

    /** Whether a connection ends with the response that it is at. */
    private volatile boolean isEnding;

    Deadlines(ServerLimits limits, Scheduler scheduler) {
        this.limits = limits;
        this.scheduler = scheduler;
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
            connections.put(connection.getEndPoint(), new Served(connection.getEndPoint()));
            if (isFull()) {
                connections.values().forEach(Served::endIfKept);
            }
        }
    }

    @Override
    public void onClosed(Connection connection) {
        connections.remove(connection.getEndPoint());
    }

    /** Whether the server accepts no further connection. A client must not wait for one that is kept without a request. */
    private boolean isFull() {
        return connections.size() >= limits.connections();
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
                return super.handle(request, response, callback);
            }
        };
    }

    /** A connection, and how many of its requests are being answered: of HTTP/2 several at once. */
    private final class Served {
        private final EndPoint endPoint;

        @GuardedBy("this")
        private int requests;

        @GuardedBy("this")
        private boolean hasServed;

        /** Since when the connection has had no request. */
        @GuardedBy("this")
        private long since = System.nanoTime();

        Served(EndPoint endPoint) {
            this.endPoint = endPoint;
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
