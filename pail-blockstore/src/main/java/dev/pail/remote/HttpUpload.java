package dev.pail.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;

/** A body that is sent with its length if it is small, else in chunks, when the server has agreed to read them. */
final class HttpUpload extends OutputStream {
    private static final int SMALL = 256 << 10;

    private final HttpURLConnection connection;
    private final Waiting waiting;
    private final ByteArrayOutputStream small = new ByteArrayOutputStream();
    private @Nullable OutputStream out;

    HttpUpload(HttpURLConnection connection, Waiting waiting) {
        this.connection = connection;
        this.waiting = waiting;
        connection.setDoOutput(true);
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
            begun = begin();
        }
        move(0, begun::close);
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
