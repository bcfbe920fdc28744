package dev.pail.repository.model;

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
 *
 * @param pail the new version of the branch; after a dry run, the version in memory that it would have
 * @param before the root of the branch before; empty if there was none, or it cannot be read
 * @param conflicts the conflicts since the common version of both sides, in the order of keys. Empty if one side had all events of the
 *     other, or the version of the branch is unreadable
 * @param outcomes what the {@linkplain dev.pail.repository.Repository#with(MergeRules) rules} of the repository made; with those of tables,
 *     {@code dev.pail.table.Repair}s. Usually one; several if the other head has several events
 * @param unreadable the reason why the version of the branch before the merge cannot be read, if so. The merge needs only its events,
 *     but the conflicts are then unknown
 */
@CheckReturnValue
public record MergeResult(
        Pail pail,
        Optional<Cid> before,
        List<Resolved> conflicts,
        List<MergeRules.Outcome> outcomes,
        Optional<BlockException> unreadable) {
    public MergeResult {
        Objects.requireNonNull(pail, "pail");
        Objects.requireNonNull(before, "before");
        conflicts = List.copyOf(Objects.requireNonNull(conflicts, "conflicts"));
        outcomes = List.copyOf(Objects.requireNonNull(outcomes, "outcomes"));
        Objects.requireNonNull(unreadable, "unreadable");
    }

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

    /** The root of {@link #pail()}. */
    public Cid root() {
        return pail.root();
    }

    /** Returns a sentence for each repair by the rules. */
    public List<String> notes() {
        return outcomes.stream().flatMap(outcome -> outcome.notes().stream()).toList();
    }

    /** Returns the keys whose values the rules made of both sides, in the order of keys for each outcome. */
    public List<String> decided() {
        return outcomes.stream().flatMap(outcome -> outcome.decided().stream()).toList();
    }

    /**
     * Counts the blocks below new values that are not in the repository. Leaves out values that the version before had. Reads the new
     * shards, and the blocks below new values.
     *
     * @throws BlockException if one of these blocks cannot be read. The merge stays done
     */
    public long leftOut() {
        CarExport all = CarExport.of(pail.blocks(), List.of(pail.root()));
        return before.map(all::since).orElse(all).leftOut();
    }

    /** The version. */
    @Override
    public String toString() {
        return pail.toString();
    }
}
