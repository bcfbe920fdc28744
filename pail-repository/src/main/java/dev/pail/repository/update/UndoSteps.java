package dev.pail.repository.update;

import dev.pail.clock.Head;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.spi.RefLog;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ref updates that undo and redo lead to (spec rules REP22 and REP23). Reads the log from its end, as far as it must. For
 * one use.
 */
final class UndoSteps implements AutoCloseable {
    private static final Pattern REASON = Pattern.compile("(?:undo|redo) to generation ([0-9]{1,18})");

    private final Snapshot now;
    private final RefLog entries;

    /** The entry that was read last. */
    private @Nullable LogEntry last;

    /**
     * A ref update that is neither an undo nor a redo, or the beginning of the branch.
     *
     * @param generation its generation; 0 is the beginning
     * @param head the events that it led to
     */
    record Update(long generation, Head head) {
        private static final Update NONE = new Update(0, Head.empty());

        /** What an entry led to: of an undo or a redo, what it went to. */
        private static Update of(LogEntry entry) {
            Matcher reason = REASON.matcher(entry.reason());
            long generation = reason.matches() ? Long.parseLong(reason.group(1)) : entry.generation();
            return new Update(Math.min(generation, entry.generation()), entry.to());
        }
    }

    UndoSteps(Snapshot now, RefLog entries) {
        this.now = now;
        this.entries = entries;
    }

    /** The update that is that many steps before the present one of the branch. Rule REP22. */
    Update back(int steps) {
        Update at = next();
        for (int i = 0; i < steps; i++) {
            if (at.generation == 0) {
                throw refused(
                        i == 0
                                ? "has no earlier version: "
                                        + (now.generation() == 0 ? "it was never moved" : "all of its moves are undone")
                                : "has " + i + (i == 1 ? " earlier move" : " earlier moves") + " to undo, not "
                                        + steps);
            }
            at = before(at);
        }
        return changed(at, "undo", steps);
    }

    /** The update that the same number of undos led away from. Rule REP23. */
    Update forward(int steps) {
        Update at = next();
        Update newest = at;
        LogEntry entry = last;
        while (entry != null && Update.of(entry).generation < entry.generation()) {
            entry = entries.next();
            last = entry;
            newest = entry == null ? Update.NONE : Update.of(entry);
        }
        List<Update> undone = new ArrayList<>();
        while (newest.generation > at.generation) {
            undone.add(newest);
            newest = before(newest);
        }
        if (undone.size() < steps || newest.generation != at.generation) {
            throw refused(
                    undone.isEmpty()
                            ? "has nothing to redo: its last move is not an undo"
                            : "has " + undone.size() + " undone " + (undone.size() == 1 ? "move" : "moves")
                                    + " to redo, not " + steps);
        }
        return changed(undone.get(undone.size() - steps), "redo", steps);
    }

    private Update next() {
        LogEntry entry = entries.next();
        if (entry == null && now.generation() > 0) {
            throw refused("cannot be undone or redone from here: " + Revisions.NO_LOG);
        }
        last = entry;
        return entry == null ? Update.NONE : Update.of(entry);
    }

    /** The update before one that is not older than the entry that was read last. */
    private Update before(Update update) {
        while (last != null && last.generation() >= update.generation) {
            last = entries.next();
        }
        return last == null ? Update.NONE : Update.of(last);
    }

    /** An update may lead to where another one led, and the log has no entry that changes nothing. */
    private Update changed(Update update, String what, int steps) {
        if (update.head.equals(now.head())) {
            throw refused("stands where " + what + " " + steps + " leads to: nothing would change");
        }
        return update;
    }

    private RepositoryException refused(String why) {
        return new RepositoryException(
                RepositoryException.Reason.NOTHING_TO_UNDO,
                now.branch() + " " + why,
                Hint.of("see where it stood with: ", Hint.Action.LOG, now.branch()),
                null);
    }

    @Override
    public void close() {
        entries.close();
    }
}
