package dev.pail.server.access;

import dev.pail.Escapes;
import dev.pail.server.http.Caller;
import dev.pail.server.http.TimedRequest;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line for each request: time, name of the token, method, path, status, bytes and milliseconds. No line has a token, a header or
 * what is behind the path, where a client may have put a secret; and none has a hidden character. Rule GW19.
 */
public final class AccessLog implements RequestLog {
    /** In characters: an address may have thousands. */
    private static final int LONGEST = 300;

    private final Consumer<String> lines;
    private final Clock clock = Clock.systemUTC();

    public AccessLog(Consumer<String> lines) {
        this.lines = lines;
    }

    @Override
    public void log(Request request, Response response) {
        StringBuilder line = new StringBuilder(128);
        line.append(clock.instant().truncatedTo(ChronoUnit.MILLIS)).append(' ');
        line.append(Caller.nameOf(request)).append(' ');
        line.append(word(request.getMethod())).append(' ');
        line.append(word(request.getHttpURI().getPath())).append(' ');
        line.append(response.getStatus()).append(' ');
        line.append(Response.getContentBytesWritten(response)).append(' ');
        line.append(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - request.getBeginNanoTime()));
        String failure = TimedRequest.failureOf(request);
        if (!failure.isEmpty()) {
            line.append(' ').append(Escapes.printable(failure));
        }
        lines.accept(line.toString());
    }

    /** Makes one word of any text that a client has sent. */
    private static String word(@Nullable String given) {
        if (given == null || given.isEmpty()) {
            return "-";
        }
        String brief = given.length() <= LONGEST ? given : given.substring(0, LONGEST) + "...";
        return Escapes.escape(brief).replace(' ', '_');
    }
}
