package dev.pail.repository.update;

import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.car.Completeness;
import dev.pail.clock.Description;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Cid;
import dev.pail.repository.history.Histories;
import dev.pail.repository.model.HeadMovedException;
import dev.pail.repository.model.PailChange;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Updated;
import dev.pail.update.Derivation;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Moves branches to versions that functions make. Safe for use by several threads. */
public record VersionUpdates(OpenStores stores, RefUpdates updates) {
    /** Checks the branch, and makes a version from it. */
    private interface Making<E extends Exception> {
        Pail of(Snapshot before) throws E;
    }

    /**
     * As {@link dev.pail.repository.Repository#update(String, String, PailChange)}.
     *
     * @param reason null for one that names the changes
     */
    public <E extends Exception> Updated update(String branch, @Nullable String reason, PailChange<E> change) throws E {
        return updated(branch, reason, before -> checkedOrigin(before, change.apply(before.pail())));
    }

    /**
     * The same, if the branch is still as it was seen.
     *
     * @throws HeadMovedException if it has moved since
     */
    public <E extends Exception> Updated update(Snapshot expected, @Nullable String reason, PailChange<E> change)
            throws E {
        return updated(expected.branch(), reason, before -> {
            if (!before.equals(expected)) {
                throw new HeadMovedException(expected.branch(), expected.generation(), before.generation());
            }
            return checkedOrigin(before, change.apply(before.pail()));
        });
    }

    /** The same, for a version of any origin. */
    public <E extends Exception> Updated replace(String branch, String reason, PailChange<E> change) throws E {
        return updated(branch, reason, before -> change.apply(before.pail()));
    }

    private static Pail checkedOrigin(Snapshot before, Pail after) {
        if (!after.isMadeFrom(before.pail()) && !after.root().equals(before.root())) {
            throw new IllegalArgumentException("the version was not made from the one that update gave, and would undo"
                    + " what other writers did since: " + after.root() + "; to do that, use replace");
        }
        return after;
    }

    private <E extends Exception> Updated updated(String branch, @Nullable String reason, Making<E> making) {
        return moved(branch, (before, transaction) -> {
            Changes changes = changes(before, transaction);
            return proposal(changes, before, reason, made(making, before));
        });
    }

    private Updated moved(String branch, RefUpdates.Change change) {
        AtomicReference<@Nullable Snapshot> last = new AtomicReference<>();
        Snapshot after = updates.update(branch, (before, transaction) -> {
            last.set(before);
            return change.of(before, transaction);
        });
        // The function was called at least once.
        Snapshot before = Objects.requireNonNull(last.get());
        return new Updated(Snapshots.in(stores.blocks(), before), after);
    }

    /** As {@link dev.pail.repository.Repository#startHistory}. */
    public <E extends Exception> Updated startHistory(String branch, String reason, PailChange<E> change) {
        return moved(branch, (before, transaction) -> {
            Pail empty = stores.histories().in(transaction).pail(Head.empty());
            Snapshot nothing = new Snapshot(branch, before.generation(), Head.empty(), empty);
            Changes changes = changes(nothing, transaction);
            Pail after = made(snapshot -> change.apply(snapshot.pail()), before);
            if (after.root().equals(before.root())
                    && isBeginning(stores.histories().in(transaction), before.head())) {
                return new RefUpdates.Proposal(before.head(), before.pail(), reason);
            }
            try (Stream<Entry> entries = after.entries()) {
                return entries.findFirst().isEmpty()
                        ? new RefUpdates.Proposal(Head.empty(), empty, reason)
                        : proposal(changes, nothing, reason, after);
            }
        });
    }

    /** Whether a head is one change that follows nothing. */
    private static boolean isBeginning(Histories histories, Head head) {
        if (head.size() != 1) {
            return false;
        }
        List<Cid> change = histories.change(head.events().get(0));
        return histories.event(change.get(0)).parents().isEmpty();
    }

    /** The version that the function of an update makes, if no change would be lost with it. Rule REP33. */
    private static <E extends Exception> Pail made(Making<E> making, Snapshot before) {
        Pail after;
        try {
            after = making.of(before);
        } catch (Exception e) {
            throw VersionUpdates.<RuntimeException>thrown(e);
        }
        Derivation.check(before.pail(), after, after.root().equals(before.root()));
        return after;
    }

    /** Throws what the function of an update threw, which the update declares. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Erasure lets a checked exception pass.
    static <E extends Exception> E thrown(Exception error) throws E {
        throw (E) error;
    }

    /** The changes from a version in a transaction to one that is made there from now on. */
    private Changes changes(Snapshot before, StagedBlocks.Transaction transaction) {
        Changes changes = new Changes(before, updates::description, stores.trees());
        transaction.followBuilds(changes::follow);
        return changes;
    }

