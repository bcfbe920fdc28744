package dev.pail.repository.update;

import dev.pail.Pail;
import dev.pail.clock.Description;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HeadMovedException;
import dev.pail.repository.model.HeadUpdate;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.Registration;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RefStore;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Updates refs: moves and creates branches, and creates and removes tags. The change is made, and the blocks that its
 * head reaches are checked, without the lock. The compare-and-set of the ref holds the lock: it follows the writing of the blocks, and
 * fails if another writer has updated the branch since. Safe for use by several threads.
 */
public final class RefUpdates {
    /** After losing this many races, a change is made while the lock is held, so that it cannot lose another. */
    static final int MOST_RACES = 2;

    /** Describes only a change of several events, by the numbers of its events. */
    private static final Description NOTHING = new Description(Optional.empty(), Optional.empty(), Optional.empty());

    /** How often a store without a lock may refuse an update before that is an error. */
    private static final int MOST_REFUSALS = 100;

    private final OpenStores stores;
    private final ConnectivityCheck connectivity;
    private final Listeners listeners;

    /** The epoch when blocks that others had taken away were last forgotten. */
    private final AtomicReference<Epoch> renewed;

    private final ChangeLines lines;

    /** Null if the caller gave none. Then an update of one event is not described. */
    private final @Nullable Signature signature;

    private RefUpdates(
            OpenStores stores,
            ConnectivityCheck connectivity,
            Listeners listeners,
            AtomicReference<Epoch> renewed,
            ChangeLines lines,
            @Nullable Signature signature) {
        this.stores = stores;
        this.connectivity = connectivity;
        this.listeners = listeners;
        this.renewed = renewed;
        this.lines = lines;
        this.signature = signature;
    }

    static RefUpdates of(OpenStores stores, ChangeLines lines) {
        return new RefUpdates(
                stores,
                new ConnectivityCheck(stores.refs(), stores.store().epoch().number(), stores::promised),
                new Listeners(),
                new AtomicReference<>(Epoch.NONE),
                lines,
                null);
    }

    Optional<Signature> signature() {
        return Optional.ofNullable(signature);
    }

    /** The note of the log entries. */
    public Note note() {
        return signature == null ? Note.NONE : signature.note();
    }

    /** The description of an event that is made now; null for plain events. Rule DE11. */
    @Nullable
    Description description() {
        if (!store().needs().contains(Need.EVENTS)) {
            return null;
        }
        return signature == null ? NOTHING : signature.at(store().now());
    }

    /** This, whose updates have a signature. */
    RefUpdates with(Signature other) {
        return new RefUpdates(stores, connectivity, listeners, renewed, lines, other);
    }

    /** This, over other blocks. */
    RefUpdates over(OpenStores other) {
        return new RefUpdates(
                other,
                connectivity,
                listeners,
                renewed,
                new ChangeLines(other.store().location()),
                signature);
    }

    private RefStore store() {
        return stores.store();
    }

    private Refs refs() {
        return stores.refs();
    }

    /** A head that a branch shall go to, with the version that follows from it. What is new of it is staged. */
    record Proposal(Head head, Pail pail, String reason) {}

    /** Makes of a branch what it shall go to. Works in a transaction, where the version of the snapshot is, too. */
    interface Change {
        Proposal of(Snapshot before, StagedBlocks.Transaction transaction);
    }

    /** Moves a branch to the head that a function makes from its version, as {@link dev.pail.repository.Repository#change} says. */
    Snapshot change(String branch, Change change) {
        return repeated(races -> alone(branch, change, races));
    }

    /**
     * The same, as {@link dev.pail.repository.Repository#update} says. Changes of several threads are committed together.
     *
     * @param change makes events that follow those of the version, one after the other
     */
    Snapshot update(String branch, Change change) {
        CombinedChanges combined = new CombinedChanges(stores, this, lines);
        return repeated(races -> combined.make(branch, change, races));
    }

