package dev.pail.server.access;

import dev.pail.PailException;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.ErrorReply;
import dev.pail.server.http.ForeignPages;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.MemoryBudget;
import dev.pail.server.http.Paths;
import dev.pail.server.http.Refusal;
import dev.pail.server.http.RequestBody;
import dev.pail.server.http.TimedRequest;
import dev.pail.server.http.WireText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Lets in the requests that may be answered, leads them to what answers, and answers with a sentence if that fails.
 *
 * <p>A page of a foreign site that a browser of this machine shows can send requests here, too: by a name of its own that leads to
 * 127.0.0.1, which its {@code Host} shows, or directly, which its {@code Origin} shows.
 */
public final class Entrance extends Handler.Abstract {
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(?:\\.[0-9]{1,3}){3}|\\[(?:::|(?:0:){7})1]");

    /** Answered without a token: nothing there is of the repository. */
    private static final Set<String> OPEN = Set.of(Paths.HEALTH, Paths.PAGE, Paths.PAGE_FILES);

    /** Where requests write. */
    private static final Set<String> WRITING =
            Set.of(Paths.PUSH, Paths.VALUE, Paths.APPLY, Paths.TABLE, Paths.CONFLICTS);

    /**
     * What callers may do at most.
     *
     * @param barred why none of them may write; empty if their rights decide
     */
    public record Access(String barred) {
        public static final Access WRITE = new Access("");
        public static final Access READ = new Access("the server is read-only");

        /** For a server whose repository is a copy of another. */
        public static Access mirrorOf(String origin) {
            return new Access("the server is a read-only mirror of " + origin + ": change it there");
        }

        Caller of(Caller caller) {
            return barred.isEmpty() ? caller : caller.barred(barred);
        }
    }

    private final Map<String, Endpoint> endpoints;
    private final @Nullable Tokens tokens;
    private final Access access;
    private final ForeignPages pages;

    /** Where the repository is. */
    private final String place;

    private final Budgets budgets;
    private final WriteHealth health;

    /**
     * @param endpoints by their paths: a path that ends with a slash stands for all paths below it, except that of the page
     * @param tokens the accepted tokens: each request needs one; null if no request needs one
     * @param place where the repository is
     */
    public Entrance(
            Map<String, Endpoint> endpoints,
            @Nullable Tokens tokens,
            Access access,
            ForeignPages pages,
            String place,
            Budgets budgets,
            WriteHealth health) {
        this.endpoints = endpoints;
        this.tokens = tokens;
        this.access = access;
        this.pages = pages;
        this.place = place;
        this.budgets = budgets;
        this.health = health;
    }

    /** The memory that requests may take. */
    public record Budgets(MemoryBudget bodies, MemoryBudget responses) {
        private void offerTo(Request request) {
            bodies.offerTo(request, MemoryBudget.Purpose.BODY);
            responses.offerTo(request, MemoryBudget.Purpose.RESPONSE);
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        try {
            String path = String.valueOf(request.getHttpURI().getPath());
            if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_0
                    && request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)) {
                // A proxy of HTTP/1.0 does not see where such a body ends (GW20).
                throw Refusal.malformed("a request of HTTP/1.0 has no Transfer-Encoding");
            }
            boolean isOpen = pages.isOpen(request, path);
            ForeignPages.describe(response.getHeaders(), isOpen);
            WireText.hide(request, place);
            if (!isOpen) {
                pages.check(request, path);
            } else if (HttpMethod.OPTIONS.is(request.getMethod())) {
                // What a browser asks before it sends a request with a token. It has none itself.
                response.setStatus(HttpStatus.NO_CONTENT_204);
                response.write(true, ByteBuffer.allocate(0), callback);
                return true;
            }
            Caller caller = caller(request, path);
            access.of(caller).send(request);
            for (Map.Entry<String, Endpoint> each : endpoints.entrySet()) {
                if (isOf(path, each.getKey())) {
                    TimedRequest.answeredBy(request, each.getKey());
                    answer(each.getKey(), each.getValue(), request, response, callback);
                    return true;
                }
            }
            throw Refusal.notFound(
                    "there is nothing at this path: the server has " + String.join(", ", endpoints.keySet()));
        } catch (Refusal e) {
            refuse(request, response, callback, e);
        } catch (PailException e) {
            boolean isBrokenOff = RequestBody.isBrokenOff(e);
            refuse(request, response, callback, isBrokenOff ? Refusal.brokenOff(e) : Refusal.of(e));
        } catch (RequestBody.BrokenOff e) {
            refuse(request, response, callback, Refusal.brokenOff(e));
        } catch (OutOfMemoryError e) {
            refuse(request, response, callback, Refusal.noMemory(e));
        }
        return true;
    }

    private void answer(String path, Endpoint endpoint, Request request, Response response, Callback callback)
            throws IOException {
        budgets.offerTo(request);
        boolean isWrite = WRITING.contains(path)
                && !HttpMethod.GET.is(request.getMethod())
                && !HttpMethod.HEAD.is(request.getMethod());
        try {
            endpoint.answer(request, response, callback);
        } catch (PailException | Error e) {
            if (isWrite && !RequestBody.isBrokenOff(e)) {
                health.failed(e);
            }
            throw e;
        }
        if (isWrite && HttpStatus.isSuccess(response.getStatus())) {
            health.wrote();
        }
    }

    private static boolean isOf(String path, String endpoint) {
        boolean isExact = !endpoint.endsWith("/") || endpoint.equals(Paths.PAGE);
        return isExact ? path.equals(endpoint) : path.startsWith(endpoint);
    }

    /** Answers that the server runs, and whether it can write. */
    public static Endpoint answeringHealth(WriteHealth health) {
        return (request, response, callback) -> {
            Endpoint.checkMethod(request, "GET, HEAD");
            if (health.isFailing()) {
                throw Refusal.unavailable("the server reads, but its last write failed", null);
            }
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
            response.getHeaders().put(JsonReply.NOT_STORED);
            response.write(true, ByteBuffer.wrap("ok\n".getBytes(StandardCharsets.US_ASCII)), callback);
        };
    }

    /** A response that has begun cannot be taken back: the connection ends in the middle of it. */
    private static void refuse(Request request, Response response, Callback callback, Refusal refusal) {
        if (refusal.status() >= HttpStatus.INTERNAL_SERVER_ERROR_500 || response.isCommitted()) {
            TimedRequest.failed(request, refusal);
        }
        if (response.isCommitted()) {
            callback.failed(refusal);
        } else {
            ErrorReply.write(request, response, callback, refusal);
        }
    }

    /** Who sends a request (GW12). */
    private Caller caller(Request request, String path) {
        if (tokens != null) {
            boolean isOpen = OPEN.stream().anyMatch(each -> isOf(path, each));
            return isOpen ? Caller.UNKNOWN : tokens.caller(request);
        }
        String name = String.valueOf(Request.getServerName(request)).toLowerCase(Locale.ROOT);
        if (ForeignPages.host(request).equals("null") || !LOOPBACK.matcher(name).matches()) {
            throw Refusal.forbidden(
                    "the server answers to localhost and loopback addresses, not to the host of this request");
        }
        return Caller.LOCAL;
    }
}
