package dev.pail.server;

import dev.pail.PailException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
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

    private static final String IPFS = "/ipfs/";
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(?:\\.[0-9]{1,3}){3}|\\[(?:::|(?:0:){7})1]");

    private final Gateway gateway;

    Entrance(Gateway gateway) {
        this.gateway = gateway;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        try {
            checkSender(request);
            String path = String.valueOf(request.getHttpURI().getPath());
            String method = request.getMethod();
            if (!HttpMethod.GET.is(method) && !HttpMethod.HEAD.is(method)) {
                throw Refusal.methodNotAllowed(method);
            }
            if (path.startsWith(IPFS)) {
                gateway.answer(request, response, callback);
            } else if (path.equals("/healthz")) {
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
                response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
                response.write(true, ByteBuffer.wrap("ok\n".getBytes(StandardCharsets.US_ASCII)), callback);
            } else {
                throw Refusal.notFound("there is nothing at this path: the server has /ipfs/CID and /healthz");
            }
        } catch (Refusal e) {
            refuse(request, response, callback, e);
        } catch (PailException e) {
            refuse(request, response, callback, Refusal.of(e));
        }
        return true;
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
