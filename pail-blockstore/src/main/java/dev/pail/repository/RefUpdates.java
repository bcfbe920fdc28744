package dev.pail.repository;

import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Updates refs: moves, creates, renames and removes branches, and creates and removes tags. The change is made, and the blocks that its
 * head reaches are checked, without the lock. The compare-and-set of the ref holds the lock: it follows the writing of the blocks, and
 * fails if another writer has updated the branch since. Safe for use by several threads.
 */
final class RefUpdates {
    /** After losing this many races, a change is made while the lock is held, so that it cannot lose another. */
    private static final int MOST_RACES = 2;

    /** How often a store without a lock may refuse an update before that is an error. */
    private static final int MOST_REFUSALS = 100;

    private final RefStore store;
    private final Refs refs;
    private final RepositoryBlocks stored;
    private final StagedBlocks blocks;
    private final Histories histories;
    private final Snapshots snapshots;
    private final DerivedRoots derived;
    private final ConnectivityCheck connectivity;
    private final Listeners listeners;
    private final Note note;

    /** The epoch when blocks that others had taken away were last forgotten. */
    private volatile Epoch renewed = Epoch.NONE;

    RefUpdates(
            RefStore store,
            RepositoryBlocks stored,
            StagedBlocks blocks,
            Histories histories,
            Snapshots snapshots,
            DerivedRoots derived) {
        this.store = store;
        this.refs = new Refs(store);
        this.stored = stored;
        this.blocks = blocks;
        this.histories = histories;
        this.snapshots = snapshots;
        this.derived = derived;
        this.connectivity = new ConnectivityCheck(refs, store.epoch().number());
        this.listeners = new Listeners();
        this.note = Note.NONE;
    }

    /** The same, whose log entries have a note. */
    private RefUpdates(RefUpdates same, Note note) {
        this.store = same.store;
        this.refs = same.refs;
        this.stored = same.stored;
        this.blocks = same.blocks;
        this.histories = same.histories;
        this.snapshots = same.snapshots;
        this.derived = same.derived;
        this.connectivity = same.connectivity;
        this.listeners = same.listeners;
        this.note = note;
    }

    /** The note of the log entries. */
    Note note() {
        return note;
    }

    /** This, whose log entries have a note. */
    RefUpdates withNote(Note other) {
        return new RefUpdates(this, other);
    }

    /** A head that a branch shall go to, with the version that follows from it. What is new of it is staged. */
    record Proposal(Head head, Pail pail, String reason) {}

    /** Makes of a branch what it shall go to. Works in a transaction, where the version of the snapshot is, too. */
    interface Change {
        Proposal of(Snapshot before, StagedBlocks.Transaction transaction);
    }

    /** Moves a branch to the head that a function makes from its version, as {@link Repository#update} says. */
    Snapshot change(String branch, Change change) {
        store.checkWritable();
        for (int races = 0; ; races++) {
            try {
                return races < MOST_RACES
                        ? attempt(branch, change, null)
                        : updated(update -> attempt(branch, change, update));
            } catch (RefChangedException e) {
                // Made again from the newer version. A store without a lock may lose each race.
            }
        }
    }

    /**
     * Where the branch stands after the change.
     *
     * @param held the update that is under way already; null, if there is none
     * @throws RefChangedException if another writer has moved the branch meanwhile
     */
    private Snapshot attempt(String branch, Change change, RefStore.@Nullable Update held) {
        try (StagedBlocks.Transaction transaction =
                held == null ? blocks.transaction() : blocks.transactionInUpdate()) {
            Epoch begun = begin();
            BranchState state = refs.branch(branch);
            Snapshot before = snapshots.of(branch, state);
            Proposal given = change.of(before.in(transaction), transaction);
            if (given.head.equals(before.head()) && store.isDurable(state)) {
                transaction.write();
                return before;
            }
            connectivity.check(given.head, before, transaction, begun);
            Proposal proposal = own(given, transaction);
            Function<RefStore.Update, Snapshot> commit = update -> {
                BranchState now = refs.branch(branch);
                if (!before.isAt(now)) {
                    throw new RefChangedException(branch, "generation " + now.generation());
                }
                return commit(update, now, transaction, proposal, begun);
            };
            return held != null ? commit.apply(held) : updated(commit);
        }
    }

