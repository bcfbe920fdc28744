package dev.pail.server.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.server.http.ErrorReply;
import dev.pail.server.http.Paths;
import dev.pail.server.http.TimedRequest;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
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
public final class Deadlines implements Connection.Listener {
    /** How often all are looked at within the patience: a client may have a quarter more of it. */
    private static final int TURNS = 4;

    /** How often all are looked at, if the patience is longer. */
    private static final long MOST_PERIOD = TimeUnit.MILLISECONDS.toNanos(250);

    /**
     * How long a connection may be without a request if there are too many: so long its first one may take to come in. Time in which the
     * server was stopped does not count, as it has not read then what clients sent.
     */
    private static final long SPARED = TimeUnit.SECONDS.toNanos(1);

    /** How long the client of a request may keep the server waiting while another request waits for a place. */
    private static final long SLOW = TimeUnit.SECONDS.toNanos(2);

    /** A remote address may have this part of the connections. */
    private static final int SENDERS = 4;

    /** The connections that a token keeps if there are too many, unless tokens keep half of all. */
    private static final int KEPT = 8;

    private final int mostConnections;
    private final Duration patience;
    private final Duration requestTime;
    private final Scheduler scheduler;
    private final Executor executor;
    private final Function<Request, String> senders;
    private final Map<EndPoint, Served> connections = new ConcurrentHashMap<>();

    /** How many connections each sender has. */
    private final Map<String, Integer> bySender = new ConcurrentHashMap<>();

    private final Set<TimedRequest> requests = ConcurrentHashMap.newKeySet();

    private final Places places;

    /** The most connections of one remote address. */
    private final int mostOfSender;

    /** How many connections have an endless response. These have a limit of their own. */
    private final AtomicInteger endless = new AtomicInteger();

    /** How often all are looked at, in nanoseconds. */
    private final long period;

    /** How often all were looked at. */
    private volatile long looks;

    /** Whether a connection ends with the response that it is at. */
    private volatile boolean isEnding;

    /**
     * @param mostConnections the most open connections
     * @param patience how long the server waits for a client
     * @param requestTime how long a request may take
     * @param executor continues requests that have waited for a place
     * @param senders names the sender of a request, which shares places with others
     */
    public Deadlines(
            int mostConnections,
            Duration patience,
            Duration requestTime,
            Scheduler scheduler,
            Executor executor,
            Function<Request, String> senders) {
        this.mostConnections = mostConnections;
        this.patience = patience;
        this.requestTime = requestTime;
        this.scheduler = scheduler;
        this.executor = executor;
        this.senders = senders;
        this.places = new Places(mostConnections, Places.MOST_WAITING);
        this.mostOfSender = Math.max(1, mostConnections / SENDERS);
        long turn = Math.max(patience.toNanos() / TURNS, TimeUnit.MILLISECONDS.toNanos(1));
        this.period = Math.min(turn, MOST_PERIOD);
    }

