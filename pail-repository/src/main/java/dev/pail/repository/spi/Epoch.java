package dev.pail.repository.spi;

import java.time.Instant;
import java.util.Objects;

/**
 * The collector's counter of its removals, and the age of the log entries that it kept. If a writer reads the same epoch before and
 * after it checks blocks, the collector has removed none of them in between.
 *
 * <pre>{@code
 * RefStore refs = repository.refs();
 * Epoch before = refs.epoch();
 * boolean isThere = repository.blocks().has(value);
 * boolean isSure = !before.isUnderWay() && refs.epoch().equals(before); // nothing was taken away in between
 * }</pre>
 *
 * @param number raised before each removal of blocks, and again after it: odd during a removal, or after one that did not end
 * @param logsKeptSince each collection so far has kept all blocks that log entries from this time on reach
 */
public record Epoch(long number, Instant logsKeptSince) {
    /** The epoch before the first removal. */
    public static final Epoch NONE = new Epoch(0, Instant.MIN);

    /** Stands for an unreadable epoch: a collection may be under way, and may have kept no blocks that only logs reach. */
    public static final Epoch UNKNOWN = new Epoch(-1, Instant.MAX);

    /** @param logsKeptSince each collection so far has kept all blocks that log entries from this time on reach */
    public Epoch {
        Objects.requireNonNull(logsKeptSince, "logsKeptSince");
    }

    /** Whether a removal may be under way. Then any block may be removed. */
    public boolean isUnderWay() {
        return number % 2 != 0;
    }
}
