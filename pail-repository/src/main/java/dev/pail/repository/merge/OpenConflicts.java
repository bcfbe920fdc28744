package dev.pail.repository.merge;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Conflict;
import dev.pail.Escapes;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.OpenConflict;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.ConflictEntry;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.refs.OwnEvents;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.update.OpenStores;
import dev.pail.repository.update.RepositoryCore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the open conflicts of branches, and decides them (spec rules M22 to M24). Safe for use by several threads. */
public final class OpenConflicts {
    private final RepositoryCore core;
    private final OpenStores stores;

    public OpenConflicts(RepositoryCore core) {
        this.core = core;
        this.stores = core.stores();
    }

    /** The open conflicts of a branch, in the order of keys. */
    public List<ConflictEntry> of(String branch) {
        BranchState state = stores.refs().branch(branch);
        ReplicatedPail now = stores.snapshots().replica(state.head());
        return entries(state, now, open(now));
    }

    /** How many conflicts are open for a head. */
    public long count(Head head) {
        ReplicatedPail now = stores.snapshots().replica(head);
        return count(now, open(now));
    }

    /** How many of those of a branch came with the events since their common ancestor. */
    public long countNew(String branch) {
        Head head = stores.refs().branch(branch).head();
        ReplicatedPail now = stores.snapshots().replica(head);
        return count(now, now.clock().newConflicts(head));
    }

    private long count(ReplicatedPail now, List<OpenConflict> open) {
        // Most versions have none, and need not be read.
        return open.isEmpty()
                ? 0
                : core.rules().describe(now.pail(), plain(open)).size();
    }

    private List<OpenConflict> open(ReplicatedPail now) {
        return now.clock().conflicts(now.head(), stores.conflicts());
    }

    /** The conflicts without their bases. */
    static List<Conflict> plain(List<OpenConflict> open) {
        return open.stream()
                .map(each -> Conflict.of(
                        each.key(),
                        Optional.empty(),
                        each.sides().get(0).value(),
                        each.sides().get(1).value()))
                .toList();
    }

    private List<ConflictEntry> entries(BranchState state, ReplicatedPail now, List<OpenConflict> open) {
        if (open.isEmpty()) {
            return List.of();
        }
        Set<Cid> events = open.stream()
                .flatMap(each -> each.sides().stream())
                .map(OpenConflict.Side::event)
                .collect(Collectors.toSet());
        Set<Cid> own = OwnEvents.among(events, stores.refs(), state, now.clock());
        Pail pail = now.pail();
        Map<Set<Cid>, Pail> bases = new HashMap<>();
        List<Conflict> conflicts = open.stream()
                .map(each -> {
                    Set<Cid> sides =
                            each.sides().stream().map(OpenConflict.Side::event).collect(Collectors.toSet());
                    Pail base = bases.computeIfAbsent(sides, of -> base(now, of));
                    return conflict(each, base.get(each.key()), pail.get(each.key()), own);
                })
                .toList();
        Map<String, List<OpenConflict.Side>> sides =
                open.stream().collect(Collectors.toMap(OpenConflict::key, OpenConflict::sides));
        return core.rules().describe(pail, conflicts).stream()
                .map(each -> new ConflictEntry(each, pail.get(each.key()), sides.getOrDefault(each.key(), List.of())))
                .toList();
    }

    /** The version of the newest events that all sides follow. */
    private static Pail base(ReplicatedPail now, Set<Cid> sides) {
        MerkleClock clock = now.clock();
        @Nullable Head common = null;
        for (Cid side : sides) {
            common = common == null ? Head.of(side) : clock.common(common, Head.of(side));
        }
        return common == null || common.isEmpty()
                ? HistoryMerge.nothing(now.pail())
                : ReplicatedPail.open(clock, common, UnrelatedHistories.MERGE_FROM_EMPTY)
                        .pail();
    }

    private static Conflict conflict(OpenConflict open, Optional<Cid> base, Optional<Cid> stands, Set<Cid> own) {
        Optional<Cid> ours = open.sides().stream()
                .filter(side -> own.contains(side.event()))
                .findFirst()
                .map(OpenConflict.Side::value)
                .orElse(stands);
        Optional<Cid> theirs = open.sides().stream()
                .map(OpenConflict.Side::value)
                .filter(value -> !value.equals(ours))
                .findFirst()
                .orElseThrow();
        return Conflict.of(open.key(), base, ours, theirs);
    }

    /**
     * As {@link dev.pail.repository.Conflicts#resolve}.
     *
     * @param decision returns the value of a key
     */
    public MergeResult resolve(
            String branch, Collection<String> keys, BiFunction<ConflictEntry, BlockStore, Optional<Cid>> decision) {
        AtomicReference<MergeRules.@Nullable Outcome> made = new AtomicReference<>();
        AtomicReference<@Nullable Cid> before = new AtomicReference<>();
        String reason = "resolve " + (keys.size() == 1 ? keys.iterator().next() : keys.size() + " conflicts");
        ReplicatedPail now = core.versions().change(branch, reason, ours -> {
            Map<String, ConflictEntry> open = entries(stores.refs().branch(branch), ours, open(ours)).stream()
                    .collect(Collectors.toMap(each -> each.conflict().key(), Function.identity()));
            Map<String, Optional<Cid>> decided = new TreeMap<>();
            for (String key : keys) {
                ConflictEntry entry = open.get(key);
                if (entry == null) {
                    throw new RepositoryException(
                            RepositoryException.Reason.NO_CONFLICT,
                            "no open conflict of " + branch + ": " + Escapes.brief(key),
                            Hint.of("see those that are open with: ", Hint.Action.CONFLICTS, branch),
                            null);
                }
                decided.put(key, decision.apply(entry, ours.clock().blocks()));
            }
            before.set(ours.root());
            MergeRules.Outcome outcome = repaired(ours, decided);
            made.set(outcome);
            return follow(ours, decided, outcome.pail());
        });
        MergeRules.Outcome outcome = made.get();
        return new MergeResult(
                now.pail(),
                Optional.ofNullable(before.get()),
                List.of(),
                outcome == null ? List.of() : List.of(outcome),
                Optional.empty());
    }

    private MergeRules.Outcome repaired(ReplicatedPail ours, Map<String, Optional<Cid>> decided) {
        Pail scratch = Merged.scratch(ours.pail());
        Batch batch = scratch.batch();
        decided.forEach((key, value) -> value.ifPresentOrElse(cid -> batch.put(key, cid), () -> batch.delete(key)));
        return core.rules().repair(batch.commit(), scratch);
    }

    /** An event with all decisions, also those that change nothing: they end the conflict. */
    private static ReplicatedPail follow(ReplicatedPail ours, Map<String, Optional<Cid>> decided, Pail right) {
        Map<String, Optional<Cid>> changes = new TreeMap<>(decided);
        ours.pail().diff(right).keys().forEach(change -> changes.put(change.key(), change.after()));
        Merged.keep(ours.pail(), right, changes.values());
        return Merged.follow(ours, changes);
    }
}
