package dev.pail.server;

import dev.pail.car.CarReader;
import java.time.Duration;
import java.util.Objects;

/**
 * What clients of a {@link PailServer} may take.
 *
 * <pre>{@code
 * ServerLimits limits = new ServerLimits(16, Duration.ofSeconds(5), Duration.ofSeconds(1), 64 << 20, Duration.ofMinutes(10));
 * }</pre>
 *
 * @param connections the most open connections. Others wait until one ends
 * @param patience how long the server waits for the whole header of a request, for 64 KiB of its body, and until 64 KiB of a response are
 *     sent; at least a millisecond
 * @param stopTime how long {@link PailServer#close} waits for the responses that have begun
 * @param body the most bytes of the body of a request
 * @param requestTime how long a request may take from its header to the end of its response, unless it follows a branch
 */
public record ServerLimits(int connections, Duration patience, Duration stopTime, long body, Duration requestTime) {
    /** 256 connections, 30 seconds, 10 seconds, 64 MiB, 1 hour. */
    public static final ServerLimits DEFAULT =
            new ServerLimits(256, Duration.ofSeconds(30), Duration.ofSeconds(10), 64 << 20, Duration.ofHours(1));

    private static final int MOST_CONNECTIONS = 10_000;

    /** A CAR with one block of the largest size has room in it. */
    private static final long LEAST_BODY = CarReader.MAX_SECTION + (64L << 10);

    /**
     * @throws IllegalArgumentException unless there are 1 to 10,000 connections, times are from a millisecond to a day, and a body may
     *     have one block of the largest size
     */
    public ServerLimits {
        Objects.requireNonNull(patience, "patience");
        Objects.requireNonNull(stopTime, "stopTime");
        Objects.requireNonNull(requestTime, "requestTime");
        if (connections < 1 || connections > MOST_CONNECTIONS) {
            throw new IllegalArgumentException(
                    "a server has 1 to " + MOST_CONNECTIONS + " connections, not " + connections);
        }
        if (body < LEAST_BODY) {
            throw new IllegalArgumentException(
                    "a body may have at least " + LEAST_BODY + " bytes, so that a block has room, not " + body);
        }
        check(patience);
        check(stopTime);
        check(requestTime);
    }

    private static void check(Duration time) {
        if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("a limit is a time from a millisecond to a day, not " + time);
        }
    }
}
