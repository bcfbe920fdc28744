package dev.pail.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.CyclicTimeout;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections whose clients are slow: whose next header is not whole in time, counted from the end of the response before, or who
 * take less than {@link #LEAST} bytes of a response in that time. The idle timeout of the connector ends only those that do nothing at
 * all. Rule GW13.
 */
final class Deadlines implements Connection.Listener {
    /** How many bytes have to move within the patience. */
    static final int LEAST = 64 << 10;

    private final long patience;
    private final Scheduler scheduler;
    private final Map<EndPoint, Deadline> deadlines = new ConcurrentHashMap<>();

    /** Whether a connection ends with the response that it is at. */
    private volatile boolean isEnding;

    Deadlines(Duration patience, Scheduler scheduler) {
        this.patience = patience.toNanos();
        this.scheduler = scheduler;
    }

    @Override
    public void onOpened(Connection connection) {
        Deadline deadline = new Deadline(connection);
        deadlines.put(connection.getEndPoint(), deadline);
        deadline.awaitHeader();
    }

    @Override
    public void onClosed(Connection connection) {
        Deadline deadline = deadlines.remove(connection.getEndPoint());
        if (deadline != null) {
            deadline.destroy();
        }
    }

    /** Closes the connections that wait for a request, and from now on each one when its response has ended. */
    void end() {
        isEnding = true;
        deadlines.values().forEach(Deadline::endIfIdle);
    }

    /** A handler that keeps time for another one. */
    Handler around(Handler handler) {
        return new Handler.Wrapper(handler) {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                Deadline deadline = deadlines.get(
                        request.getConnectionMetaData().getConnection().getEndPoint());
                if (deadline != null) {
                    deadline.awaitProgress();
                    Request.addCompletionListener(request, failure -> deadline.awaitHeader());
                }
                return super.handle(request, response, callback);
            }
        };
    }

    private final class Deadline extends CyclicTimeout {
        private final Connection connection;

        /** Whether a request is being answered, and what had been moved when the present period began. */
        private volatile boolean isAnswering;

        private volatile long moved;

        Deadline(Connection connection) {
            super(scheduler);
            this.connection = connection;
        }

        void awaitHeader() {
            isAnswering = false;
            endIfIdle();
            schedule(patience, TimeUnit.NANOSECONDS);
        }

        void awaitProgress() {
            isAnswering = true;
            moved = count();
            schedule(patience, TimeUnit.NANOSECONDS);
        }

        void endIfIdle() {
            if (isEnding && !isAnswering) {
                connection.getEndPoint().close();
            }
        }

        private long count() {
            return connection.getBytesIn() + connection.getBytesOut();
        }

        @Override
        public void onTimeoutExpired() {
            if (isAnswering && count() - moved >= LEAST) {
                awaitProgress();
            } else {
                connection.getEndPoint().close(new TimeoutException("the client is too slow"));
            }
        }
    }
}
