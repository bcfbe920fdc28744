package dev.pail.repository.update;

import dev.pail.OperationInterruptedException;
import dev.pail.clock.Head;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.Epoch;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes that several threads make of one branch. Each thread makes its own, one after the other, and one of them commits all: the store
 * is waited for once. Each change keeps its ref update, its answer and its failure. Rule REP42.
 *
 * @param lines the lines of the threads
 */
record CombinedChanges(OpenStores stores, RefUpdates updates, ChangeLines lines) {
    /**
     * Makes one attempt.
     *
     * @param races how many were lost before it
     * @throws RefChangedException if another writer was faster
     */
    Snapshot make(String branch, RefUpdates.Change change, int races) {
        Optional<ChangeLines.Place> entered = lines.enter(branch, races < RefUpdates.MOST_RACES);
        if (entered.isEmpty()) {
            return updates.alone(branch, change, races);
        }
        Optional<Snapshot> made;
        try (ChangeLines.Place place = entered.get()) {
            if (races < RefUpdates.MOST_RACES) {
                made = combined(place, branch, change);
            } else {
                made = Optional.of(stores.store().update(update -> updates.attempt(branch, change, update)));
            }
        }
        updates.notifyListeners();
        return made.orElseGet(() -> updates.alone(branch, change, races));
    }

    /**
     * Where the branch stands after a change that is committed with those of other threads.
     *
     * @return nothing, if the commit of another thread has failed
     */
    private Optional<Snapshot> combined(ChangeLines.Place place, String branch, RefUpdates.Change change) {
        ChangeGroup joined = place.group();
        ChangeGroup group = joined == null ? group(branch) : joined;
        boolean isFirst = joined == null;
        try (StagedBlocks.Transaction transaction = stores.blocks().transaction(group.staged())) {
            Snapshot before = group.tip();
            ChangeGroup.Made made;
            try {
                Snapshot given = Snapshots.in(transaction, before);
                RefUpdates.Proposal proposal = change.of(given, transaction);
                if (isFirst
                        && proposal.head().equals(before.head())
                        && stores.store().isDurable(group.state())) {
                    transaction.write();
                    return Optional.of(before);
                }
                updates.check(proposal, given, transaction, group.begun());
                made = new ChangeGroup.Made(
                        updates.own(proposal, transaction), null, updates.note(), before.head(), transaction);
            } catch (OperationInterruptedException e) {
                throw e;
            } catch (Exception e) {
                if (isFirst) {
                    throw e;
                }
                // It is an answer only if the version becomes durable that it was made from. Its blocks are dropped.
                try (StagedBlocks.Transaction none = stores.blocks().transaction(group.staged())) {
                    return committed(
                            place, branch, group, new ChangeGroup.Made(null, e, Note.NONE, before.head(), none));
                }
            }
            return committed(place, branch, group, made);
        }
    }

    /** Adds what was made to the group, and commits that or waits until another thread has. */
    private Optional<Snapshot> committed(
            ChangeLines.Place place, String branch, ChangeGroup group, ChangeGroup.Made made) {
        if (place.add(group, made)) {
            Throwable failure = commit(branch, group, made.transaction);
            place.end(group, failure);
            return result(branch, group, made, failure);
        }
        if (!place.isPassed()) {
            return result(branch, group, made, null);
        }
        if (group.failure() != null) {
            throw new RefChangedException(branch, "the version before was not committed");
        }
        ChangeGroup own = group.next();
        own.add(made);
        own.end(commit(branch, own, made.transaction));
        return result(branch, own, made, own.failure());
    }

    private ChangeGroup group(String branch) {
        Epoch begun = updates.begin();
        BranchState state = stores.refs().branch(branch);
        return new ChangeGroup(begun, state, stores.snapshots().of(branch, state));
    }

    /** Commits a group, and returns what that threw. */
    private @Nullable Throwable commit(String branch, ChangeGroup group, StagedBlocks.Transaction transaction) {
        try {
            return stores.store().<@Nullable Throwable>update(update -> {
                BranchState now = stores.refs().branch(branch);
                if (!Snapshots.isAt(group.before(), now)) {
                    throw new RefChangedException(branch, "generation " + now.generation());
                }
                updates.commit(update, now, transaction, group.changes(), group.begun());
                return null;
            });
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /**
     * What has become of a change of a group that is over.
     *
     * @param own what the commit threw, if this thread has committed; else null
     */
    private Optional<Snapshot> result(
            String branch, ChangeGroup group, ChangeGroup.Made made, @Nullable Throwable own) {
        ChangeGroup.Outcome outcome = group.outcome(made);
        if (outcome == ChangeGroup.Outcome.DURABLE) {
            if (made.thrown != null) {
                throw VersionUpdates.<RuntimeException>thrown(made.thrown);
            }
            return Optional.of(Objects.requireNonNull(made.after));
        }
        boolean isAlone = group.changes().size() == 1;
        if (outcome == ChangeGroup.Outcome.UNCERTAIN && !isAlone) {
            throw uncertain(branch, made, Objects.requireNonNull(group.failure()));
        }
        if (own instanceof Error error) {
            throw error;
        }
        if (own instanceof RuntimeException error
                && (isAlone
                        || outcome == ChangeGroup.Outcome.FAILED
                        || error instanceof OperationInterruptedException)) {
            throw error;
        }
        if (outcome == ChangeGroup.Outcome.LOST) {
            throw new RefChangedException(branch, "another version than " + made.from);
        }
        return Optional.empty();
    }

    private HeadUpdateUncertainException uncertain(String branch, ChangeGroup.Made made, Throwable failure) {
        Head to = Objects.requireNonNull(made.proposal).head();
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return new HeadUpdateUncertainException(
                branch, stores.store().location(), made.from, to, String.valueOf(cause.getMessage()), failure);
    }
}
