package dev.pail;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ipld.Cid;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a merge about conflicts. Rule MG3.
 *
 * <p>Immutable and safe for use by several threads, if the function is.
 *
 * <pre>{@code
 * Pail ours = pail.put("title", value);
 * Pail theirs = pail.delete("title");
 * MergePolicy keepEither = MergePolicy.resolve(conflict -> conflict.ours().or(conflict::theirs));
 * Pail merged = Pail.merge(pail, ours, theirs, keepEither); // a put wins over a delete
 * }</pre>
 */
@CheckReturnValue
public final class MergePolicy {
    private static final MergePolicy FAIL = new MergePolicy(null);

    /** What value a key gets, if any. Null where conflicts are refused. */
    private final @Nullable Function<? super Conflict, Optional<Cid>> function;

    private MergePolicy(@Nullable Function<? super Conflict, Optional<Cid>> function) {
        this.function = function;
    }

    /** Refuses the merge and lists all conflicts. */
    public static MergePolicy fail() {
        return FAIL;
    }

    /** Takes the value of our side. */
    public static MergePolicy ours() {
        return new MergePolicy(Conflict::ours);
    }

    /** Takes the value of their side. */
    public static MergePolicy theirs() {
        return new MergePolicy(Conflict::theirs);
    }

    /**
     * Asks a function for the value of each key.
     *
     * @param function returns the value, or empty to remove the key. It is called in the order of keys, once for each conflict.
     *     An exception of the function ends the merge
     */
    public static MergePolicy resolve(Function<? super Conflict, Optional<Cid>> function) {
        return new MergePolicy(Objects.requireNonNull(function, "function"));
    }

    /**
     * Returns the values for the keys of conflicts.
     *
     * @throws MergeConflictException if the policy refuses conflicts, and there are any
     */
    public Map<String, Optional<Cid>> values(List<Conflict> conflicts) {
        if (isFailing() && !conflicts.isEmpty()) {
            throw new MergeConflictException(conflicts);
        }
        Map<String, Optional<Cid>> values = new LinkedHashMap<>();
        conflicts.forEach(conflict -> values.put(conflict.key(), value(conflict)));
        return values;
    }

    /** Whether the policy refuses conflicts. Then it gives no values. */
    public boolean isFailing() {
        return function == null;
    }

    /**
     * Returns the value for the key of a conflict; empty to remove the key.
     *
     * @throws MergeConflictException if the policy refuses conflicts
     */
    public Optional<Cid> value(Conflict conflict) {
        Objects.requireNonNull(conflict, "conflict");
        if (function == null) {
            throw new MergeConflictException(List.of(conflict));
        }
        return Objects.requireNonNull(function.apply(conflict));
    }
}