    /** As {@link Repository#move}. */
    Snapshot move(Snapshot expected, Head next, String reason) {
        return again(() -> tryMove(expected, next, reason));
    }

    /**
     * Does what a store without a lock may refuse because another writer or a collector was faster. Each time all is looked at again: in
     * the end it is done, or refused for a reason of its own.
     */
    private static <T> T again(Supplier<T> attempt) {
        return again(MOST_REFUSALS, attempt);
    }

    /** The same, this number of times at most. */
    static <T> T again(int most, Supplier<T> attempt) {
        for (int races = 1; ; races++) {
            try {
                return attempt.get();
            } catch (RefChangedException e) {
                if (races == most) {
                    throw e;
                }
            }
        }
    }

    /** Reads what the branch moves to, and nothing of what it leaves. Rule REP18. */
    private Snapshot tryMove(Snapshot expected, Head next, String reason) {
        String branch = expected.branch();
        try (StagedBlocks.Transaction transaction = blocks.transaction()) {
            Epoch begun = begin();
            Proposal proposal = checked(branch, next, reason, transaction, begun);
            return updated(update -> {
                BranchState state = refs.branch(branch);
                if (!expected.isAt(state)) {
                    throw new HeadMovedException(branch, expected.generation(), state.generation());
                }
                return commit(update, state, transaction, proposal, begun);
            });
        }
    }

    /** As {@link Repository#createBranch(String, Head)}. */
    Snapshot createBranch(String branch, Head head) {
        return create(branch, (transaction, begun) -> checked(branch, head, "branch", transaction, begun));
    }

    /** As {@link Repository#createBranch(String, dev.pail.Pail)}, with what is made of nothing. */
    Snapshot createBranch(String branch, Change beginning) {
        return create(branch, (transaction, begun) -> {
            Snapshot nothing = new Snapshot(
                    branch, 0, Head.empty(), histories.in(transaction).pail(Head.empty()));
            Proposal proposal = beginning.of(nothing, transaction);
            connectivity.check(proposal.head, branch, transaction, begun);
            return own(proposal, transaction);
        });
    }

    private Snapshot create(String branch, BiFunction<StagedBlocks.Transaction, Epoch, Proposal> beginning) {
        return again(() -> tryCreate(branch, beginning));
    }

    private Snapshot tryCreate(String branch, BiFunction<StagedBlocks.Transaction, Epoch, Proposal> beginning) {
        RefName.check("a branch", branch);
        refs.checkFree(branch);
        try (StagedBlocks.Transaction transaction = blocks.transaction()) {
            Epoch begun = begin();
            Proposal proposal = beginning.apply(transaction, begun);
            return updated(update -> {
                BranchState state = store.branch(branch);
                refs.checkFree(branch);
                if (!proposal.head.isEmpty()) {
                    return commit(update, state, transaction, proposal, begun);
                }
                transaction.write();
                update.create(state, store.epoch());
                return new Snapshot(branch, state.generation(), proposal.head, proposal.pail);
            });
        }
    }

    /** As {@link Repository#recover}. */
    Optional<RepositoryException> recover(String branch) {
        return updated(update -> {
            snapshots.forget(branch);
            Optional<RepositoryException> wrong = update.recover(branch, stored::has);
            if (wrong.isEmpty()) {
                // Throws if there is no such branch.
                refs.branch(branch);
            }
            return wrong;
        });
    }

    /** As {@link Repository#removeBranch}. */
    void removeBranch(String branch) {
        String unused = again(() -> updated(update -> {
            if (!update.removeStray(branch)) {
                remove(update, refs.branch(branch));
            }
            return branch;
        }));
    }

    /** As {@link Repository#removeBranch(Snapshot)}. */
    void removeBranch(Snapshot expected) {
        String unused = again(() -> updated(update -> {
            BranchState state = refs.branch(expected.branch());
            if (!expected.isAt(state)) {
                throw new HeadMovedException(state.name(), expected.generation(), state.generation());
            }
            remove(update, state);
            return state.name();
        }));
    }