    private Snapshot repeated(IntFunction<Snapshot> attempt) {
        store().checkWritable();
        for (int races = 0; ; races++) {
            try {
                return attempt.apply(races);
            } catch (RefChangedException e) {
                // Made again from the newer version. A store without a lock may lose each race.
            }
        }
    }

    /** @param races how many were lost before this attempt */
    Snapshot alone(String branch, Change change, int races) {
        return races < MOST_RACES ? attempt(branch, change, null) : updated(update -> attempt(branch, change, update));
    }

    /**
     * Where the branch stands after the change.
     *
     * @param held the update that is under way already; null, if there is none
     * @throws RefChangedException if another writer has moved the branch meanwhile
     */
    Snapshot attempt(String branch, Change change, RefStore.@Nullable Update held) {
        try (StagedBlocks.Transaction transaction =
                held == null ? stores.blocks().transaction() : stores.blocks().transactionInUpdate()) {
            Epoch begun = begin();
            BranchState state = refs().branch(branch);
            Snapshot before = stores.snapshots().of(branch, state);
            Proposal given = change.of(Snapshots.in(transaction, before), transaction);
            if (given.head.equals(before.head()) && store().isDurable(state)) {
                transaction.write();
                return before;
            }
            check(given, before, transaction, begun);
            Proposal proposal = own(given, transaction);
            Function<RefStore.Update, Snapshot> commit = update -> {
                BranchState now = refs().branch(branch);
                if (!Snapshots.isAt(before, now)) {
                    throw new RefChangedException(branch, "generation " + now.generation());
                }
                return commit(update, now, transaction, proposal, begun);
            };
            return held != null ? commit.apply(held) : updated(commit);
        }
    }

    /** As {@link dev.pail.repository.Repository#move}. */
    public Snapshot move(Snapshot expected, Head next, String reason) {
        return again(() -> tryMove(expected, next, reason));
    }

    /**
     * Does what a store without a lock may refuse because another writer or a collector was faster. Each time all is looked at again: in
     * the end it is done, or refused for a reason of its own.
     */
    static <T> T again(Supplier<T> attempt) {
        return Refs.again(MOST_REFUSALS, attempt);
    }

    /** Reads what the branch moves to, and nothing of what it leaves. Rule REP18. */
    private Snapshot tryMove(Snapshot expected, Head next, String reason) {
        String branch = expected.branch();
        try (StagedBlocks.Transaction transaction = stores.blocks().transaction()) {
            Epoch begun = begin();
            Proposal proposal = checked(branch, next, reason, transaction, begun);
            return updated(update -> {
                BranchState state = refs().branch(branch);
                if (!Snapshots.isAt(expected, state)) {
                    throw new HeadMovedException(branch, expected.generation(), state.generation());
                }
                return commit(update, state, transaction, proposal, begun);
            });
        }
    }

    /** As {@link dev.pail.repository.Branches#create(String, Head)}. */
    Snapshot createBranch(String branch, Head head) {
        return create(branch, (transaction, begun) -> checked(branch, head, "branch", transaction, begun));
    }

