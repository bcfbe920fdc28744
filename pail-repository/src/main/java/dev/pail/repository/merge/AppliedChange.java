package dev.pail.repository.merge;

import dev.pail.Conflict;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A change that was made elsewhere or before, and what it does to another version: what it changed is done again, or taken back (spec rule
 * M21). If the rules concern one of its keys, this is a merge by the rules.
 */
final class AppliedChange {
    private final ReplicatedPail now;
    private final List<Cid> cids;

    /** Null for a change that is taken back, if the rules concern no key of its events. */
    private final MergeRules.@Nullable Comparison comparison;

    private AppliedChange(ReplicatedPail now, List<Cid> cids, MergeRules.@Nullable Comparison comparison) {
        this.now = now;
        this.cids = cids;
        this.comparison = comparison;
    }

    /**
     * A change of the history of a version that is taken back.
     *
     * @param cids its events; each has the one before as its only parent
     */
    static AppliedChange inverse(MergeRules rules, ReplicatedPail now, List<Cid> cids) {
        MerkleClock clock = now.clock();
        boolean isOfRules = cids.stream()
                .flatMap(cid -> clock.event(cid).operation().changes().stream())
                .anyMatch(change -> rules.concern(change.key()));
        if (!isOfRules) {
            return new AppliedChange(now, cids, null);
        }
        Cid last = cids.get(cids.size() - 1);
        Pail after = after(clock, last);
        MergeRules.Side ours = MergeRules.Side.of(
                Merged.scratch(now.pail()), () -> HistoryMerge.steps(clock, now.head(), Head.of(last)));
        return new AppliedChange(
                now, cids, rules.compare(after, ours, MergeRules.Side.of(before(rules, clock, cids.get(0), after))));
    }

    /** The same for a change that is done again. It need not be in the history of the version. */
    static AppliedChange again(MergeRules rules, ReplicatedPail now, List<Cid> cids) {
        MerkleClock clock = now.clock();
        Pail after = after(clock, cids.get(cids.size() - 1));
        return new AppliedChange(
                now,
                cids,
                rules.compare(
                        before(rules, clock, cids.get(0), after),
                        MergeRules.Side.of(Merged.scratch(now.pail())),
                        MergeRules.Side.of(after)));
    }

    private static Pail after(MerkleClock clock, Cid event) {
        return Pail.open(clock.blocks(), clock.event(event).root());
    }

    /** The version before an event. */
    private static Pail before(MergeRules rules, MerkleClock clock, Cid first, Pail after) {
        List<Cid> parents = clock.event(first).parents();
        if (parents.isEmpty()) {
            return HistoryMerge.nothing(after);
        }
        Pail before = ReplicatedPail.open(clock, Head.of(parents), UnrelatedHistories.MERGE_FROM_EMPTY)
                .pail();
        return parents.size() < 2 ? before : rules.withoutStrays(Merged.scratch(before));
    }

    /** What the version and the change have in different ways, in the order of keys; none, if this compares nothing. */
    List<? extends Conflict> conflicts() {
        return comparison == null ? List.of() : comparison.conflicts();
    }

    /**
     * The state that follows.
     *
     * @throws MergeConflictException if the policy refuses conflicts, and there are any
     */
    Merged by(MergePolicy policy) {
        if (comparison == null) {
            List<Conflict> found = new ArrayList<>();
            ReplicatedPail reverted = now.revert(cids, policy.isFailing() ? policy : noting(policy, found));
            return new Merged(reverted, found, List.of(), Optional.empty());
        }
        MergeRules.Outcome wanted = comparison.by(policy);
        Pail right = wanted.pail();
        Map<String, Optional<Cid>> changes = new TreeMap<>();
        now.pail().diff(right).keys().forEach(change -> changes.put(change.key(), change.after()));
        Merged.keep(now.pail(), right, changes.values());
        return new Merged(follow(changes), conflicts(), List.of(wanted), Optional.empty());
    }

    private static MergePolicy noting(MergePolicy policy, List<Conflict> found) {
        return MergePolicy.resolve(conflict -> {
            found.add(conflict);
            return policy.value(conflict);
        });
    }

    /** One change is an event of its kind, and not a batch. */
    private ReplicatedPail follow(Map<String, Optional<Cid>> changes) {
        if (changes.size() == 1) {
            Map.Entry<String, Optional<Cid>> only =
                    changes.entrySet().iterator().next();
            return only.getValue().map(to -> now.put(only.getKey(), to)).orElseGet(() -> now.delete(only.getKey()));
        }
        return Merged.follow(now, changes);
    }
}
