package dev.pail.repository.history;

import dev.pail.clock.Event;
import dev.pail.clock.Operation.Change;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.HistoryEntry.Origin;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefLog;
import dev.pail.trace.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ref updates that events came with, and the branches that stand at events. Of each log it reads the newest entries: at least twice as
 * many as events were passed. So a short listing reads little of a long log. For one thread.
 */
public final class EventOrigins {
    /** The entries of each log that are read at first. */
    static final int FIRST = 1024;

    /** The most entries of each log that are read. */
    static final int MOST = 100_000;

    /** How many times as many are read next: all that was read before takes a seventh of the time. */
    private static final int MORE = 8;

    private final @Nullable Refs refs;
    private final int most;
    private final Map<Cid, Origin> origins = new HashMap<>();
    private final Map<Cid, List<String>> branches = new HashMap<>();
    private int limit;
    private int read;
    private long passed;

    /** @param refs null if there are no logs */
    public EventOrigins(@Nullable Refs refs) {
        this(refs, FIRST, MOST);
    }

    public EventOrigins(@Nullable Refs refs, int first, int most) {
        this.refs = refs;
        this.limit = first;
        this.most = most;
    }

    /** Notes that a listing came to another event. */
    void pass() {
        if (++passed > limit / 2) {
            limit = (int) Math.min((long) limit * MORE, most);
        }
    }

    /** A change of a listing, with what is known of it. */
    HistoryEntry entry(Event event, List<Cid> events, List<Cid> parents, int size, List<Change> changes) {
        if (refs != null && read < limit) {
            read = limit;
            read(refs);
        }
        return new HistoryEntry(
                event,
                events,
                parents,
                size,
                changes,
                Optional.ofNullable(origins.get(event.cid())),
                branches.getOrDefault(event.cid(), List.of()));
    }

    private void read(Refs from) {
        origins.clear();
        branches.clear();
        Set<String> present = new LinkedHashSet<>(from.store().branches());
        present.forEach(branch ->
                from.ifKnown(branch).ifPresent(state -> read(state, from.store().log(state))));
        from.store().logs().stream()
                .filter(branch -> !present.contains(branch))
                .forEach(branch -> readRemoved(from, branch));
    }

    /** Events of a removed branch that was merged keep their time and author. */
    private void readRemoved(Refs from, String branch) {
        try {
            from.ifKnown(branch).ifPresent(state -> read(state, from.store().log(state)));
        } catch (RepositoryException e) {
            Trace.swallowed("the log of a removed branch is damaged, so its events have no time", e);
        }
    }

    private void read(BranchState state, RefLog entries) {
        for (Cid event : state.head().events()) {
            branches.computeIfAbsent(event, none -> new ArrayList<>()).add(state.name());
        }
        try (entries) {
            LogEntry entry = entries.next();
            for (int i = 0; entry != null && i < limit; i++) {
                Origin origin = Origin.of(entry);
                for (Cid event : entry.to().events()) {
                    origins.merge(event, origin, (one, other) -> one.time().isBefore(other.time()) ? one : other);
                }
                entry = entries.next();
            }
        }
    }
}
