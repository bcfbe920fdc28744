package dev.pail.server.http;

import dev.pail.StoreIOException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A body in gzip, for clients that take it. A small one has a {@code Content-Length}; of a large one, 64 KiB are in memory at a time.
 * Rule GW29.
 */
final class GzipBody extends OutputStream {
    static final HttpField BY_ENCODING = new PreEncodedHttpField(HttpHeader.VARY, "Accept-Encoding");

    private static final HttpField GZIP = new PreEncodedHttpField(HttpHeader.CONTENT_ENCODING, "gzip");

    /** A shorter body fits one packet anyway. */
    private static final int LEAST = 1 << 10;

    private static final int CHUNK = 64 << 10;

    /** What Deflater writes at a time. */
    private static final int STEP = 4 << 10;

    private final Response response;
    private final ByteArrayOutputStream chunk = new ByteArrayOutputStream(STEP);

    private GzipBody(Response response) {
        this.response = response;
    }

    /**
     * Whether a body of this size is sent in gzip. One with an {@code ETag} is not: a strong tag names one sequence of bytes, and clients send
     * it in {@code If-Match}. Errors are not: they repeat text of the request.
     */
    static boolean isWanted(Request request, Response response, int size) {
        return size >= LEAST
                && HttpStatus.isSuccess(response.getStatus())
                && !response.getHeaders().contains(HttpHeader.ETAG)
                && request.getHeaders().contains(HttpHeader.ACCEPT_ENCODING)
                && isAccepted(request.getHeaders().getQualityCSV(HttpHeader.ACCEPT_ENCODING));
    }

    /** @param codings without those of quality 0, the best ones first */
    private static boolean isAccepted(List<String> codings) {
        for (String each : codings) {
            if (each.equalsIgnoreCase("gzip") || each.equalsIgnoreCase("x-gzip")) {
                return true;
            }
            if (each.equalsIgnoreCase("identity")) {
                return false;
            }
        }
        return false;
    }

    /** Sends a body. Jetty leaves it out of the answer to {@code HEAD}. */
    static void send(Response response, Callback callback, byte[] body) {
        response.getHeaders().put(GZIP);
        GzipBody out = new GzipBody(response);
        try (OutputStream gzip = new FastGzip(out)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new StoreIOException("cannot send", "an answer", e);
        }
        // If nothing was sent before, Jetty says how long it is.
        response.write(true, ByteBuffer.wrap(out.chunk.toByteArray()), callback);
    }

    /** CIDs in JSON become hardly smaller with more effort. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, STEP);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        chunk.write(bytes, offset, length);
        if (chunk.size() >= CHUNK) {
            Content.Sink.write(response, false, ByteBuffer.wrap(chunk.toByteArray()));
            chunk.reset();
        }
    }
}
