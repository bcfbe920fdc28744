package dev.pail.repository.history;

import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RepositoryException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A revision that names a version some changes before another one: {@code REV~N}. Immutable (spec rule REP27).
 *
 * @param revision names the later version
 * @param changes the number of changes to go back, 0 or more
 */
public record StepsBack(String revision, long changes) {
    private static final int MOST_DIGITS = 9;
    private static final int MOST_SHOWN = 10;

    /** Reads a text. Several steps add up: {@code REV~~2} is {@code REV~3}. */
    public static Optional<StepsBack> of(String text) {
        int first = text.indexOf('~');
        if (first <= 0) {
            return Optional.empty();
        }
        long changes = 0;
        for (String steps : text.substring(first + 1).split("~", -1)) {
            if (steps.length() > MOST_DIGITS || !steps.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Optional.empty();
            }
            changes += steps.isEmpty() ? 1 : Long.parseLong(steps);
        }
        return Optional.of(new StepsBack(text.substring(0, first), changes));
    }

    /**
     * The head before the changes. Before the first change, it is empty.
     *
     * @param head that of the later version
     */
    public Head from(Head head, MerkleClock clock) {
        Head at = head;
        for (long gone = 0; gone < changes; gone++) {
            if (at.isEmpty()) {
                throw new RepositoryException(
                        RepositoryException.Reason.NO_VERSION,
                        revision + " has " + gone + (gone == 1 ? " change" : " changes") + ", not " + changes,
                        Hint.of("see them with: ", Hint.Action.HISTORY, ""),
                        null);
            }
            if (at.size() > 1) {
                throw ambiguous(revision + " has " + at.size() + " newest events", at.events());
            }
            Event last = clock.event(at.events().get(0));
            List<Cid> parents = clock.event(clock.change(last).get(0)).parents();
            if (parents.size() > 1) {
                throw ambiguous("the change " + last.cid() + " follows " + parents.size() + " events", parents);
            }
            at = Head.of(parents);
        }
        return at;
    }

    private static RepositoryException ambiguous(String message, List<Cid> events) {
        return new RepositoryException(
                RepositoryException.Reason.AMBIGUOUS,
                message + ", so ~ names no single version: "
                        + events.stream().limit(MOST_SHOWN).map(Cid::toString).collect(Collectors.joining(", "))
                        + (events.size() > MOST_SHOWN ? ", ..." : ""),
                "name one of them",
                null);
    }
}
