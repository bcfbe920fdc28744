package dev.pail.repository.merge;

import dev.pail.Conflict;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.clock.Event;
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
 * Takes back what the events of a change changed (spec rule M21). If the rules concern one of their keys, this is a merge by the rules:
 * the version of the last event is the base, and the version before the first is theirs.
 */
public final class RuledRevert {
    private final ReplicatedPail now;
    private final List<Cid> cids;

    /** Null if the rules concern no key of the events. */
    private final MergeRules.@Nullable Comparison comparison;

    /** @param cids each has the one before as its only parent */
    RuledRevert(MergeRules rules, ReplicatedPail now, List<Cid> cids) {
        this.now = now;
        this.cids = cids;
        List<Event> events = cids.stream().map(now.clock()::event).toList();
        boolean isOfRules = events.stream()
                .flatMap(event -> event.operation().changes().stream())
                .anyMatch(change -> rules.concern(change.key()));
        this.comparison = isOfRules ? comparison(rules, now, events.get(0), events.get(events.size() - 1)) : null;
    }

    private static MergeRules.Comparison comparison(MergeRules rules, ReplicatedPail now, Event first, Event last) {
        MerkleClock clock = now.clock();
        Pail after = Pail.open(clock.blocks(), last.root());
        Pail before = first.parents().isEmpty() ? HistoryMerge.nothing(after) : before(rules, clock, first);
        return rules.compare(
                after,
                MergeRules.Side.of(
                        Merged.scratch(now.pail()), () -> HistoryMerge.steps(clock, now.head(), Head.of(last.cid()))),
                MergeRules.Side.of(before));
    }

    private static Pail before(MergeRules rules, MerkleClock clock, Event event) {
        Pail before = ReplicatedPail.open(clock, Head.of(event.parents()), UnrelatedHistories.MERGE_FROM_EMPTY)
                .pail();
        return event.parents().size() < 2 ? before : rules.withoutStrays(Merged.scratch(before));
    }

    /** What was changed since, in the order of keys; none, if the rules concern no key of the events. */
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
