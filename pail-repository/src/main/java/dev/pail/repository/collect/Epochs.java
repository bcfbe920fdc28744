package dev.pail.repository.collect;

import dev.pail.repository.spi.Epoch;
import java.time.Instant;

/** The epochs that a collection writes. */
public final class Epochs {
    private Epochs() {}

    /** From when on logs were kept; if that is not known, the time now: no collection was later. */
    public static Instant logsKeptSince(Epoch epoch, Instant now) {
        return epoch.equals(Epoch.UNKNOWN) ? now : epoch.logsKeptSince();
    }

    /**
     * The epoch of a collection that begins.
     *
     * @param kept it keeps what log entries from this time on lead to
     */
    static Epoch begun(Epoch last, Instant kept, Instant now) {
        Instant before = logsKeptSince(last, now);
        long number = last.equals(Epoch.UNKNOWN) ? unseen(now) : last.number();
        return new Epoch(number + (number % 2 == 0 ? 1 : 2), before.isAfter(kept) ? before : kept);
    }

    /** The epoch when a collection has ended. */
    public static Epoch ended(Epoch underWay, Instant now) {
        return new Epoch(
                underWay.equals(Epoch.UNKNOWN) ? unseen(now) : underWay.number() + 1, logsKeptSince(underWay, now));
    }

    /** An even number that no process has seen: collections are far fewer than milliseconds. */
    private static long unseen(Instant now) {
        return 2 * now.toEpochMilli();
    }
}
