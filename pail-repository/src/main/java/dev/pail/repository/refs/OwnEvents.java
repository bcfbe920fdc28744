package dev.pail.repository.refs;

import dev.pail.BlockException;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefLog;
import dev.pail.trace.Trace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The events that a branch made itself, and did not take in from another. Its log says which. */
public final class OwnEvents {
    /** The newest entries of a log that are read. */
    private static final int MOST_ENTRIES = 100_000;

    private OwnEvents() {}

    /** Those of some events that a branch made itself, as far as its log tells. */
    public static Set<Cid> among(Set<Cid> events, Refs refs, BranchState state, MerkleClock clock) {
        Set<Cid> own = new HashSet<>();
        // Without parts of large changes among them, only the events that are asked for need to be read.
        boolean hasParts = events.stream().anyMatch(event -> clock.event(event).isContinued());
        try (RefLog log = refs.store().log(state)) {
            LogEntry entry = log.next();
            for (int i = 0; entry != null && i < MOST_ENTRIES && own.size() < events.size(); i++) {
                boolean isAsked = hasParts || entry.to().events().stream().anyMatch(events::contains);
                if (isAsked && entry.to().size() == 1 && !ChangeEvents.isTakenIn(entry)) {
                    made(entry, clock).stream().filter(events::contains).forEach(own::add);
                }
                entry = log.next();
            }
        }
        return own;
    }

    /** The events of an update, if it made a single change. */
    private static List<Cid> made(LogEntry entry, MerkleClock clock) {
        try {
            List<Cid> change = clock.change(clock.event(entry.to().events().get(0)));
            boolean follows =
                    clock.event(change.get(0)).parents().equals(entry.from().events());
            return follows ? change : List.of();
        } catch (BlockException e) {
            Trace.swallowed(
                    "an event of the log cannot be read, so it is not known which side made it: " + entry.to(), e);
            return List.of();
        }
    }
}
