package dev.pail.repository;

import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.lock.WriterLock;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Moves branches, and makes tags. What a head leads to is made or checked without the lock, and the head moved while it is
 * held: after the blocks are written, and only if the branch stands where it stood before. Safe for use by several threads.
 */
final class Moves {
    /** After losing this many races, a change is made while the lock is held, so that it cannot lose another. */
    private static final int MOST_RACES = 8;

    private final RepositoryFolder folder;
    private final RepositoryBlocks stored;
    private final StagedBlocks blocks;
    private final Branches branches;
    private final CurrentBranch current;
    private final Tags tags;
    private final Sweeps sweeps;
    private final Histories histories;
    private final Snapshots snapshots;
    private final DerivedRoots derived;
    private final WriterLock lock;
    private final Arrivals arrivals;
    private final Listeners listeners = new Listeners();

    /** What had been taken away when blocks that others had taken away were last forgotten. */
    private volatile Epoch renewed = Epoch.NONE;

    Moves(
            RepositoryFolder folder,
            RepositoryBlocks stored,
            StagedBlocks blocks,
            Branches branches,
            Tags tags,
            Sweeps sweeps,
            Histories histories,
            Snapshots snapshots,
            DerivedRoots derived,
            WriterLock lock) {
        this.folder = folder;
        this.stored = stored;
        this.blocks = blocks;
        this.branches = branches;
        this.current = new CurrentBranch(folder);
        this.tags = tags;
        this.sweeps = sweeps;
        this.histories = histories;
        this.snapshots = snapshots;
        this.derived = derived;
        this.lock = lock;
        this.arrivals = new Arrivals(branches, tags, sweeps.count());
    }

    /** A head that a branch shall go to, with the version that follows from it. What is new of it is staged. */
    record Proposal(Head head, Pail pail, String reason) {}

    /** Makes of a branch what it shall go to. Works in a transaction, where the version of the snapshot is, too. */
    interface Change {
        Proposal of(Snapshot before, StagedBlocks.Stage transaction);
    }

    /** Moves a branch to what a function makes of where it stands, as {@link Repository#update} says. */
    Snapshot change(String branch, Change change) {
        folder.checkWritable();
        for (int races = 0; races < MOST_RACES; races++) {
            Optional<Snapshot> after = attempt(branch, change, false);
            if (after.isPresent()) {
                return after.get();
            }
        }
        return locked(() -> attempt(branch, change, true).orElseThrow());
    }

    /**
     * Where the branch stands after the change; or nothing, if somebody else has moved it meanwhile.
     *
     * @param isLocked whether the lock is held already, so that nobody else can
     */
    private Optional<Snapshot> attempt(String branch, Change change, boolean isLocked) {
        try (StagedBlocks.Stage stage = blocks.stage()) {
            Epoch begun = begin();
            Snapshot before = snapshots.of(branch);
            Proposal given = change.of(before.in(stage), stage);
            if (given.head.equals(before.head()) && branches.isSafe(before)) {
                stage.write();
                return Optional.of(before);
            }
            arrivals.check(given.head, before, stage, begun);
            Proposal proposal = own(given, stage);
            Supplier<Optional<Snapshot>> commit = () -> {
                Branches.State state = branches.read(branch);
                return before.isAt(state)
                        ? Optional.of(commit(branch, state, stage, proposal, begun))
                        : Optional.empty();
            };
            return isLocked ? commit.get() : locked(commit);
        }
    }

    /** As {@link Repository#move}. */
    Snapshot move(Snapshot expected, Head next, String reason) {
        String branch = expected.branch();
        try (StagedBlocks.Stage stage = blocks.stage()) {
            Epoch begun = begin();
            Proposal proposal = arrival(branch, next, reason, stage, begun);
            return locked(() -> {
                Branches.State state = branches.read(branch);
                if (!expected.isAt(state)) {
                    throw new HeadMovedException(branch, expected.generation(), state.generation());
                }
                return commit(branch, state, stage, proposal, begun);
            });
        }
    }

    /** As {@link Repository#createBranch(String, Head)}. */
    Snapshot createBranch(String branch, Head head) {
        return create(branch, (stage, begun) -> arrival(branch, head, "branch", stage, begun));
    }

    /** As {@link Repository#createBranch(String, dev.pail.Pail)}, with what is made of nothing. */
    Snapshot createBranch(String branch, Change beginning) {
        return create(branch, (stage, begun) -> {
            Snapshot nothing =
                    new Snapshot(branch, 0, Head.empty(), histories.in(stage).pail(Head.empty()));
            Proposal proposal = beginning.of(nothing, stage);
            arrivals.check(proposal.head, branch, stage, begun);
            return own(proposal, stage);
        });
    }

    private Snapshot create(String branch, BiFunction<StagedBlocks.Stage, Epoch, Proposal> beginning) {
        branches.checkName(branch);
        tags.checkFree(branch);
        try (StagedBlocks.Stage stage = blocks.stage()) {
            Epoch begun = begin();
            Proposal proposal = beginning.apply(stage, begun);
            return locked(() -> {
                Branches.State state = branches.readIfPresent(branch);
                tags.checkFree(branch);
                if (!proposal.head.isEmpty()) {
                    return commit(branch, state, stage, proposal, begun);
                }
                stage.write();
                branches.createEmpty(branch, state);
                return new Snapshot(branch, state.generation(), proposal.head, proposal.pail);
            });
        }
    }