    private void remove(RefStore.Update update, BranchState state) {
        String branch = state.name();
        boolean isMain = branch.equals(Repository.MAIN);
        if (isMain || branch.equals(store.current())) {
            throw new RepositoryException(
                    RepositoryException.Reason.IN_USE,
                    (isMain ? "every repository has the branch " : "the current branch is ") + branch
                            + ": it is not removed",
                    isMain ? Hint.of("remove another") : Hint.of("first: ", Hint.Action.SWITCH_TO, Repository.MAIN),
                    null);
        }
        snapshots.forget(branch);
        update.remove(state, Removal.REASON, entry -> tell(update, branch, entry));
    }

    /** As {@link Repository#renameBranch}. */
    void renameBranch(String branch, String name) {
        String unused = again(() -> updated(update -> {
            BranchState from = refs.branch(branch);
            if (branch.equals(Repository.MAIN)) {
                throw new RepositoryException(
                        RepositoryException.Reason.IN_USE,
                        "every repository has the branch " + branch + ": it is not renamed",
                        Hint.of("make another branch at the same version with: ", Hint.Action.CREATE_BRANCH, name),
                        null);
            }
            RefName.check("a branch", name);
            BranchState to = store.branch(name);
            refs.checkFree(name);
            // The old branch leads to all of it until the new one does, so that no collector takes any of it away.
            if (from.head().isEmpty()) {
                update.create(to, store.epoch());
            } else {
                LogEntry entry = update.move(to, from.head(), "rename " + branch, note, store.epoch());
                tell(update, name, entry);
            }
            if (branch.equals(store.current())) {
                update.current(name);
            }
            snapshots.forget(branch);
            update.remove(from, Removal.renamedTo(name), entry -> tell(update, branch, entry));
            return name;
        }));
    }

    /** As {@link Repository#switchTo}. */
    void switchTo(String branch) {
        String unused = again(() -> updated(update -> {
            refs.branch(branch);
            update.current(branch);
            return branch;
        }));
    }

    /** As {@link Repository#createTag}. */
    void createTag(String tag, Head head) {
        String unused = again(() -> tryTag(tag, head));
    }

    private String tryTag(String tag, Head head) {
        refs.checkFree(tag);
        return refer(head, (update, checked, seen) -> {
            refs.checkFree(tag);
            update.tag(tag, Optional.empty(), Optional.of(checked), seen);
            return tag;
        });
    }

    /** As {@link Repository#track}. */
    Tracking track(String name, Tracking next) {
        // A closed repository says so before it looks at the name.
        store.checkWritable();
        Tracking.checkName(name);
        return again(() -> refer(next.head(), (update, head, seen) -> {
            Tracking made = new Tracking(next.generation(), next.hasValues(), head);
            update.tracking(name, store.tracking(name), Optional.of(made), seen);
            return made;
        }));
    }

    /** As {@link Repository#untrack}. */
    void untrack(String name) {
        // A closed repository says so before it looks at the name.
        store.checkWritable();
        Tracking.checkName(name);
        String unused = again(() -> updated(update -> {
            Optional<Tracking> there = store.tracking(name);
            if (there.isPresent()) {
                update.tracking(name, there, Optional.empty(), store.epoch());
            }
            return name;
        }));
    }

    /** Makes a ref, which is no branch, of a head that was checked. */
    private interface Reference<T> {
        T made(RefStore.Update update, Head checked, Epoch seen);
    }

    /** Checks a head that was made elsewhere, and makes a ref of it. */
    private <T> T refer(Head head, Reference<T> reference) {
        try (StagedBlocks.Transaction transaction = blocks.transaction()) {
            Epoch begun = begin();
            Proposal proposal = checked(Repository.MAIN, head, "", transaction, begun);
            return updated(update -> {
                store.checkWritable();
                Epoch seen = checkAgain(Repository.MAIN, proposal.head, transaction, begun);
                write(Repository.MAIN, proposal.head, transaction);
                return reference.made(update, proposal.head, seen);
            });
        }
    }

