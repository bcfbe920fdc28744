package dev.pail.server.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response, as far as its client can hold them up. Only the time in which the server waits for the client counts
 * against the patience: a slow disk is not its fault. Safe for use by several threads.
 */
public final class TimedRequest {
    /** How many bytes have to move within the patience. */
    public static final int LEAST = 64 << 10;

    private static final String ATTRIBUTE = TimedRequest.class.getName();

    private final Request request;
    private final Duration requestTime;
    private final long begun = System.nanoTime();
    private final Wait reading;
    private final Wait writing;
    private volatile boolean isUnlimited;
    private volatile Runnable onUnlimited = () -> {};
    private volatile String endpoint = "none";
    private volatile String failure = "";

    private TimedRequest(Request request, Duration patience, Duration requestTime) {
        this.request = request;
        this.requestTime = requestTime;
        this.reading = new Wait(patience.toNanos());
        this.writing = new Wait(patience.toNanos());
    }

    /**
     * Begins to keep time for a request.
     *
     * @param patience how long the server waits for the client
     * @param requestTime how long the request may take
     */
    public static TimedRequest begin(Request request, Duration patience, Duration requestTime) {
        TimedRequest timed = new TimedRequest(request, patience, requestTime);
        request.setAttribute(ATTRIBUTE, timed);
        request.addHttpStreamWrapper(timed::watch);
        return timed;
    }

    /** Removes the deadline of an endless response: it may take as long as the client reads it, and counts for no limit of requests. */
    public static void withoutDeadline(Request request) {
        if (request.getAttribute(ATTRIBUTE) instanceof TimedRequest timed) {
            timed.isUnlimited = true;
            timed.onUnlimited.run();
        }
    }

    /** Does something when the deadline is removed. */
    public void whenUnlimited(Runnable action) {
        onUnlimited = action;
    }

    /** Notes which endpoint answers. */
    public static void answeredBy(Request request, String endpoint) {
        if (request.getAttribute(ATTRIBUTE) instanceof TimedRequest timed) {
            timed.endpoint = endpoint;
        }
    }

    /** Which endpoint answers; {@code none} if none does. */
    public static String endpointOf(Request request) {
        return request.getAttribute(ATTRIBUTE) instanceof TimedRequest timed ? timed.endpoint : "none";
    }

    /** Notes a failure of the server itself, for the log. The client need not know where its files are. */
    public static void failed(Request request, Throwable why) {
        if (request.getAttribute(ATTRIBUTE) instanceof TimedRequest timed) {
            Throwable cause = why.getCause();
            timed.failure = String.valueOf(why) + (cause == null ? "" : ": " + cause);
        }
    }

    /** The failure of the server itself; empty if there was none. */
    public static String failureOf(Request request) {
        return request.getAttribute(ATTRIBUTE) instanceof TimedRequest timed ? timed.failure : "";
    }

    public void endIfLate(long now) {
        boolean isTooLong = !isUnlimited && now - begun > requestTime.toNanos();
        if (isTooLong || reading.isLate(now) || writing.isLate(now)) {
            end(new TimeoutException(isTooLong ? "the request takes too long" : "the client is too slow"));
        }
    }

    /** Ends a request whose client the server has waited for since 64 KiB moved, longer than a time in nanoseconds. */
    public static void endIfWaiting(Request request, long time) {
        if (request.getAttribute(ATTRIBUTE) instanceof TimedRequest timed) {
            timed.endIfWaiting(System.nanoTime(), time);
        }
    }

    /** Ends this request if the server has waited for its client since 64 KiB moved, longer than a time in nanoseconds. */
    public void endIfWaiting(long now, long time) {
        if (!isUnlimited && (reading.waited(now) > time || writing.waited(now) > time)) {
            end(new TimeoutException("the client is too slow while others wait"));
        }
    }

    /**
     * Ends the connection, also one of HTTP/2 with other requests: a reset of the stream alone may leave the thread in a write that nothing
     * ends.
     */
    private void end(TimeoutException why) {
        request.getConnectionMetaData().getConnection().getEndPoint().close(why);
    }

    private HttpStream watch(HttpStream stream) {
        return new HttpStream.Wrapper(stream) {
            @Override
            public Content.@Nullable Chunk read() {
                Content.Chunk chunk = super.read();
                if (chunk != null) {
                    reading.finish(chunk.remaining());
                }
                return chunk;
            }

            @Override
            public void demand() {
                reading.beginIfNone();
                super.demand();
            }

            @Override
            public void send(
                    MetaData.Request request,
                    MetaData.@Nullable Response response,
                    boolean last,
                    @Nullable ByteBuffer content,
                    Callback callback) {
                long size = content == null ? 0 : content.remaining();
                writing.begin(size);
                super.send(request, response, last, content, new Callback.Nested(callback) {
                    @Override
                    public void completed() {
                        writing.finish(size);
                    }
                });
            }
        };
    }

    /** The time that one direction has waited for the client since {@link #LEAST} bytes moved. */
    private static final class Wait {
        private final long patience;

        /** A writer may begin the next write before the end of the last one was reported. */
        @GuardedBy("this")
        private int pending;

        @GuardedBy("this")
        private long since;

        /** What is left of the patience, in nanoseconds. */
        @GuardedBy("this")
        private long left;

        @GuardedBy("this")
        private long moved;

        Wait(long patience) {
            this.patience = patience;
            this.left = patience;
        }

        /** A reader that finds nothing asks again: that is the same wait. */
        synchronized void beginIfNone() {
            if (pending == 0) {
                begin(0);
            }
        }

        /** @param size how many bytes have to move until the wait ends */
        synchronized void begin(long size) {
            if (pending++ == 0) {
                since = System.nanoTime();
            }
            // How far a large write has come is not known: it has the time for all of it.
            left += patience * (size / LEAST);
        }

        synchronized void finish(long size) {
            if (pending > 0) {
                long now = System.nanoTime();
                left -= now - since;
                since = now;
                pending--;
            }
            moved += size;
            if (moved >= LEAST) {
                moved = 0;
                left = patience;
            }
        }

        /** How long the server has waited in this direction since 64 KiB moved; 0 if it does not wait now. */
        synchronized long waited(long now) {
            return pending > 0 ? Math.max(0, patience - left) + now - since : 0;
        }

        synchronized boolean isLate(long now) {
            return pending > 0 && now - since > left;
        }
    }
}