    /** As {@link Repository#recover}. */
    Optional<RepositoryException> recover(String branch) {
        return locked(() -> {
            snapshots.forget(branch);
            return branches.recover(branch, stored::has);
        });
    }

    /** As {@link Repository#removeBranch}. */
    void removeBranch(String branch) {
        locked(() -> {
            Optional<Path> foreign = branches.foreign().stream()
                    .filter(file -> String.valueOf(file.getFileName()).equals(branch))
                    .findFirst();
            if (foreign.isPresent()) {
                branches.remove(foreign.get());
                return branch;
            }
            Branches.State state = branches.read(branch);
            boolean isMain = branch.equals(Repository.MAIN);
            if (isMain || branch.equals(current.name())) {
                throw new RepositoryException(
                        RepositoryException.Reason.NAME,
                        (isMain ? "every repository has the branch " : "the current branch is ") + branch
                                + ": it is not removed",
                        isMain ? "remove another" : "first: pail switch " + Repository.MAIN,
                        null);
            }
            snapshots.forget(branch);
            branches.remove(branch, state, move -> listeners.note(new HeadMove(branch, move)));
            return branch;
        });
    }

    /** As {@link Repository#switchTo}. */
    void switchTo(String branch) {
        locked(() -> {
            branches.read(branch);
            current.set(branch);
            return branch;
        });
    }

    /** As {@link Repository#createTag}. */
    void createTag(String tag, Head head) {
        try (StagedBlocks.Stage stage = blocks.stage()) {
            tags.checkFree(tag);
            Epoch begun = begin();
            Proposal proposal = arrival(Repository.MAIN, head, "", stage, begun);
            locked(() -> {
                folder.checkWritable();
                tags.checkFree(tag);
                checkAgain(Repository.MAIN, proposal.head, stage, begun);
                write(Repository.MAIN, proposal.head, stage);
                tags.write(tag, proposal.head);
                return tag;
            });
        }
    }

    /** As {@link Repository#removeTag}. */
    void removeTag(String tag) {
        locked(() -> {
            folder.checkWritable();
            tags.remove(tag);
            return tag;
        });
    }

    /** As {@link Repository#listen}. */
    Registration listen(Consumer<HeadMove> listener) {
        return listeners.add(listener);
    }

    /** Checks and stages a head that was made elsewhere. */
    private Proposal arrival(String branch, Head given, String reason, StagedBlocks.Stage stage, Epoch begun) {
        Head head = histories.newest(given);
        arrivals.check(head, branch, stage, begun);
        Pail pail = histories.in(stage).pail(head).in(blocks);
        head.events().forEach(event -> stage.put(histories.event(event).block()));
        return new Proposal(head, pail, reason);
    }

    /** The same, with a version that is read from the repository, where all of it is or will be written. */
    private Proposal own(Proposal given, StagedBlocks.Stage stage) {
        Pail pail = given.pail.blocks().equals(stage)
                ? given.pail
                : histories.in(stage).pail(given.head);
        return new Proposal(given.head, pail.in(blocks), given.reason);
    }

    private <T> T locked(Supplier<T> action) {
        T result = lock.holding(action);
        listeners.tell();
        return result;
    }

    private Snapshot commit(
            String branch, Branches.State state, StagedBlocks.Stage stage, Proposal proposal, Epoch begun) {
        folder.checkWritable();
        checkAgain(branch, proposal.head, stage, begun);
        write(branch, proposal.head, stage);
        if (proposal.head.equals(state.head()) && state.isPresent()) {
            // Whoever is told that it is so already, may rely on it.
            branches.settle(branch, state);
            return new Snapshot(branch, state.generation(), proposal.head, proposal.pail);
        }
        LogEntry entry = branches.move(branch, state, proposal.head, proposal.reason);
        Snapshot snapshot = new Snapshot(branch, entry.generation(), proposal.head, proposal.pail);
        snapshots.keep(snapshot);
        listeners.note(new HeadMove(branch, entry));
        noteMerge(proposal, stage, begun);
        return snapshot;
    }

    /** Notes the root of several events, if this change has computed it: then all blocks of the merge are of its stage. */
    private void noteMerge(Proposal proposal, StagedBlocks.Stage stage, Epoch begun) {
        if (proposal.head.size() > 1 && begun.equals(sweeps.read())) {
            Cid root = proposal.pail.root();
            stage.written()
                    .filter(made -> made.contains(root))
                    .ifPresent(made -> derived.note(proposal.head, root, made, begun));
        }
    }

    /** Writes what a head leads to. What others have put is read again when it is durable: their put may have failed. */
    private void write(String branch, Head head, StagedBlocks.Stage stage) {
        if (stage.write()) {
            stored.renew();
            arrivals.check(head, branch, stage, begin());
        }
    }

    /** What was taken away so far. What is looked at from now on was looked for since. */
    private Epoch begin() {
        Epoch now = sweeps.read();
        if (!now.equals(renewed) || now.isUnderWay()) {
            stored.renew();
            renewed = now;
        }
        return now;
    }

    /** Checks what a branch goes to once more, if blocks were taken away since. The lock is held. */
    private void checkAgain(String branch, Head head, StagedBlocks.Stage stage, Epoch begun) {
        Epoch now = begin();
        if (!now.equals(begun) || begun.isUnderWay()) {
            arrivals.check(head, branch, stage, now);
        }
    }
}
