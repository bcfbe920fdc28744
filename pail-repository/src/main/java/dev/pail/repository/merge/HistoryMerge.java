package dev.pail.repository.merge;

import dev.pail.BlockException;
import dev.pail.Conflict;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.Operation;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.dag.Overlay;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The merge of two histories: two heads, their common base, and the merge rules. Stores what it makes in the block store of
 * {@code ours}.
 */
public final class HistoryMerge {
    private final MergeRules rules;
    private final ReplicatedPail ours;
    private final Head theirs;
    private final Head joined;
    private final @Nullable BlockException lost;

    /** Null for a fast-forward, or if the version of ours cannot be read. */
    private final MergeRules.@Nullable Comparison comparison;

    private final List<? extends Conflict> conflicts;

    /** @param unrelated what to do with histories that have no common event */
    HistoryMerge(MergeRules rules, ReplicatedPail ours, Head theirs, UnrelatedHistories unrelated) {
        this.rules = rules;
        this.ours = ours.with(unrelated);
        this.theirs = theirs;
        this.joined = ours.clock().merge(ours.head(), theirs);
        this.lost = lost(ours);
        this.comparison = isForward() || lost != null ? null : comparison();
        this.conflicts = comparison == null ? List.of() : comparison.conflicts();
    }

    /** Whether one side has all events of the other: a fast-forward. */
    private boolean isForward() {
        return joined.equals(ours.head()) || joined.equals(theirs);
    }

    /** Why the root of ours cannot be read; null if it can. */
    private static @Nullable BlockException lost(ReplicatedPail ours) {
        try {
            Pail unused = ours.pail();
            return null;
        } catch (BlockException e) {
            return e;
        }
    }

    /** The conflicts: what both sides changed differently since the base, ordered by key. */
    List<? extends Conflict> conflicts() {
        return conflicts;
    }

    /**
     * Merges. Without a policy, the clock orders concurrent operations and replays them, so all replicas get the same version. If the
     * rules require more, an event that follows both sides adds it. With a policy, this is a three-way merge. If the replay has another
     * result than that, events that follow both sides correct it, so all replicas get the result of this one.
     *
     * @throws MergeConflictException if the policy refuses conflicts, and there are any
     */
    Merged merge(@Nullable MergePolicy policy) {
        ReplicatedPail merged = ours.merge(theirs);
        if (comparison == null) {
            if (policy != null && !isForward()) {
                // A policy compares versions: say which block of ours is lost.
                Pail unused = ours.pail();
            }
            return corrected(merged, lost != null && !isForward() ? withoutOurs(merged) : repaired(merged), Map.of());
        }
        if (policy == null) {
            return corrected(merged, comparison.onto(Merged.scratch(merged.pail())), Map.of());
        }
        MergeRules.Outcome wanted = comparison.by(policy);
        Map<String, Optional<Cid>> chosen = new TreeMap<>();
        for (Conflict found : conflicts) {
            chosen.put(found.key(), wanted.pail().get(found.key()));
        }
        // Rule M23: the merge decides these, too. They are no conflict of the two versions: one side has the value of
        // the base again.
        for (Conflict open :
                rules.describe(wanted.pail(), OpenConflicts.plain(merged.clock().newConflicts(merged.head())))) {
            chosen.put(open.key(), wanted.pail().get(open.key()));
        }
        return corrected(merged, wanted, chosen);
    }

    /** A fast-forward: the events of theirs may have been merged without the rules. */
    private MergeRules.Outcome repaired(ReplicatedPail merged) {
        Pail before = ours.head().isEmpty() ? merged.pail() : lost == null ? ours.pail() : pail(theirs);
        return rules.repair(merged.pail(), before);
    }

    /** The version of ours cannot be compared. Then the replay counts as a change of theirs, which the rules may refuse. */
    private MergeRules.Outcome withoutOurs(ReplicatedPail merged) {
        Pail before = Merged.scratch(pail(theirs));
        MergeRules.Side replayed = MergeRules.Side.of(merged.pail());
        return rules.compare(before, MergeRules.Side.of(before), replayed).onto(Merged.scratch(merged.pail()));
    }

    /** Adds events for the corrections; none, if there are none. */
    private Merged corrected(ReplicatedPail merged, MergeRules.Outcome wanted, Map<String, Optional<Cid>> chosen) {
        Map<String, Optional<Cid>> corrections = new TreeMap<>(chosen);
        Pail right = wanted.pail();
        merged.pail().diff(right).keys().forEach(change -> corrections.put(change.key(), change.after()));
        // Rule VM10.
        wanted.decided().forEach(key -> corrections.put(key, right.get(key)));
        Merged.keep(merged.pail(), right, corrections.values());
        return new Merged(Merged.follow(merged, corrections), conflicts, List.of(wanted), Optional.ofNullable(lost));
    }

    private MergeRules.Comparison comparison() {
        MerkleClock clock = ours.clock();
        return rules.compare(
                base(),
                MergeRules.Side.of(Merged.scratch(ours.pail()), () -> steps(clock, ours.head(), theirs)),
                MergeRules.Side.of(pail(theirs), () -> steps(clock, theirs, ours.head())));
    }

    /** The version of the events that both sides have; an empty one, if they have no common event. */
    private Pail base() {
        Head common = ours.clock().common(ours.head(), theirs);
        return common.isEmpty() ? nothing(ours.pail()) : pail(common);
    }

    /** An empty version of the same format, which is not stored. */
    static Pail nothing(Pail like) {
        return Pail.create(new Overlay(like.blocks()), like.format());
    }

    /** The events of one side that the other does not have. */
    static Stream<MergeRules.Step> steps(MerkleClock clock, Head side, Head other) {
        return clock.since(side, other).stream().map(cid -> {
            Event event = clock.event(cid);
            return new MergeRules.Step(
                    cid,
                    event.parents(),
                    event.operation().changes().stream()
                            .map(HistoryMerge::change)
                            .toList(),
                    () -> Pail.open(clock.blocks(), event.root()));
        });
    }

    private static Map.Entry<String, Optional<Cid>> change(Operation.Change change) {
        return Map.entry(
                change.key(), change instanceof Operation.Put put ? Optional.of(put.value()) : Optional.empty());
    }

    private Pail pail(Head head) {
        return ReplicatedPail.open(ours.clock(), head, UnrelatedHistories.MERGE_FROM_EMPTY)
                .pail();
    }
}
