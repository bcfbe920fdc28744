package dev.pail.repository.merge;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Conflict;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.OperationInterruptedException;
import dev.pail.Pail;
import dev.pail.WatchedBlockStore;
import dev.pail.car.Completeness;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.dag.Overlay;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Revision;
import dev.pail.repository.refs.ChangeEvents;
import dev.pail.repository.update.OpenStores;
import dev.pail.repository.update.RepositoryCore;
import dev.pail.repository.update.VersionUpdates;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Merges into branches, and takes changes back, by the rules of a repository. Safe for use by several threads. */
public final class Merges {
    private final OpenStores stores;
    private final VersionUpdates versions;
    private final MergeRules rules;

    public Merges(RepositoryCore core) {
        this.stores = core.stores();
        this.versions = core.versions();
        this.rules = core.rules();
    }

    /** As {@link dev.pail.repository.Repository#merge(String, Revision, MergeOptions)}. */
    public MergeResult merge(String branch, Revision theirs, MergeOptions options) {
        String reason = "merge " + theirs.text();
        if (options.base().isPresent()) {
            return mergeContent(branch, reason, options.base().get(), theirs, options);
        }
        return merge(branch, reason, head(theirs), options);
    }

    private static Head head(Revision revision) {
        return revision.head()
                .orElseThrow(() -> new RepositoryException(
                        RepositoryException.Reason.NO_VERSION,
                        "a root without a history: " + revision.text(),
                        "name a branch, a tag or an event, or give the version that both sides come from as the base",
                        null));
    }

    /** Rule DE9: what a merge adds is plain. Merges a head, or begins a branch at it. A branch that begins takes histories that began apart, and has no conflicts. */
    public MergeResult merge(String branch, String reason, Head theirs, MergeOptions options) {
        boolean isPresent = stores.refs().has(branch);
        UnrelatedHistories unrelated = isPresent ? options.unrelated() : UnrelatedHistories.MERGE_FROM_EMPTY;
        MergePolicy policy = isPresent ? options.policy().orElse(null) : null;
        Function<ReplicatedPail, Merged> merge =
                ours -> watched(ours, options, at -> merged(at.plain(), theirs, unrelated, policy));
        if (options.dryRun()) {
            if (!isPresent) {
                stores.refs().checkFree(branch);
            }
            Head head = isPresent ? stores.refs().branch(branch).head() : Head.empty();
            Made made = new Made();
            ReplicatedPail after =
                    made.by(stores.histories().in(new Overlay(stores.blocks())).replica(head), merge);
            return made.result(after.pail());
        }
        Made made = new Made();
        ReplicatedPail now = isPresent
                ? versions.change(branch, reason, ours -> made.by(ours, merge))
                : versions.create(branch, reason, nothing -> made.by(nothing, merge));
        return made.result(now.pail());
    }

    /** A merge that tells of its progress. What it makes is in the store of ours, as without that. */
    private Merged watched(ReplicatedPail ours, MergeOptions options, Function<ReplicatedPail, Merged> merge) {
        options.progress().run();
        BlockStore blocks = ours.clock().blocks();
        Merged merged = merge.apply(ours.in(watched(blocks, options)));
        return merged.with(merged.state().in(blocks));
    }

    private Pail watched(Pail pail, MergeOptions options) {
        return pail.in(watched(pail.blocks(), options));
    }

    private BlockStore watched(BlockStore blocks, MergeOptions options) {
        String what = "a merge in " + stores.store().location();
        return new WatchedBlockStore(blocks, block -> {
            OperationInterruptedException.check(what);
            options.progress().run();
        });
    }

    /** As {@link dev.pail.repository.Repository#revert}. */
    public MergeResult revert(String branch, Cid event, MergePolicy policy) {
        Made made = new Made();
        ReplicatedPail now = versions.change(branch, "revert " + event, ours -> {
            if (!ours.clock().contains(ours.head(), event)) {
                throw new RepositoryException(
                        RepositoryException.Reason.NO_VERSION,
                        branch + " does not hold the event " + event,
                        "if it was undone, redo brings it back",
                        null);
            }
            List<Cid> events = new ChangeEvents(stores.refs(), branch).of(ours, event);
            return made.by(
                    ours.unchanged(),
                    at -> AppliedChange.inverse(rules, at, events).by(policy));
        });
        return made.result(now.pail());
    }

    /** As {@link dev.pail.repository.Repository#cherryPick}. */
    public MergeResult cherryPick(String branch, List<Cid> changes, MergePolicy policy) {
        String reason =
                "cherry-pick " + (changes.size() == 1 ? changes.get(0).toString() : changes.size() + " changes");
        Repeated repeated = new Repeated(rules, policy);
        ReplicatedPail now = versions.change(branch, reason, ours -> repeated.onto(ours.unchanged(), changes));
        return repeated.result(now.pail());
    }

