package dev.pail.server.http;

import dev.pail.Escapes;
import dev.pail.remote.wire.Messages;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Writes errors: one sentence as text, or JSON below {@code /v1} and if the client takes that. Jetty asks it for errors of its own, such as a malformed header. */
public final class ErrorReply extends ErrorHandler {
    /** The most bytes of a body to read for nothing. A client that sends more may not get to read the error. */
    private static final long MOST_DISCARDED = 64 << 20;

    /** Answers a request with a refusal. */
    public static void write(Request request, Response response, Callback callback, Refusal refusal) {
        // Pages that may read the answers of an open gateway may read its errors, too.
        boolean isOpen = ForeignPages.isDescribedAsOpen(response.getHeaders());
        boolean isLast = response.getHeaders().contains(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        response.reset();
        ForeignPages.describe(response.getHeaders(), isOpen);
        if (isLast) {
            response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        }
        String allowed = refusal.allowed();
        if (allowed != null) {
            response.getHeaders().put(HttpHeader.ALLOW, allowed);
        }
        if (refusal.status() == HttpStatus.SERVICE_UNAVAILABLE_503
                || refusal.status() == HttpStatus.TOO_MANY_REQUESTS_429) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, Refusal.RETRY_AFTER);
        }
        if (refusal.status() == HttpStatus.UNAUTHORIZED_401) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        }
        write(request, response, callback, refusal.status(), refusal.code(), WireText.without(request, refusal.text()));
    }

    private static void write(
            Request request, Response response, Callback callback, int status, String code, String text) {
        boolean isJson = isApi(request) || request.getHeaders().contains(HttpHeader.ACCEPT, "application/json");
        byte[] body = isJson ? json(code, text) : (Escapes.printable(text) + "\n").getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, isJson ? "application/json" : "text/plain; charset=utf-8");
        headers.put(JsonReply.NOT_STORED);
        headers.put(JsonReply.NO_SNIFFING);
        if (!ForeignPages.isDescribedAsOpen(headers)) {
            headers.put(ForeignPages.OWN_PAGES);
        }
        headers.put(HttpHeader.CONTENT_LENGTH, body.length);
        Discard rest = new Discard(request, callback);
        boolean isOldChunked = request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_0
                && request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
        if (isOldChunked) {
            headers.put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        }
        if (rest.available()) {
            response.write(true, ByteBuffer.wrap(body), callback);
            return;
        }
        // Jetty closes the connection after that. Without this header, a client sends its next request on it and gets
        // no response.
        headers.put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        response.write(true, ByteBuffer.wrap(body), Callback.from(rest, callback::failed));
    }

    /**
     * Reads what is left of a body, and then ends the response. If the server closed a connection on which the client still sends, the
     * system would drop the error before the client reads it.
     */
    private static final class Discard implements Runnable {
        private final Request request;
        private final Callback callback;
        private long left = MOST_DISCARDED;

        Discard(Request request, Callback callback) {
            this.request = request;
            this.callback = callback;
        }

        /** Reads what is here, and says whether that is the end of the body. */
        boolean available() {
            while (left > 0) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    return false;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    left = 0;
                    return false;
                }
                left -= chunk.remaining();
                boolean isLast = chunk.isLast();
                chunk.release();
                if (isLast) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void run() {
            if (available() || left <= 0) {
                callback.succeeded();
            } else {
                request.demand(this);
            }
        }
    }

    private static boolean isApi(Request request) {
        return String.valueOf(request.getHttpURI().getPath()).startsWith("/v1/");
    }

    /** The JSON of an error. */
    public static byte[] json(String code, String text) {
        return Messages.problem(new Messages.Problem(text, code, Optional.empty(), Optional.empty()));
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int status,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        boolean isOurs = status >= HttpStatus.INTERNAL_SERVER_ERROR_500;
        if (isOurs && cause != null) {
            TimedRequest.failed(request, cause);
        }
        if (cause instanceof HttpException) {
            // Jetty closes the connection after that.
            response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        }
        String text = isOurs || message == null ? String.valueOf(HttpStatus.getMessage(status)) : message;
        write(request, response, callback, status, isOurs ? "internal" : "bad-request", text);
    }
}
