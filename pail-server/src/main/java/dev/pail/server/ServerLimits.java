package dev.pail.server;

import dev.pail.car.CarReader;
import java.time.Duration;
import java.util.Objects;

/**
 * What clients of a {@link PailServer} may take.
 *
 * <pre>{@code
 * ServerLimits limits = new ServerLimits(16, Duration.ofSeconds(5), Duration.ofSeconds(1), 64 << 20);
 * }</pre>
 *
 * @param connections the most open connections. Others wait until one ends
 * @param patience how long a client may take to send the whole header of a request, and to take 64 KiB of a response; at least a
 *     millisecond
 * @param stopTime how long {@link PailServer#close} waits for the responses that have begun
 * @param body the most bytes of the body of a request
 */
public record ServerLimits(int connections, Duration patience, Duration stopTime, long body) {
    /** 256 connections, 30 seconds, 10 seconds, 64 MiB. */
    public static final ServerLimits DEFAULT =
            new ServerLimits(256, Duration.ofSeconds(30), Duration.ofSeconds(10), 64 << 20);

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
    }

    private static void check(Duration time) {
        if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("a limit is a time from a millisecond to a day, not " + time);
        }
    }
}
