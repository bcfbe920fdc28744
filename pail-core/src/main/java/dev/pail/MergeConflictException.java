package dev.pail;

import java.util.List;
import java.util.stream.Collectors;

/** Two versions that have changed the same keys in different ways. Nothing was merged. */
public final class MergeConflictException extends PailException {
    private static final int SHOWN = 5;

    private final List<Conflict> conflicts;

    /** @param conflicts at least one */
    public MergeConflictException(List<Conflict> conflicts) {
        super("merge conflict: both sides changed " + keys(conflicts));
        this.conflicts = List.copyOf(conflicts);
    }

    private static String keys(List<Conflict> conflicts) {
        String shown = conflicts.stream()
                .limit(SHOWN)
                .map(conflict -> Escapes.brief(conflict.key()))
                .collect(Collectors.joining(", "));
        int more = conflicts.size() - SHOWN;
        return more > 0 ? shown + " and " + more + " more keys" : shown;
    }

    /** All conflicts, in the order of keys. */
    public List<Conflict> conflicts() {
        return conflicts;
    }
}
