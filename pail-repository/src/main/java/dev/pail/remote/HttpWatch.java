package dev.pail.remote;

import dev.pail.StoreIOException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;

/**
 * One wait for an update of a branch, by the server-sent events of a server (SY12). It reads no data of an event: the fetch that follows
 * does, and checks it. For one use.
 */
final class HttpWatch {
    /** The most bytes of an answer: those of an hour without updates are fewer. */
    private static final int MOST = 64 << 10;

    private static final byte[] EVENT = "event:".getBytes(StandardCharsets.US_ASCII);

    private final HttpCalls calls;
    private boolean isAnswered;

    HttpWatch(HttpCalls calls) {
        this.calls = calls;
    }

    /** As {@link Remote#awaitUpdate}. */
    boolean await(RemoteBranch seen) {
        try {
            return calls.call(
                    "GET",
                    "/v1/watch?branch=" + HttpCalls.encoded(seen.name()) + "&from=" + seen.token(),
                    header -> header.setRequestProperty("Accept", "text/event-stream, " + HttpRemote.JSON),
                    null,
                    this::read);
        } catch (StoreIOException e) {
            if (isAnswered) {
                // A feed that breaks off tells of no update. The next exchange shows whether the server is there.
                return false;
            }
            throw e;
        }
    }

    private boolean read(HttpAnswer answer) throws IOException {
        if (answer.status == HttpURLConnection.HTTP_BAD_REQUEST || answer.status == HttpURLConnection.HTTP_NOT_FOUND) {
            // The branch no longer has this state, its log has expired, or there is no such branch: a fetch tells.
            answer.end();
            return true;
        }
        answer.require(HttpURLConnection.HTTP_OK);
        answer.requireEvents();
        isAnswered = true;
        // Closing it would wait for the rest of the answer.
        @SuppressWarnings("resource")
        InputStream in = new BufferedInputStream(answer.body());
        boolean isUpdated = false;
        int column = 0;
        int same = 0;
        int count = 0;
        for (int next = in.read(); next >= 0 && !isUpdated; next = in.read()) {
            if (++count > MOST) {
                throw answer.foreign("more than " + MOST + " bytes without an event");
            }
            same += column < EVENT.length && same == column && next == EVENT[column] ? 1 : 0;
            column++;
            isUpdated = same == EVENT.length;
            if (next == '\n' || next == '\r') {
                column = 0;
                same = 0;
            }
        }
        answer.end();
        return isUpdated;
    }
}