    /** As {@link Repository#removeTag}. */
    void removeTag(String tag) {
        String unused = again(() -> updated(update -> {
            update.removeTag(tag);
            return tag;
        }));
    }

    /** As {@link Repository#listen}. */
    Registration listen(Consumer<HeadUpdate> listener) {
        return listeners.add(listener);
    }

    /** Checks and stages a head that was made elsewhere. */
    private Proposal checked(
            String branch, Head given, String reason, StagedBlocks.Transaction transaction, Epoch begun) {
        Head head = histories.newest(given);
        connectivity.check(head, branch, transaction, begun);
        Pail pail = histories.in(transaction).pail(head).in(blocks);
        head.events().forEach(event -> transaction.put(histories.event(event).block()));
        return new Proposal(head, pail, reason);
    }

    /** The same, with a version that is read from the repository, where all of it is or will be written. */
    private Proposal own(Proposal given, StagedBlocks.Transaction transaction) {
        Pail pail = given.pail.blocks().equals(transaction)
                ? given.pail
                : histories.in(transaction).pail(given.head);
        return new Proposal(given.head, pail.in(blocks), given.reason);
    }

    private <T> T updated(Function<RefStore.Update, T> action) {
        T result = store.update(action);
        listeners.notifyQueued();
        return result;
    }

    /** Writes the blocks of a change, then the head, while the lock is held. Rule G13. */
    private Snapshot commit(
            RefStore.Update update,
            BranchState state,
            StagedBlocks.Transaction transaction,
            Proposal proposal,
            Epoch begun) {
        String branch = state.name();
        store.checkWritable();
        Epoch seen = checkAgain(branch, proposal.head, transaction, begun);
        write(branch, proposal.head, transaction);
        if (proposal.head.equals(state.head()) && state.isPresent()) {
            // A change that changes nothing must still be durable before it reports success.
            update.confirm(state);
            return new Snapshot(branch, state.generation(), proposal.head, proposal.pail);
        }
        // The last point at which nothing is applied. Rule REP34.
        transaction.checkInterrupted();
        LogEntry entry = update.move(state, proposal.head, proposal.reason, note, seen);
        Snapshot snapshot = new Snapshot(branch, entry.generation(), proposal.head, proposal.pail);
        tell(update, branch, entry);
        update.whenDurable(() -> {
            snapshots.cache(snapshot);
            if (begun.equals(seen)) {
                noteMerge(proposal, transaction, begun);
            }
        });
        return snapshot;
    }

    private void tell(RefStore.Update update, String branch, LogEntry entry) {
        update.whenDurable(() -> listeners.enqueue(new HeadUpdate(branch, entry)));
    }

    /**
     * Notes the root of several events, if this change has computed it: then all blocks of the merge are of its transaction. The branch has
     * moved already, so nothing here may fail: it asks the store for nothing.
     */
    private void noteMerge(Proposal proposal, StagedBlocks.Transaction transaction, Epoch begun) {
        if (proposal.head.size() > 1) {
            Cid root = proposal.pail.root();
            transaction
                    .written()
                    .filter(made -> made.contains(root))
                    .ifPresent(made -> derived.note(proposal.head, root, made, begun));
        }
    }

    /** Writes what a head leads to. What others have put is read again when it is durable: their put may have failed. */
    private void write(String branch, Head head, StagedBlocks.Transaction transaction) {
        if (transaction.write()) {
            stored.renew();
            connectivity.check(head, branch, transaction, begin());
        }
    }

    /** What was taken away so far. What is looked at from now on was looked for since. */
    private Epoch begin() {
        Epoch now = store.epoch();
        if (!now.equals(renewed) || now.isUnderWay()) {
            stored.renew();
            renewed = now;
        }
        return now;
    }

    /** Checks what a branch goes to once more, if blocks were taken away since, and says when it looked. Rule G15. */
    private Epoch checkAgain(String branch, Head head, StagedBlocks.Transaction transaction, Epoch begun) {
        Epoch now = begin();
        if (!now.equals(begun) || begun.isUnderWay()) {
            connectivity.check(head, branch, transaction, now);
        }
        return now;
    }
}