    /** As {@link dev.pail.repository.Repository#rebase}. */
    public MergeResult rebase(String branch, Revision onto, MergePolicy policy) {
        Head target = head(onto);
        Repeated repeated = new Repeated(rules, policy);
        ReplicatedPail now = versions.move(branch, "rebase onto " + onto.text(), (ours, there) -> {
            MerkleClock clock = ours.clock();
            List<Cid> changes = clock.since(ours.head(), target).stream()
                    .filter(event -> !clock.event(event).isContinued())
                    .toList();
            // If the target is in the history of the branch, all is there already.
            return clock.merge(ours.head(), target).equals(ours.head())
                    ? ours
                    : repeated.onto(there.apply(target), changes);
        });
        return repeated.result(now.pail());
    }

    /** Takes in what is different between two versions, as a change of the branch. */
    private MergeResult mergeContent(
            String branch, String reason, Revision base, Revision theirs, MergeOptions options) {
        Completeness.require(
                stores.blocks(), List.of(base.pail().root(), theirs.pail().root()));
        MergePolicy policy = options.policy().orElseGet(MergePolicy::fail);
        Made made = new Made();
        Function<Pail, Pail> merge = given -> {
            options.progress().run();
            // The rules may make versions on the way that nothing comes of.
            Pail ours = given.unchanged();
            MergeRules.Comparison sides = rules.compare(
                    watched(base.pail(), options),
                    MergeRules.Side.of(ours),
                    MergeRules.Side.of(watched(theirs.pail(), options)));
            MergeRules.Outcome outcome = sides.by(policy);
            made.set(result(
                    outcome.pail(), Optional.of(ours.root()), sides.conflicts(), List.of(outcome), Optional.empty()));
            return outcome.pail();
        };
        return made.result(
                options.dryRun()
                        ? merge.apply(Pail.open(
                                new Overlay(stores.blocks()), stores.snapshots().root(branch)))
                        : versions.update(branch, reason + " --base " + base.text(), merge::apply)
                                .pail());
    }

    /** What a change made when it was called last: it may be called again, if a race was lost. */
    private static final class Made {
        private final AtomicReference<@Nullable MergeResult> last = new AtomicReference<>();

        void set(MergeResult result) {
            last.set(result);
        }

        ReplicatedPail by(ReplicatedPail ours, Function<ReplicatedPail, Merged> merge) {
            Optional<Cid> before = rootIfReadable(ours);
            Merged merged = merge.apply(ours);
            set(Merges.result(
                    merged.state().pail(), before, merged.conflicts(), merged.outcomes(), merged.unreadable()));
            return merged.state();
        }

        /** A merge need not read the version before; empty if it cannot be read, or there is none. */
        private static Optional<Cid> rootIfReadable(ReplicatedPail ours) {
            try {
                return ours.head().isEmpty() ? Optional.empty() : Optional.of(ours.root());
            } catch (BlockException e) {
                return Optional.empty();
            }
        }

        MergeResult result(Pail now) {
            MergeResult made = Objects.requireNonNull(last.get());
            return new MergeResult(now, made.before(), made.conflicts(), made.outcomes(), made.unreadable());
        }
    }

    private static MergeResult result(
            Pail pail,
            Optional<Cid> before,
            List<? extends Conflict> conflicts,
            List<MergeRules.Outcome> outcomes,
            Optional<BlockException> unreadable) {
        List<MergeResult.Resolved> resolved = conflicts.stream()
                .map(conflict -> new MergeResult.Resolved(conflict, pail.get(conflict.key())))
                .toList();
        return new MergeResult(pail, before, resolved, outcomes, unreadable);
    }

    /** What came of taking a version as it is. */
    public static MergeResult unmerged(Pail pail) {
        return new MergeResult(pail, Optional.empty(), List.of(), List.of(), Optional.empty());
    }

    private Merged merged(
            ReplicatedPail ours, Head theirs, UnrelatedHistories unrelated, @Nullable MergePolicy policy) {
        List<MergeRules.Outcome> outcomes = new ArrayList<>();
        Head right = right(ours, theirs, outcomes);
        return new HistoryMerge(rules, ours, right, unrelated).merge(policy).after(outcomes);
    }

    /**
     * The head from which the version of another head is right. Its events may have been merged without the rules: then they are merged
     * here, one after the other, and an event that follows makes the version right.
     */
    private Head right(ReplicatedPail ours, Head theirs, List<MergeRules.Outcome> outcomes) {
        MerkleClock clock = ours.clock();
        if (theirs.size() < 2 || clock.merge(ours.head(), theirs).equals(ours.head()) || !isConcerned(clock, theirs)) {
            return theirs;
        }
        UnrelatedHistories unrelated = UnrelatedHistories.MERGE_FROM_EMPTY;
        ReplicatedPail right =
                ReplicatedPail.open(clock, Head.of(theirs.events().get(0)), unrelated);
        for (Cid event : theirs.events().subList(1, theirs.size())) {
            Merged merged = new HistoryMerge(rules, right, Head.of(event), unrelated).merge(null);
            outcomes.addAll(merged.outcomes());
            right = merged.state();
        }
        return right.head();
    }

    private boolean isConcerned(MerkleClock clock, Head head) {
        return head.events().stream()
                .anyMatch(event -> rules.concern(
                        Pail.open(clock.blocks(), clock.event(event).root())));
    }
}
