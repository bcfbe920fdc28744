package dev.pail.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A body that is sent with its length if it is small, else in chunks, when the server has agreed to read them. */
final class HttpUpload extends OutputStream {
    private static final int SMALL = 256 << 10;

    /** What a push waits longer for its answer, for each block. */
    private static final Duration OF_BLOCK = Duration.ofMillis(10);

    /** A server ends a request after an hour. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final HttpURLConnection connection;
    private final Waiting waiting;
    private final ByteArrayOutputStream small = new ByteArrayOutputStream();
    private @Nullable OutputStream out;
    private Duration extra = Duration.ZERO;

    HttpUpload(HttpURLConnection connection, Waiting waiting) {
        this.connection = connection;
        this.waiting = waiting;
        connection.setDoOutput(true);
    }

    /** Notes how many blocks the server stores before it answers. It may sync a file for each. */
    void stores(long blocks) {
        Duration time = OF_BLOCK.multipliedBy(blocks);
        extra = time.compareTo(LONGEST) < 0 ? time : LONGEST;
    }

    boolean hasBegun() {
        return out != null || small.size() > SMALL;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (out == null) {
            small.write(bytes, offset, length);
            if (small.size() > SMALL) {
                connection.setChunkedStreamingMode(SMALL);
                connection.setRequestProperty("Expect", "100-continue");
                readsUntil(LONGEST);
                OutputStream unused = begin();
            }
        } else {
            OutputStream begun = out;
            move(length, () -> begun.write(bytes, offset, length));
        }
    }

    private OutputStream begin() throws IOException {
        OutputStream begun = waiting.await(connection::getOutputStream, unused -> 0);
        out = begun;
        move(small.size(), () -> small.writeTo(begun));
        return begun;
    }

    /** Ends the body. Without this, the server takes it for cut off. */
    void end() throws IOException {
        OutputStream begun = out;
        if (begun == null) {
            connection.setFixedLengthStreamingMode(small.size());
            readsUntil(extra);
            begun = begin();
        }
        move(0, begun::close);
        waiting.extend(extra);
    }

    /** The JDK takes no other timeout later. */
    private void readsUntil(Duration longer) {
        connection.setReadTimeout((int) Math.min(connection.getReadTimeout() + longer.toMillis(), Integer.MAX_VALUE));
    }

    private interface Write {
        void run() throws IOException;
    }

    private void move(int bytes, Write write) throws IOException {
        int unused = waiting.await(
                () -> {
                    write.run();
                    return bytes;
                },
                Integer::longValue);
    }
}
