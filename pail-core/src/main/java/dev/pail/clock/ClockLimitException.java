package dev.pail.clock;

import dev.pail.PailException;

/** More events, or a larger one, than a clock is made for. Nothing was changed. */
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
}
