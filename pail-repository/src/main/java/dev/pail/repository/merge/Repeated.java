package dev.pail.repository.merge;

import dev.pail.Conflict;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.MergeResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Changes that are made again behind another head, one after the other, each with its description. For one update. */
final class Repeated {
    private final MergeRules rules;
    private final MergePolicy policy;
    private final List<MergeResult.Resolved> conflicts = new ArrayList<>();
    private final List<MergeRules.Outcome> outcomes = new ArrayList<>();
    private @Nullable Cid before;

    Repeated(MergeRules rules, MergePolicy policy) {
        this.rules = rules;
        this.policy = policy;
    }

    /**
     * The state after the changes. One that has no effect there makes no event.
     *
     * @param changes the last event of each, in the order in which they are made
     * @throws dev.pail.MergeConflictException if the policy refuses conflicts, and a change has one
     */
    ReplicatedPail onto(ReplicatedPail head, List<Cid> changes) {
        // A lost race makes all of them again.
        conflicts.clear();
        outcomes.clear();
        before = head.root();
        ReplicatedPail now = head;
        for (Cid change : changes) {
            now = described(head, now.clock().event(change), now);
            Merged merged = AppliedChange.again(
                            rules, now, now.clock().change(now.clock().event(change)))
                    .by(policy);
            now = merged.state();
            outcomes.addAll(merged.outcomes());
            for (Conflict conflict : merged.conflicts()) {
                conflicts.add(new MergeResult.Resolved(conflict, now.pail().get(conflict.key())));
            }
        }
        return now;
    }

    /** Who made a change, why and when stays with it. A change without a description gets that of the update. */
    private static ReplicatedPail described(ReplicatedPail head, Event event, ReplicatedPail now) {
        return head.description()
                .map(own -> now.described(event.description()
                        .map(given -> new Description(given.author(), given.message(), given.time()))
                        .orElse(own)))
                .orElse(now);
    }

    MergeResult result(Pail pail) {
        return new MergeResult(pail, Optional.ofNullable(before), conflicts, outcomes, Optional.empty());
    }
}
