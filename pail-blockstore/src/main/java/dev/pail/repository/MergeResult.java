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
 * What a merge or a revert made of a branch.
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
     * A conflict, and how it was decided.
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

    /** The version that the branch has now; after a dry run, the version that it would have, in memory. */
    public Pail pail() {
        return pail;
    }

    /** The root of {@link #pail()}. */
    public Cid root() {
        return pail.root();
    }

    /**
     * What both sides changed in different ways since they parted, in the order of keys. Empty if one side had all that the other has, or
     * the version of the branch is {@linkplain #unreadable() unreadable}.
     */
    public List<Resolved> conflicts() {
        return conflicts;
    }

    /**
     * What the {@linkplain Repository#with(MergeRules) rules} of the repository did; with those of tables, {@code dev.pail.table.Repair}s.
     * Usually one; several if the other side has several newest events.
     */
    public List<MergeRules.Outcome> outcomes() {
        return outcomes;
    }

    /** What became of data that did not fit together, each in a sentence. */
    public List<String> notes() {
        return outcomes.stream().flatMap(outcome -> outcome.notes().stream()).toList();
    }

    /**
     * Why the version of the branch before the merge cannot be read. The merge needs its events alone, but conflicts are not known then.
     */
    public Optional<BlockException> unreadable() {
        return unreadable;
    }

    /**
     * Counts the blocks that values of this version link to and that are not in the repository. It leaves out those that the version before
     * had already. Reads the shards that are new, and the blocks below new values.
     *
     * @throws BlockException if a block that is needed for that cannot be read. The merge is done all the same
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
