package dev.pail.clock;

import dev.pail.PailException;

/**
 * A clock with more events, or a larger event, than the limits allow. Nothing was changed.
 *
 * <pre>{@code
 * MerkleClock clock = MerkleClock.open(blocks).withMostEvents(10_000);
 * try {
 *     Head common = clock.common(repository.head("main"), repository.head("draft"));
 * } catch (ClockLimitException e) {
 *     System.err.println("raise the limit: " + e.limit()); // more than 10,000 events lie between them
 * }
 * }</pre>
 */
public final class ClockLimitException extends PailException {
    private final String limit;

    public ClockLimitException(String limit) {
        super("clock limit reached: " + limit);
        this.limit = limit;
    }

    /** The limit. */
    public String limit() {
        return limit;
    }

    @Override
    public String code() {
        return "clock-limit";
    }

    @Override
    public Kind kind() {
        return Kind.REFUSED;
    }
}
