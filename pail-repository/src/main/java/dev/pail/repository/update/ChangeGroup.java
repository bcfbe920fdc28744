package dev.pail.repository.update;

import dev.pail.OperationInterruptedException;
import dev.pail.clock.Head;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.Epoch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of one branch that are committed together, each made from the version before it. {@link ChangeLines} guards it: one thread at a
 * time makes a change, or commits all.
 */
final class ChangeGroup {
    /** The most changes of a group: the first one waits for all others. */
    static final int MOST_CHANGES = 64;

    /** What has become of a change. */
    enum Outcome {
        /** It is durable, or the version is that it was made from and that it does not change. */
        DURABLE,
        /** It was not applied, and the branch may be at another version now. */
        LOST,
        /** It was not applied, as the commit failed. */
        FAILED,
        /** It is not known whether it was applied. */
        UNCERTAIN
    }

    /** A change that was made, or a function of a change that threw. */
    static final class Made {
        /** What the branch goes to; null if the function threw. */
        final RefUpdates.@Nullable Proposal proposal;

        /** What the function threw. */
        final @Nullable Exception thrown;

        final Note note;
        final Head from;
        final StagedBlocks.Transaction transaction;

        /** What the branch is at if the change is durable. */
        @Nullable
        Snapshot after;

        /** Whether the store was asked to move the branch. */
        boolean isBegun;

        boolean isDurable;

        Made(
                RefUpdates.@Nullable Proposal proposal,
                @Nullable Exception thrown,
                Note note,
                Head from,
                StagedBlocks.Transaction transaction) {
            this.proposal = proposal;
            this.thrown = thrown;
            this.note = note;
            this.from = from;
            this.transaction = transaction;
        }

        /** @param failure of the commit; null, if it succeeded */
        private Outcome outcome(@Nullable Throwable failure) {
            if (isDurable) {
                return Outcome.DURABLE;
            }
            if (failure instanceof HeadUpdateUncertainException) {
                return isBegun ? Outcome.UNCERTAIN : Outcome.LOST;
            }
            return failure instanceof RefChangedException || failure instanceof OperationInterruptedException
                    ? Outcome.LOST
                    : Outcome.FAILED;
        }
    }

    private final Epoch begun;
    private final BranchState state;
    private final Snapshot before;
    private final StagedGroup staged = new StagedGroup();
    private final List<Made> changes = new ArrayList<>();
    private Snapshot tip;
    private @Nullable Throwable failure;
    private boolean isOver;

    /**
     * @param begun the epoch before the branch was read
     * @param state of the branch
     * @param before the same, as a snapshot
     */
    ChangeGroup(Epoch begun, BranchState state, Snapshot before) {
        this.begun = begun;
        this.state = state;
        this.before = before;
        this.tip = before;
    }

    /** A group of what follows this one. */
    ChangeGroup next() {
        return new ChangeGroup(begun, state, tip);
    }

    Epoch begun() {
        return begun;
    }

    BranchState state() {
        return state;
    }

    /** What the branch is at before the first change. */
    Snapshot before() {
        return before;
    }

    /** What the next change is made from. */
    Snapshot tip() {
        return tip;
    }

    StagedGroup staged() {
        return staged;
    }

    List<Made> changes() {
        return changes;
    }

    boolean isFull() {
        return changes.size() >= MOST_CHANGES;
    }

    void add(Made made) {
        changes.add(made);
        RefUpdates.Proposal proposal = made.proposal;
        if (proposal != null && !proposal.head().equals(tip.head())) {
            tip = new Snapshot(tip.branch(), tip.generation() + 1, proposal.head(), proposal.pail());
        }
    }

    /** @param error why the commit failed; null, if it succeeded */
    void end(@Nullable Throwable error) {
        failure = error;
        isOver = true;
    }

    boolean isOver() {
        return isOver;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    Outcome outcome(Made made) {
        return made.outcome(failure);
    }
}
