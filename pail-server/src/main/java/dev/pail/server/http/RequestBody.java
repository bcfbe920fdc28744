package dev.pail.server.http;

import dev.pail.ipld.Block;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** Reads the body of a request, up to a limit. Before that, it takes a share of the memory for it. */
public final class RequestBody extends FilterInputStream {
    /** What an endpoint holds in memory of a body that it reads as a stream, in bytes, at most. */
    private static final long MOST_HELD = Block.MAX_SIZE;

    /** The bytes that are received, those that are decoded of them, and those that are written. */
    private static final int COPIES = 3;

    private final long most;
    private long left;

    /** The client ended or kept back a body. Other failures of input and output are those of the server's disk. */
    public static final class BrokenOff extends IOException {
        private static final long serialVersionUID = 1;

        BrokenOff(IOException cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }

    /** Whether a failure comes of a body that broke off. What reads a body as a CAR wraps it. */
    public static boolean isBrokenOff(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof BrokenOff) {
                return true;
            }
        }
        return false;
    }

    private RequestBody(InputStream in, long most) {
        super(in);
        this.most = most;
        this.left = most;
    }

    /**
     * The body as a stream, which throws a {@link Refusal} at the first byte above the limit.
     *
     * @param most the most bytes
     * @throws Refusal if the header of the request says that there are more
     */
    public static InputStream of(Request request, long most) {
        long length = request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
        if (length > most) {
            throw Refusal.tooLarge(most);
        }
        return of(request, most, length < 0 ? most : length);
    }

    /**
     * Returns the body of a request with deltas, from which the endpoint makes blocks of any size.
     *
     * @throws Refusal as {@link #of}
     */
    public static InputStream ofDeltas(Request request, long most) {
        if (request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > most) {
            throw Refusal.tooLarge(most);
        }
        return of(request, most, MOST_HELD);
    }

    private static InputStream of(Request request, long most, long held) {
        MemoryBudget.Share unused =
                MemoryBudget.take(request, MemoryBudget.Purpose.BODY, COPIES * Math.min(held, MOST_HELD));
        return new RequestBody(Content.Source.asInputStream(request), most);
    }

    private interface Reading {
        long read() throws IOException;
    }

    private static long received(Reading reading) throws BrokenOff {
        try {
            return reading.read();
        } catch (IOException e) {
            throw new BrokenOff(e);
        }
    }

    @Override
    public int read() throws IOException {
        int b = (int) received(super::read);
        count(b < 0 ? 0 : 1);
        return b;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = (int) received(() -> super.read(buffer, offset, length));
        count(Math.max(count, 0));
        return count;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = received(() -> super.skip(count));
        count(skipped);
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void count(long read) {
        left -= read;
        if (left < 0) {
            throw Refusal.tooLarge(most);
        }
    }
}
