package dev.pail.repository.merge;

import dev.pail.BlockException;
import dev.pail.Conflict;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.dag.Overlay;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A state that a merge by rules made.
 *
 * @param conflicts what both sides changed in different ways, in the order of keys
 * @param outcomes what the rules did
 * @param unreadable why the version of ours cannot be read, so that there are no conflicts
 */
public record Merged(
        ReplicatedPail state,
        List<? extends Conflict> conflicts,
        List<MergeRules.Outcome> outcomes,
        Optional<BlockException> unreadable) {

    /** This, with what the rules did before. */
    Merged after(List<MergeRules.Outcome> earlier) {
        List<MergeRules.Outcome> all = new ArrayList<>(earlier);
        all.addAll(outcomes);
        return new Merged(state, conflicts, all, unreadable);
    }

    /** This, with the state as it is in another block store. */
    Merged with(ReplicatedPail same) {
        return new Merged(same, conflicts, outcomes, unreadable);
    }

    /** A version for which only the entries matter: its shards are stored as the events make them. */
    static Pail scratch(Pail pail) {
        return Pail.open(new Overlay(pail.blocks()), pail.root());
    }

    /** Stores the values that the rules made for a version. */
    static void keep(Pail into, Pail right, Collection<Optional<Cid>> values) {
        if (right.blocks() instanceof Overlay scratch) {
            values.forEach(value -> value.flatMap(scratch::added).ifPresent(into.blocks()::put));
        }
    }

    /** The state after one event with these values, or several. */
    static ReplicatedPail follow(ReplicatedPail state, Map<String, Optional<Cid>> changes) {
        ReplicatedBatch batch = state.batch();
        changes.forEach((key, value) -> value.ifPresentOrElse(cid -> batch.put(key, cid), () -> batch.delete(key)));
        return batch.commit();
    }
}
