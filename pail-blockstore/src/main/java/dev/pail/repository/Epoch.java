package dev.pail.repository;

import java.time.Instant;
import java.util.Objects;

/**
 * How often the garbage collector has taken blocks away, and which log entries it took roots from. A writer that saw the same epoch
 * before and after it looked at blocks knows that none of them was taken away in between.
 *
 * <pre>{@code
 * RefStore refs = repository.refs();
 * Epoch before = refs.epoch();
 * boolean isThere = repository.blocks().has(value);
 * boolean isSure = !before.isUnderWay() && refs.epoch().equals(before); // nothing was taken away in between
 * }</pre>
 *
 * @param number raised before blocks are taken away, and again after: odd while that is under way, or if it was never ended
 * @param logsKeptSince each collection so far kept what log entries from this time on lead to
 */
public record Epoch(long number, Instant logsKeptSince) {
    /** No block was ever taken away. */
    public static final Epoch NONE = new Epoch(0, Instant.MIN);

    /** The epoch cannot be read: a collection may be under way, and may have kept nothing that only logs lead to. */
    public static final Epoch UNKNOWN = new Epoch(-1, Instant.MAX);

    /** @param logsKeptSince each collection so far kept what log entries from this time on lead to */
    public Epoch {
        Objects.requireNonNull(logsKeptSince, "logsKeptSince");
    }

    /** From when on logs were kept; if that is not known, the time now: no collection was later. */
    Instant logsKeptSince(Instant now) {
        return equals(UNKNOWN) ? now : logsKeptSince;
    }

    /**
     * The epoch of a collection that begins.
     *
     * @param kept it keeps what log entries from this time on lead to
     */
    Epoch begun(Instant kept, Instant now) {
        Instant before = logsKeptSince(now);
        long last = equals(UNKNOWN) ? unseen(now) : number;
        return new Epoch(last + (last % 2 == 0 ? 1 : 2), before.isAfter(kept) ? before : kept);
    }

    /** The epoch when a collection has ended. */
    Epoch ended(Instant now) {
        return new Epoch(equals(UNKNOWN) ? unseen(now) : number + 1, logsKeptSince(now));
    }

    /** An even number that no process has seen: collections are far fewer than milliseconds. */
    private static long unseen(Instant now) {
        return 2 * now.toEpochMilli();
    }

    /** Whether blocks may be taken away right now. Then no block that is seen is sure to stay. */
    public boolean isUnderWay() {
        return number % 2 != 0;
    }
}
