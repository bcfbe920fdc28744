package dev.pail.server;

import dev.pail.PailException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Lets in the requests that may be answered, leads them to what answers, and answers with a sentence if that fails.
 *
 * <p>A page of a foreign site that a browser of this machine shows can send requests here, too: by a name of its own that leads to
 * 127.0.0.1, which its {@code Host} shows, or directly, which its {@code Origin} shows.
 */
final class Entrance extends Handler.Abstract {
    static final HttpField NO_SNIFFING = new HttpField("X-Content-Type-Options", "nosniff");

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(?:\\.[0-9]{1,3}){3}|\\[(?:::|(?:0:){7})1]");

    private final Map<String, Endpoint> endpoints;

    /** @param endpoints by what their paths begin with; of several that fit, the first one answers */
    Entrance(Map<String, Endpoint> endpoints) {
        this.endpoints = endpoints;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        try {
            checkSender(request);
            Caller.LOCAL.send(request);
            String path = String.valueOf(request.getHttpURI().getPath());
            for (Map.Entry<String, Endpoint> each : endpoints.entrySet()) {
                if (path.startsWith(each.getKey())) {
                    each.getValue().answer(request, response, callback);
                    return true;
                }
            }
            throw Refusal.notFound(
                    "there is nothing at this path: the server has " + String.join(", ", endpoints.keySet()));
        } catch (Refusal e) {
            refuse(request, response, callback, e);
        } catch (PailException e) {
            refuse(request, response, callback, Refusal.of(e));
        }
        return true;
    }

    /**
     * Checks the method of a request.
     *
     * @param allowed the methods that are answered, with commas
     */
    static void checkMethod(Request request, String allowed) {
        if (!Set.of(allowed.split(", ")).contains(request.getMethod())) {
            throw Refusal.methodNotAllowed(request.getMethod(), allowed);
        }
    }

    /** Answers that the server runs. */
    static void answerHealth(Request request, Response response, Callback callback) {
        checkMethod(request, "GET, HEAD");
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        response.getHeaders().put(JsonReply.NOT_STORED);
        response.write(true, ByteBuffer.wrap("ok\n".getBytes(StandardCharsets.US_ASCII)), callback);
    }

    /** A response that has begun cannot be taken back: the connection ends in the middle of it. */
    private static void refuse(Request request, Response response, Callback callback, Refusal refusal) {
        if (response.isCommitted()) {
            callback.failed(refusal);
        } else {
            ErrorReply.write(request, response, callback, refusal);
        }
    }

    /** Only this machine asks, and no page of another origin (GW12). */
    private static void checkSender(Request request) {
        String host = request.getHeaders().get(HttpHeader.HOST);
        String name = String.valueOf(Request.getServerName(request)).toLowerCase(Locale.ROOT);
        if (host == null || !LOOPBACK.matcher(name).matches()) {
            throw Refusal.forbidden(
                    "the server answers to localhost and loopback addresses, not to the host of this request");
        }
        for (HttpField origin : request.getHeaders().getFields(HttpHeader.ORIGIN)) {
            if (!("http://" + host).equalsIgnoreCase(origin.getValue())) {
                throw Refusal.forbidden("the server answers no request that a page of another origin sends");
            }
        }
    }
}