    /** As {@link dev.pail.repository.Branches#create(String, dev.pail.Pail)}, with what is made of nothing. */
    Snapshot createBranch(String branch, Change beginning) {
        return create(branch, (transaction, begun) -> {
            Snapshot nothing = new Snapshot(
                    branch, 0, Head.empty(), stores.histories().in(transaction).pail(Head.empty()));
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
        refs().checkFree(branch);
        try (StagedBlocks.Transaction transaction = stores.blocks().transaction()) {
            Epoch begun = begin();
            Proposal proposal = beginning.apply(transaction, begun);
            return updated(update -> {
                BranchState state = store().branch(branch);
                refs().checkFree(branch);
                if (!proposal.head.isEmpty()) {
                    return commit(update, state, transaction, proposal, begun);
                }
                transaction.write();
                update.create(state, store().epoch());
                return new Snapshot(branch, state.generation(), proposal.head, proposal.pail);
            });
        }
    }

    /** As {@link dev.pail.repository.Maintenance#recover}. */
    public Optional<RepositoryException> recover(String branch) {
        return updated(update -> {
            stores.snapshots().forget(branch);
            Optional<RepositoryException> wrong = update.recover(branch, stores.stored()::has);
            if (wrong.isEmpty()) {
                // Throws if there is no such branch.
                refs().branch(branch);
            }
            return wrong;
        });
    }

    /** As {@link dev.pail.repository.Tags#create}. */
    public void createTag(String tag, Head head) {
        String unused = again(() -> tryTag(tag, head));
    }

    private String tryTag(String tag, Head head) {
        refs().checkFree(tag);
        return refer(head, (update, checked, seen) -> {
            refs().checkFree(tag);
            update.tag(tag, Optional.empty(), Optional.of(checked), seen);
            return tag;
        });
    }

    /** As {@link dev.pail.repository.RemoteRefs#track}. */
    public Tracking track(String name, Tracking next) {
        // A closed repository says so before it looks at the name.
        store().checkWritable();
        Tracking.checkName(name);
        return again(() -> refer(next.head(), (update, head, seen) -> {
            Tracking made = new Tracking(next.generation(), next.hasValues(), head);
            update.tracking(name, store().tracking(name), Optional.of(made), seen);
            return made;
        }));
    }

    /** As {@link dev.pail.repository.RemoteRefs#untrack}. */
    public void untrack(String name) {
        // A closed repository says so before it looks at the name.
        store().checkWritable();
        Tracking.checkName(name);
        String unused = again(() -> updated(update -> {
            Optional<Tracking> there = store().tracking(name);
            if (there.isPresent()) {
                update.tracking(name, there, Optional.empty(), store().epoch());
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
        try (StagedBlocks.Transaction transaction = stores.blocks().transaction()) {
            Epoch begun = begin();
            Proposal proposal = checked(RefName.MAIN, head, "", transaction, begun);
            return updated(update -> {
                store().checkWritable();
                Epoch seen = checkAgain(RefName.MAIN, List.of(proposal.head), transaction, begun);
                write(RefName.MAIN, List.of(proposal.head), transaction);
                return reference.made(update, proposal.head, seen);
            });
        }
    }

    /** As {@link dev.pail.repository.Tags#remove}. */
    public void removeTag(String tag) {
        String unused = again(() -> updated(update -> {
            update.removeTag(tag);
            return tag;
        }));
    }

    /** As {@link dev.pail.repository.Repository#listen}. */
    public Registration listen(Consumer<HeadUpdate> listener) {
        return listeners.add(listener);
    }

    /** Checks and stages a head that was made elsewhere. */
    private Proposal checked(
            String branch, Head given, String reason, StagedBlocks.Transaction transaction, Epoch begun) {
        Head head = stores.histories().newest(given);
        connectivity.check(head, branch, transaction, begun);
        Pail pail = stores.histories().in(transaction).pail(head).in(stores.blocks());
        head.events()
                .forEach(
                        event -> transaction.put(stores.histories().event(event).block()));
        return new Proposal(head, pail, reason);
    }

    /** The same, with a version that is read from the repository, where all of it is or will be written. */
    Proposal own(Proposal given, StagedBlocks.Transaction transaction) {
        Pail pail = given.pail.blocks().equals(transaction)
                ? given.pail
                : stores.histories().in(transaction).pail(given.head);
        return new Proposal(given.head, pail.in(stores.blocks()), given.reason);
    }

    /** Updates refs, and notifies the listeners. */
    <T> T updated(Function<RefStore.Update, T> action) {
        T result = store().update(action);
        notifyListeners();
        return result;
    }

    void notifyListeners() {
        listeners.notifyQueued();
    }

    /** Checks that all is there that a change needs, before the lock is taken. */
    void check(Proposal proposal, Snapshot before, StagedBlocks.Transaction transaction, Epoch begun) {
        connectivity.check(proposal.head, before, transaction, begun);
    }

    private Snapshot commit(
            RefStore.Update update,
            BranchState state,
            StagedBlocks.Transaction transaction,
            Proposal proposal,
            Epoch begun) {
        ChangeGroup.Made made = new ChangeGroup.Made(proposal, null, note(), state.head(), transaction);
        commit(update, state, transaction, List.of(made), begun);
        return Objects.requireNonNull(made.after);
    }

    /**
     * Writes the blocks of changes, then moves the branch for each, while the lock is held. Rule G13.
     *
     * @param transaction has the blocks of all of them
     */
    void commit(
            RefStore.Update update,
            BranchState expected,
            StagedBlocks.Transaction transaction,
            List<ChangeGroup.Made> changes,
            Epoch begun) {
        String branch = expected.name();
        store().checkWritable();
        List<Head> heads = changes.stream()
                .flatMap(each -> Stream.ofNullable(each.proposal))
                .map(Proposal::head)
                .toList();
        Epoch seen = checkAgain(branch, heads, transaction, begun);
        write(branch, heads, transaction);
        long generation = expected.generation();
        for (ChangeGroup.Made each : changes) {
            Proposal proposal = each.proposal;
            boolean hasMoved = generation != expected.generation();
            if (proposal != null && (!proposal.head.equals(each.from) || (!hasMoved && !expected.isPresent()))) {
                BranchState state = hasMoved ? moved(branch, generation, each.from) : expected;
                // The last point at which nothing is applied. Rule REP34.
                transaction.checkInterrupted();
                each.isBegun = true;
                LogEntry entry = update.move(state, proposal.head, proposal.reason, each.note, seen);
                generation = entry.generation();
                Snapshot after = new Snapshot(branch, generation, proposal.head, proposal.pail);
                tell(update, branch, entry);
                update.whenDurable(() -> {
                    stores.snapshots().cache(after);
                    if (begun.equals(seen)) {
                        noteMerge(proposal, each.transaction, begun);
                    }
                });
            } else if (!hasMoved) {
                // A change that changes nothing must still be durable before it reports success.
                update.confirm(expected);
            }
            each.after = proposal == null ? null : new Snapshot(branch, generation, proposal.head, proposal.pail);
            update.whenDurable(() -> each.isDurable = true);
        }
    }

    /** The state of a branch that this update has moved. A store without a lock may have let another writer in. */
    private BranchState moved(String branch, long generation, Head head) {
        BranchState now = refs().branch(branch);
        if (now.generation() != generation || !now.head().equals(head)) {
            throw new RefChangedException(branch, "generation " + now.generation());
        }
        return now;
    }

    /** Tells the listeners of an update when it is durable. */
    void tell(RefStore.Update update, String branch, LogEntry entry) {
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
                    .ifPresent(made -> stores.derived().note(proposal.head, root, made, begun));
        }
    }

    /** Writes what heads lead to. What others have put is read again when it is durable: their put may have failed. */
    private void write(String branch, List<Head> heads, StagedBlocks.Transaction transaction) {
        if (transaction.write()) {
            stores.stored().renew();
            Epoch now = begin();
            heads.forEach(head -> connectivity.check(head, branch, transaction, now));
        }
    }

    /** What was taken away so far. What is looked at from now on was looked for since. */
    Epoch begin() {
        Epoch now = store().epoch();
        if (!now.equals(renewed.get()) || now.isUnderWay()) {
            stores.stored().renew();
            renewed.set(now);
        }
        return now;
    }

    /** Checks what a branch goes to once more, if blocks were taken away since, and says when it looked. Rule G15. */
    private Epoch checkAgain(String branch, List<Head> heads, StagedBlocks.Transaction transaction, Epoch begun) {
        Epoch now = begin();
        if (!now.equals(begun) || begun.isUnderWay()) {
            heads.forEach(head -> connectivity.check(head, branch, transaction, now));
        }
        return now;
    }
}
