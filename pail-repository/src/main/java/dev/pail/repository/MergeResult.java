package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockException;
import dev.pail.Conflict;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.car.CarExport;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of a merge or a revert.
 *
 * <pre>{@code
 * MergeResult result = repository.merge("main", "draft", MergeOptions.DEFAULT);
 * for (MergeResult.Resolved each : result.conflicts()) {
 *     System.out.println(each.conflict().key() + " is now " + each.stands());
 * }
 * }</pre>
 *
 * <p>Immutable and safe for use by several threads.
 */
@CheckReturnValue
public final class MergeResult {
    private final Pail pail;
    private final @Nullable Cid before;
    private final List<Resolved> conflicts;
    private final List<MergeRules.Outcome> outcomes;
    private final Optional<BlockException> unreadable;

    /**
     * A conflict and its decision.
     *
     * @param conflict the key and its values; with the rules of tables, a {@code dev.pail.table.TableConflict}
     * @param stands the value that the key has now, if it has one
     */
    public record Resolved(Conflict conflict, Optional<Cid> stands) {
        public Resolved {
            Objects.requireNonNull(conflict, "conflict");
            Objects.requireNonNull(stands, "stands");
        }
    }

    /** @param before the root of the branch before; null if there was none, or it cannot be read */
    private MergeResult(
            Pail pail,
            @Nullable Cid before,
            List<Resolved> conflicts,
            List<MergeRules.Outcome> outcomes,
            Optional<BlockException> unreadable) {
        this.pail = pail;
        this.before = before;
        this.conflicts = conflicts;
        this.outcomes = List.copyOf(outcomes);
        this.unreadable = unreadable;
    }

    static MergeResult of(
            Pail pail,
            @Nullable Cid before,
            List<? extends Conflict> conflicts,
            List<MergeRules.Outcome> outcomes,
            Optional<BlockException> unreadable) {
        List<Resolved> resolved = conflicts.stream()
                .map(conflict -> new Resolved(conflict, pail.get(conflict.key())))
                .toList();
        return new MergeResult(pail, before, resolved, outcomes, unreadable);
    }

    /** What came of taking a version as it is. */
    static MergeResult of(Pail pail) {
        return new MergeResult(pail, null, List.of(), List.of(), Optional.empty());
    }

    /** This, with its version read from another block store, which has it. */
    MergeResult in(Pail same) {
        return new MergeResult(same, before, conflicts, outcomes, unreadable);
    }

    /** Returns the new version of the branch; after a dry run, the version in memory that it would have. */
    public Pail pail() {
        return pail;
    }

    /** The root of {@link #pail()}. */
    public Cid root() {
        return pail.root();
    }

    /**
     * Returns the conflicts since the common version of both sides, in the order of keys. Empty if one side had all events of the other,
     * or the version of the branch is {@linkplain #unreadable() unreadable}.
     */
    public List<Resolved> conflicts() {
        return conflicts;
    }

    /**
     * Returns the outcomes of the {@linkplain Repository#with(MergeRules) rules} of the repository; with those of tables,
     * {@code dev.pail.table.Repair}s. Usually one; several if the other head has several events.
     */
    public List<MergeRules.Outcome> outcomes() {
        return outcomes;
    }

    /** Returns a sentence for each repair by the rules. */
    public List<String> notes() {
        return outcomes.stream().flatMap(outcome -> outcome.notes().stream()).toList();
    }

    /**
     * Returns the reason why the version of the branch before the merge cannot be read, if so. The merge needs only its events, but the
     * conflicts are then unknown.
     */
    public Optional<BlockException> unreadable() {
        return unreadable;
    }

    /**
     * Counts the blocks below new values that are not in the repository. Leaves out values that the version before had. Reads the new
     * shards, and the blocks below new values.
     *
     * @throws BlockException if one of these blocks cannot be read. The merge stays done
     */
    public long leftOut() {
        CarExport all = CarExport.of(pail.blocks(), List.of(pail.root()));
        return (before == null ? all : all.since(before)).leftOut();
    }

    /** The version. */
    @Override
    public String toString() {
        return pail.toString();
    }
}