    private static RefUpdates.Proposal proposal(Changes changes, Snapshot before, @Nullable String reason, Pail after) {
        if (after.root().equals(before.root())) {
            return new RefUpdates.Proposal(before.head(), before.pail(), "");
        }
        ChangeEvents events = changes.store(after);
        return new RefUpdates.Proposal(events.head(), after, reason == null ? events.summary() : reason);
    }

    /** As {@link dev.pail.repository.Repository#change}. */
    public ReplicatedPail change(String branch, String reason, UnaryOperator<ReplicatedPail> change) {
        return replicated(reason, derived(change), proposal -> updates.change(branch, proposal));
    }

    /**
     * Moves a branch to a state that need not follow its head.
     *
     * @param change makes it from the state of the branch and those of other heads
     */
    public ReplicatedPail move(
            String branch,
            String reason,
            BiFunction<ReplicatedPail, Function<Head, ReplicatedPail>, ReplicatedPail> change) {
        return replicated(
                reason,
                (given, transaction) -> change.apply(given, head -> described(head, transaction)),
                proposal -> updates.change(branch, proposal));
    }

    private static BiFunction<ReplicatedPail, BlockStore, ReplicatedPail> derived(
            UnaryOperator<ReplicatedPail> change) {
        return (given, transaction) -> {
            ReplicatedPail after = change.apply(given);
            Derivation.check(given, after, after.head().equals(given.head()));
            return after;
        };
    }

    /** The state of a head in a transaction, whose changes get the description of the update. */
    private ReplicatedPail described(Head head, BlockStore transaction) {
        ReplicatedPail plain = stores.snapshots().replica(head).in(transaction);
        Description description = updates.description();
        return description == null ? plain : plain.described(description).with(stores.trees());
    }

    private ReplicatedPail replicated(
            String reason,
            BiFunction<ReplicatedPail, BlockStore, ReplicatedPail> change,
            Function<RefUpdates.Change, Snapshot> move) {
        AtomicReference<@Nullable ReplicatedPail> last = new AtomicReference<>();
        Snapshot now = move.apply((before, transaction) -> {
            ReplicatedPail after = change.apply(described(before.head(), transaction), transaction);
            last.set(after.plain());
            return new RefUpdates.Proposal(after.head(), after.pail(), reason);
        });
        // The function was called at least once, and the branch is at what it made last.
        ReplicatedPail made = Objects.requireNonNull(last.get());
        return made.head().equals(now.head()) && made.root().equals(now.root())
                ? made.in(stores.blocks())
                : stores.snapshots().replica(now.head());
    }

    public Snapshot create(String branch, Head head) {
        return updates.createBranch(branch, head);
    }

    public Snapshot create(String branch, Revision revision) {
        if (revision.head().isPresent()) {
            return create(branch, revision.head().get());
        }
        Completeness.require(stores.blocks(), List.of(revision.pail().root()));
        return create(branch, revision.pail());
    }

    public Snapshot create(String branch, Pail version) {
        String reason = "branch from " + version.root();
        return updates.createBranch(
                branch, (nothing, transaction) -> proposal(changes(nothing, transaction), nothing, reason, version));
    }

    public <E extends Exception> Snapshot create(String branch, PailChange<E> beginning) {
        return updates.createBranch(branch, (nothing, transaction) -> {
            Snapshot given = Snapshots.in(transaction, nothing);
            Changes changes = changes(given, transaction);
            return proposal(changes, given, null, made(before -> beginning.apply(before.pail()), given));
        });
    }

    /** Creates a branch by a function of a replicated pail, which is empty here. */
    public ReplicatedPail create(String branch, String reason, UnaryOperator<ReplicatedPail> beginning) {
        return replicated(reason, derived(beginning), proposal -> updates.createBranch(branch, proposal));
    }

    /** Moves a branch as an undo or a redo does. */
    public Snapshot step(Step step, Snapshot expected, int steps) {
        if (steps < 1) {
            throw new IllegalArgumentException("the number of steps is 1 or more, not " + steps);
        }
        UndoSteps.Update update;
        try (UndoSteps log = new UndoSteps(
                expected, stores.store().log(expected.branch(), expected.head(), expected.generation()))) {
            update = step == Step.UNDO ? log.back(steps) : log.forward(steps);
        }
        return updates.move(expected, update.head(), step.reason + " to generation " + update.generation());
    }

    /** Where a step goes, with the word that the log has for it. */
    public enum Step {
        UNDO("undo"),
        REDO("redo");

        private final String reason;

        Step(String reason) {
            this.reason = reason;
        }
    }
}
