package dev.pail;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A refused merge: both versions change the same keys in different ways. Nothing was merged.
 *
 * <pre>{@code
 * Pail ours = pail.put("title", value);
 * Pail theirs = pail.delete("title");
 * try {
 *     Pail merged = Pail.merge(pail, ours, theirs);
 * } catch (MergeConflictException e) {
 *     e.conflicts().forEach(conflict -> System.err.println(conflict.key())); // let a person choose
 * }
 * }</pre>
 */
public final class MergeConflictException extends PailException {
    private static final int SHOWN = 5;

    private final List<Conflict> conflicts;

    /** @param conflicts at least one */
    public MergeConflictException(List<? extends Conflict> conflicts) {
        this(conflicts, "keys");
    }

    /**
     * @param conflicts at least one
     * @param plural the word for several conflicts in the message
     */
    public MergeConflictException(List<? extends Conflict> conflicts, String plural) {
        super("merge conflict: both sides changed " + names(conflicts, plural));
        this.conflicts = List.copyOf(conflicts);
    }

    private static String names(List<? extends Conflict> conflicts, String plural) {
        String shown = conflicts.stream().limit(SHOWN).map(Conflict::subject).collect(Collectors.joining(", "));
        int more = conflicts.size() - SHOWN;
        return more > 0 ? shown + " and " + more + " more " + plural : shown;
    }

    /**
     * Returns all conflicts, in the order of keys. Those of {@link MergeRules} may have their own type with more details.
     */
    public List<Conflict> conflicts() {
        return conflicts;
    }

    @Override
    public String code() {
        return "merge-conflict";
    }

    @Override
    public Kind kind() {
        return Kind.CONFLICT;
    }
}
