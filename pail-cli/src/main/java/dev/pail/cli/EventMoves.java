package dev.pail.cli;

import dev.pail.ipld.Cid;
import dev.pail.repository.LogEntry;
import dev.pail.repository.Note;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The moves of branches that events came with, and the branches that stand at events. Of each log it reads the newest entries:
 * at least twice as many as events were passed. So a short listing reads little of a long log.
 */
final class EventMoves {
    /** The entries of each log that are read at first. */
    static final int FIRST = 1024;

    /** The most entries of each log that are read. */
    static final int MOST = 100_000;

    /** How many times as many are read next: all that was read before takes a seventh of the time. */
    private static final int MORE = 8;

    /**
     * The first move that led to an event.
     *
     * @param isImport whether the event was made elsewhere, at a time that is not known
     * @param note the author and the message; of an import, none: its author has not made the event
     */
    record Move(Instant time, boolean isImport, Note note) {
        private static Move of(LogEntry entry) {
            boolean isImport = entry.reason().startsWith("import ");
            return new Move(entry.time(), isImport, isImport ? Note.NONE : entry.note());
        }
    }

    private final @Nullable Repository repository;
    private final int most;
    private final Map<Cid, Move> moves = new HashMap<>();
    private final Map<Cid, List<String>> branches = new HashMap<>();
    private int limit;
    private long passed;

    /** @param repository null if there are no logs */
    EventMoves(@Nullable Repository repository) {
        this(repository, FIRST, MOST);
    }

    EventMoves(@Nullable Repository repository, int first, int most) {
        this.repository = repository;
        this.most = most;
        this.limit = first;
        read();
    }

    private void read() {
        moves.clear();
        branches.clear();
        if (repository != null) {
            repository.branches().forEach(branch -> read(repository, branch));
            repository.removedBranches().forEach(branch -> readRemoved(repository, branch));
        }
    }

    /** Events of a removed branch that was merged keep their time and author. */
    private void readRemoved(Repository from, String branch) {
        try {
            read(from, branch);
        } catch (RepositoryException e) {
            // The log of a branch that is gone is damaged: what it tells of is shown without.
            return;
        }
    }

    private void read(Repository from, String branch) {
        try (Stream<LogEntry> log = from.logEvenIfRemoved(branch)) {
            Iterator<LogEntry> each = log.limit(limit).iterator();
            for (boolean last = true; each.hasNext(); last = false) {
                LogEntry entry = each.next();
                for (Cid event : entry.to().events()) {
                    moves.merge(
                            event, Move.of(entry), (one, other) -> one.time().isBefore(other.time()) ? one : other);
                    if (last) {
                        branches.computeIfAbsent(event, none -> new ArrayList<>())
                                .add(branch);
                    }
                }
            }
        }
    }

    /** Notes that a listing came to another event. */
    void pass() {
        if (++passed > limit / 2 && limit < most) {
            limit = (int) Math.min((long) limit * MORE, most);
            read();
        }
    }

    /** Whether no log tells of any event. */
    boolean isEmpty() {
        return moves.isEmpty();
    }

    /** The first move that led to an event, as far as it is known. */
    @Nullable
    Move of(Cid event) {
        return moves.get(event);
    }

    /** The branches that stand at an event; null if there are none. */
    @Nullable
    List<String> branches(Cid event) {
        return branches.get(event);
    }
}