    /** Begins to look, until the scheduler stops. */
    public void begin() {
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

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread looks at a time.
    private void look(long now) {
        looks++;
        connections.values().forEach(connection -> connection.endIfLate(now));
        requests.forEach(timed -> timed.endIfLate(now));
        if (isFull()) {
            connections.values().forEach(Served::endIfSpare);
        }
        if (places.isScarce()) {
            requests.forEach(timed -> timed.endIfWaiting(now, SLOW));
            places.refuseLate(now);
        }
    }

    @Override
    public void onOpened(Connection connection) {
        // Below TLS. The connection above it has an end point of its own, from the handshake on.
        if (!(connection instanceof SslConnection)) {
            Served opened = new Served(connection.getEndPoint());
            boolean isNew = connections.put(connection.getEndPoint(), opened) == null;
            if (isNew && countOf(opened.sender) > mostOfSender && !opened.sender.isEmpty()) {
                oldestOf(opened.sender).orElse(opened).end();
            }
        }
    }

    /** Counts a connection of a sender and gives how many it has. */
    private int countOf(String sender) {
        return bySender.merge(sender, 1, Integer::sum);
    }

    /** The connection of a sender that has been without a request for longest. */
    private Optional<Served> oldestOf(String sender) {
        return connections.values().stream()
                .filter(each -> each.sender.equals(sender) && each.isSpare())
                .min(Comparator.comparingLong(Served::idleSince));
    }

    @Override
    public void onClosed(Connection connection) {
        Served closed = connections.remove(connection.getEndPoint());
        if (closed != null) {
            bySender.computeIfPresent(closed.sender, (sender, count) -> count > 1 ? count - 1 : null);
        }
    }

    /** Whether the server accepts no further connection. A client must not wait for one that is kept without a request. */
    private boolean isFull() {
        return connections.size() - endless.get() >= mostConnections;
    }

    /** How many places connections have at most, with those that the server keeps for {@code /healthz} and for endless responses. */
    public static int most(int connections) {
        return connections
                + Places.RESERVED
                + WatchPlaces.most(Runtime.getRuntime().maxMemory());
    }

    /**
     * Whether a connection stays for further requests, although there are too many: a client with a token waits for a place once, and not with
     * each request, as long as it does not let a second pass without one.
     */
    private boolean isKept(Served connection, Request request) {
        String token = senders.apply(request);
        connection.owner = "";
        if (Places.isToken(token)) {
            Map<Boolean, Long> kept = connections.values().stream()
                    .filter(each -> !each.owner.isEmpty())
                    .collect(Collectors.partitioningBy(each -> each.owner.equals(token), Collectors.counting()));
            long own = kept.getOrDefault(true, 0L);
            if (mayKeep(own, own + kept.getOrDefault(false, 0L), mostConnections)) {
                connection.owner = token;
            }
        }
        return !connection.owner.isEmpty();
    }

    /** Whether a token that keeps some connections, of all that tokens keep, keeps another one. */
    static boolean mayKeep(long own, long all, int connections) {
        return own < KEPT && all < connections / 2;
    }

    /** How many requests are being answered. */
    public int activeRequests() {
        return requests.size();
    }

    /** Closes the connections that wait for a request, and from now on each one when its response has ended. */
    public void end() {
        isEnding = true;
        connections.values().forEach(Served::endIfIdle);
    }

    /** A handler that keeps time for another one. */
    public Handler around(Handler handler) {
        return new Handler.Wrapper(handler) {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                Served connection = connections.get(
                        request.getConnectionMetaData().getConnection().getEndPoint());
                TimedRequest timed = TimedRequest.begin(request, patience, requestTime);
                requests.add(timed);
                if (connection != null) {
                    connection.begin();
                }
                if (connection != null && isFull() && !isKept(connection, request)) {
                    connection.isLast = true;
                    response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
                }
                Request.addCompletionListener(request, failure -> {
                    requests.remove(timed);
                    if (connection != null) {
                        connection.finish();
                    }
                });
                if (Paths.HEALTH.equals(request.getHttpURI().getPath())) {
                    return super.handle(request, response, callback);
                }
                if (places.tryEnter()) {
                    hold(request, timed);
                    return super.handle(request, response, callback);
                }
                Runnable begin = () -> {
                    hold(request, timed);
                    handleLater(getHandler(), request, response, callback);
                };
                places.enterLater(
                        senders.apply(request),
                        new Places.Turn(
                                System.nanoTime(),
                                () -> executor.execute(begin),
                                refusal -> ErrorReply.write(request, response, callback, refusal)));
                return true;
            }
        };
    }

    /** Answers a request that has waited: no caller answers if the handler does not. */
    private static void handleLater(Handler handler, Request request, Response response, Callback callback) {
        try {
            if (!handler.handle(request, response, callback)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Throwable e) {
            Response.writeError(request, response, callback, e);
        }
    }

    /** Keeps the place of a request until it ends or its response is endless. */
    private void hold(Request request, TimedRequest timed) {
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

        /** The token that keeps the connection; empty if none does. */
        private volatile String owner = "";

        /** Whether a response said that it is the last one: a client would send its next request to a connection that ends otherwise. */
        private volatile boolean isLast;

        @GuardedBy("this")
        private int requests;

        /** Since when the connection has had no request. */
        @GuardedBy("this")
        private long since = System.nanoTime();

        /** The same, in looks. */
        @GuardedBy("this")
        private long sinceLook = looks;

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
                sinceLook = looks;
            }
            if (isEnding || isLast) {
                endIfIdle();
            }
        }

        private synchronized boolean isIdle() {
            return requests == 0;
        }

        private synchronized long idleSince() {
            return since;
        }

        /** Whether the connection is closed if there are too many. A new one has time to send its request. */
        synchronized boolean isSpare() {
            return requests == 0 && (looks - sinceLook) * period > SPARED;
        }

        void end() {
            endPoint.close();
        }

        void endIfSpare() {
            if (isSpare()) {
                endPoint.close();
            }
        }

        private synchronized boolean isLate(long now) {
            return requests == 0 && now - since > patience.toNanos();
        }

        /** Closes a connection that has no request. */
        void endIfIdle() {
            if (isIdle()) {
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
