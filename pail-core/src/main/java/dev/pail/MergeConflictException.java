package dev.pail;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Two versions that have changed the same keys in different ways. Nothing was merged. */
public final class MergeConflictException extends PailException {
    private static final int SHOWN = 5;

    private final List<Conflict> conflicts;

    /** @param conflicts at least one */
    public MergeConflictException(List<Conflict> conflicts) {
        this(conflicts, conflict -> Escapes.brief(conflict.key()), "keys");
    }

    /**
     * Names each conflict in words of the caller.
     *
     * @param conflicts at least one
     * @param name what to call the key of a conflict in the message
     * @param plural what to call several of them
     */
    public MergeConflictException(List<Conflict> conflicts, Function<? super Conflict, String> name, String plural) {
        super("merge conflict: both sides changed " + names(conflicts, name, plural));
        this.conflicts = List.copyOf(conflicts);
    }

    private static String names(List<Conflict> conflicts, Function<? super Conflict, String> name, String plural) {
        String shown = conflicts.stream().limit(SHOWN).map(name).collect(Collectors.joining(", "));
        int more = conflicts.size() - SHOWN;
        return more > 0 ? shown + " and " + more + " more " + plural : shown;
    }

    /** All conflicts, in the order of keys. */
    public List<Conflict> conflicts() {
        return conflicts;
    }

    @Override
    public String code() {
        return "merge-conflict";
    }
}
