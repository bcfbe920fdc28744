package dev.pail.repository.refs;

import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RepositoryException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the events of a change that has several (spec rule M21). Described events say it themselves. Of plain ones, the log of the branch says
 * which: one ref update made all of them.
 */
public final class ChangeEvents {
    /** The reasons of updates that take in events of others, which may be of many changes. */
    private static final List<String> TAKEN_IN = List.of("merge ", "import ", "push", "copy", "branch");

    private final Refs refs;
    private final String branch;

    public ChangeEvents(Refs refs, String branch) {
        this.refs = refs;
        this.branch = branch;
    }

    /**
     * The events of the change that an event is of, in their order.
     *
     * @throws RepositoryException if there may be several, and the log does not say which
     */
    public List<Cid> of(ReplicatedPail state, Cid event) {
        List<Cid> parts = state.parts(event);
        if (parts.size() == 1 || state.clock().event(event).isDescribed()) {
            return parts;
        }
        Head before = Head.of(state.clock().event(parts.get(0)).parents());
        try (Stream<LogEntry> log = refs.store().log(refs.branch(branch)).stream()) {
            return log.filter(entry -> !isTakenIn(entry))
                    .map(entry -> between(entry, before, parts))
                    .flatMap(Optional::stream)
                    .filter(events -> events.contains(event))
                    .findFirst()
                    .orElseThrow(() -> unknown(parts, event));
        }
    }

    /** Whether an update took in events of others, by its reason. */
    static boolean isTakenIn(LogEntry entry) {
        return TAKEN_IN.stream().anyMatch(taken -> isOf(entry.reason(), taken));
    }

    private static boolean isOf(String reason, String taken) {
        return taken.endsWith(" ") ? reason.startsWith(taken) : reason.equals(taken);
    }

    /** The parts that an update made, if it made nothing else. */
    private static Optional<List<Cid>> between(LogEntry entry, Head before, List<Cid> parts) {
        int from = entry.from().equals(before)
                ? 0
                : entry.from().size() == 1 ? parts.indexOf(entry.from().events().get(0)) + 1 : 0;
        int to = entry.to().size() == 1 ? parts.indexOf(entry.to().events().get(0)) + 1 : 0;
        boolean isFrom = from > 0 || entry.from().equals(before);
        return isFrom && to > from ? Optional.of(parts.subList(from, to)) : Optional.empty();
    }

    private static RepositoryException unknown(List<Cid> parts, Cid event) {
        return new RepositoryException(
                RepositoryException.Reason.PART_OF_CHANGE,
                "not reverted: the event " + event + " may be one of " + parts.size()
                        + " events of one change, from " + parts.get(0) + " to " + parts.get(parts.size() - 1)
                        + ", and the log of this repository does not tell",
                "revert it in the repository where the change was made",
                null);
    }
}
