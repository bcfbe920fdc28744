package dev.pail.server.sync;

import dev.pail.remote.wire.WireJson;
import dev.pail.repository.ChangeFeed;
import dev.pail.repository.Repository;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RefToken;
import dev.pail.repository.model.RepositoryException;
import dev.pail.server.access.WatchPlaces;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.ErrorReply;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import dev.pail.server.http.TimedRequest;
import dev.pail.server.http.WireText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Tells of the ref updates of a branch as server-sent events. Each watcher holds a thread and a connection, so there is a limit, which the
 * tokens share.
 * Rule SY12. Safe for use by several threads.
 */
public final class WatchEndpoint implements Endpoint, AutoCloseable {
    public static final String PATH = "/v1/watch";

    private static final String LAST_EVENT = "Last-Event-ID";
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Repository repository;
    private final Duration beat;
    private final Duration life;
    private final LongSupplier nanos;
    private final WatchPlaces places =
            new WatchPlaces(WatchPlaces.most(Runtime.getRuntime().maxMemory()));
    private final Set<ChangeFeed> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @param beat how long at most a watcher gets no bytes
     * @param life how long a response takes at most. A client that vanished without a word does not connect again, and nothing else tells:
     *     its system, or a proxy, may take what little is sent to it for hours
     * @param nanos the clock, as {@link System#nanoTime}
     */
    public WatchEndpoint(Repository repository, Duration beat, Duration life, LongSupplier nanos) {
        this.repository = repository;
        this.beat = beat;
        this.life = life;
        this.nanos = nanos;
    }

    @Override
    public void answer(Request request, Response response, Callback callback) throws IOException {
        Endpoint.checkMethod(request, "GET");
        Parameters parameters = Parameters.of(request, "branch", "from");
        String branch = parameters.find("branch").orElse(Repository.MAIN);
        // A browser that connects again says what it has seen last.
        Optional<String> from =
                Optional.ofNullable(request.getHeaders().get(LAST_EVENT)).or(() -> parameters.find("from"));
        Optional<RefToken> seen = from.flatMap(RefToken::parse);
        if (from.isPresent() && seen.isEmpty()) {
            throw Refusal.malformed("from is the id of an update, or its generation");
        }
        String name = Caller.of(request).name();
        try (ChangeFeed feed = feed(branch, seen)) {
            Runnable end = ending(feed);
            open.add(feed);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream; charset=utf-8");
            response.getHeaders().put(JsonReply.NOT_STORED);
            response.getHeaders().put(JsonReply.NO_SNIFFING);
            try {
                places.enter(name, end);
                TimedRequest.withoutDeadline(request);
                tell(feed, from.isEmpty(), request, response);
            } finally {
                open.remove(feed);
                places.leave(name, end);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        response.write(true, ByteBuffer.allocate(0), callback);
    }

    private ChangeFeed feed(String branch, Optional<RefToken> seen) {
        if (seen.isEmpty()) {
            return repository.changes(branch);
        }
        // A watcher of version 0.2.0 knows the generation alone.
        RefToken from = seen.get();
        return from.hash().isEmpty()
                ? repository.changes(branch, from.generation())
                : repository.changes(branch, from.toString());
    }

    /** Ends the watcher of a feed, and wakes its thread. */
    private Runnable ending(ChangeFeed feed) {
        return () -> {
            open.remove(feed);
            feed.close();
        };
    }

    private void tell(ChangeFeed feed, boolean isFromNow, Request request, Response response)
            throws IOException, InterruptedException {
        // Closing the stream would end the response twice.
        @SuppressWarnings("resource")
        OutputStream out = Content.Sink.asOutputStream(response);
        // A client that gets no update before the end continues from here, too.
        out.write(isFromNow ? ("id: " + feed.token() + "\n:\n\n").getBytes(StandardCharsets.US_ASCII) : COMMENT);
        out.flush();
        long begun = nanos.getAsLong();
        while (!closed && open.contains(feed) && nanos.getAsLong() - begun < life.toNanos()) {
            Optional<ChangeFeed.Update> next;
            try {
                next = feed.next(beat);
            } catch (RepositoryException e) {
                out.write(gone(request, e));
                out.flush();
                return;
            }
            out.write(next.map(update -> event(feed.branch(), update)).orElse(COMMENT));
            out.flush();
        }
    }

    /** The last event of a branch that was removed or renamed. All other failures end the response without one. */
    private static byte[] gone(Request request, RepositoryException failure) {
        if (failure.reason() != RepositoryException.Reason.NO_BRANCH) {
            throw failure;
        }
        byte[] data = ErrorReply.json(failure.code(), WireText.without(request, WireText.of(failure)));
        return ("event: removed\ndata: " + new String(data, StandardCharsets.UTF_8) + "\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] event(String branch, ChangeFeed.Update update) {
        LogEntry entry = update.entry();
        byte[] data = WireJson.write(json -> {
            json.writeStringField("name", branch);
            json.writeNumberField("generation", entry.generation());
            json.writeStringField("time", entry.time().toString());
            json.writeStringField("reason", entry.reason());
            JsonReply.writeNote(json, update.note());
            WireJson.writeCids(json, "head", entry.to().events());
        });
        // JSON of this writer has no line feed.
        return ("id: " + update.token() + "\nevent: update\ndata: " + new String(data, StandardCharsets.UTF_8) + "\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** How many watchers there are. */
    public int watchers() {
        return places.taken();
    }

    /** Ends the responses of all watchers, who connect again to another server. */
    @Override
    public void close() {
        closed = true;
        open.forEach(ChangeFeed::close);
    }
}
