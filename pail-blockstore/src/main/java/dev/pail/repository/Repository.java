package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.MalformedShardException;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardCache;
import dev.pail.ShardFormat;
import dev.pail.ShardLimitException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.blockstore.Durability;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.car.Completeness;
import dev.pail.car.MalformedCarException;
import dev.pail.clock.ClockLimitException;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistoriesException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pails with their history: branches, each with a log that says what moved it, and tags; in a folder ({@link #init}, {@link #open(Path)}),
 * in memory ({@link #inMemory()}), or over any other {@link RefStore} and {@link RepositoryBlocks}.
 *
 * <p>Every change is an event of a {@link dev.pail.clock merkle clock}. A branch moves in three steps, each of which is durable before
 * the next begins: the blocks are written, the log, the head. The head is replaced at once, and only if it is the one that the change
 * was made from. So of changes that compete none is lost.
 *
 * <p>Readers need no lock: a {@link Snapshot} stays as it is. Safe for use by several threads and processes.
 *
 * <p>What reads may throw what reading a {@link Pail} and a {@link ReplicatedPail} throws, and a {@link RepositoryException},
 * if there is no such branch, or its files are damaged. After a write has failed, nothing more is written until the repository is
 * opened again.
 *
 * <p>All pails that are read through {@link #blocks()} share one {@link ShardCache}: what they hold decoded takes an eighth of the heap
 * together, but 256 MiB at most. The versions of the 256 branches that were asked for last are known without opening them again.
 * What is made of several events when they are read, and cannot be stored, is held beside that for as long as nothing can be written.
 *
 * <pre>{@code
 * try (Repository opened = Repository.init(folder, ShardFormat.v1())) { // or Repository.inMemory() in a test
 *     Pail next = opened.update("main", "add milk", before ->
 *             before.putBytes("shopping/1", "milk".getBytes(StandardCharsets.UTF_8)));
 *     Snapshot draft = opened.createBranch("draft", opened.head("main"));
 *     Pail changed = opened.update("draft", "drop milk", before -> before.delete("shopping/1"));
 *     MergeResult merged = opened.merge("main", "draft", MergeOptions.DEFAULT); // finds the base in the history
 * }
 * }</pre>
 *
 * <pre>{@code
 * boolean removed = repository.updateWithAnswer("main", "remove milk", before ->
 *         new Repository.Updated<>(before.delete("shopping/1"), before.get("shopping/1").isPresent())).answer();
 * try {
 *     Pail next = repository.update("main", "add a list", before -> before.putBytes("list", Files.readAllBytes(file)));
 * } catch (NoSuchFileException e) {
 *     System.err.println("main is unchanged"); // update throws what the function throws
 * }
 * }</pre>
 */
public final class Repository implements AutoCloseable {
    /** The branch that every repository has. */
    public static final String MAIN = "main";

    /** The name of a repository's folder that is looked for from the folder that it is in, or from below. */
    private static final String OWN_FOLDER = ".pail";

    private final RefStore store;
    private final RepositoryBlocks stored;
    private final Refs refs;
    private final ShardFormat format;
    private final StagedBlocks blocks;
    private final Histories histories;
    private final Snapshots snapshots;
    private final RefUpdates updates;
    private final Merges merges;
    private final GarbageCollection.Place place;

    /** The same repository, with another note of its ref updates, and other rules for merges. */
    private Repository(Repository same, RefUpdates updates, MergeRules rules) {
        this.store = same.store;
        this.stored = same.stored;
        this.refs = same.refs;
        this.format = same.format;
        this.blocks = same.blocks;
        this.histories = same.histories;
        this.snapshots = same.snapshots;
        this.place = same.place;
        this.updates = updates;
        this.merges = new Merges(this, rules, histories);
    }

    private Repository(RefStore store, RepositoryBlocks stored, ShardFormat format) {
        this.store = store;
        this.stored = stored;
        this.refs = new Refs(store);
        this.format = format;
        this.blocks = new StagedBlocks(stored, store.location());
        this.histories = new Histories(blocks, format);
        DerivedRoots derived = store.derivedRoots();
        this.snapshots = new Snapshots(blocks, refs, histories, derived);
        this.updates = new RefUpdates(store, stored, blocks, histories, snapshots, derived);
        this.merges = new Merges(this, MergeRules.keys(), histories);
        this.place = new GarbageCollection.Place(store, stored.swept(), format);
    }

    /**
     * A repository over any stores. Closing it closes both.
     *
     * @param refs where branches and tags are
     * @param blocks where the blocks of all versions are, or nothing yet
     * @param format of pails that are made here
     */
    public static Repository open(RefStore refs, RepositoryBlocks blocks, ShardFormat format) {
        Objects.requireNonNull(refs, "refs");
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(format, "format");
        return new Repository(refs, blocks, format);
    }

    /** A new repository in memory, with an empty pail of version 1, for tests and for what need not outlive the process. */
    public static Repository inMemory() {
        return inMemory(ShardFormat.v1());
    }

    /** A new repository in memory, with an empty pail of a format. */
    public static Repository inMemory(ShardFormat format) {
        return open(new MemoryRefs(), new MemoryBlocks(), format);
    }

    /**
     * Makes a repository with an empty pail.
     *
     * @param folder the repository's own folder; the one around it must be there
     * @throws RepositoryException if it is a repository already
     * @throws StoreIOException if it cannot be made
     */
    public static Repository init(Path folder, ShardFormat format) {
        return init(folder, format, BlockStorage.FILES);
    }

    /**
     * Makes a repository with an empty pail.
     *
     * @param folder the repository's own folder; the one around it must be there
     * @param storage how it keeps blocks
     * @throws RepositoryException if it is a repository already
     * @throws StoreIOException if it cannot be made
     */
    public static Repository init(Path folder, ShardFormat format, BlockStorage storage) {
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(storage, "storage");
        return FileStorage.init(Disk.system(), folder, format, storage);
    }

    /**
     * As {@link #open(Path, Duration)}. A writer waits up to ten seconds for the lock.
     *
     * @param folder the repository's own folder, as {@code .pail}: {@link #find} looks for one
     */
    public static Repository open(Path folder) {
        return open(folder, FileStorage.PATIENCE);
    }

    /**
     * The repository in a folder.
     *
     * @param folder the repository's own folder, as {@code .pail}: {@link #find} looks for one
     * @param patience how long to wait for the lock where another writer holds it; not at all, if it is zero or less
     * @throws RepositoryException if it is none; or is damaged: of a layout that is not known, without {@code heads}, with something else
     *     in the place of a folder, or without {@code config} although {@link #MAIN} was moved (spec rule REP1)
     * @throws StoreIOException if that cannot be read
     */
    public static Repository open(Path folder, Duration patience) {
        Objects.requireNonNull(patience, "patience");
        return FileStorage.open(Disk.system(), folder, patience);
    }

    /**
     * The repository in a folder, for a program that can do without what its promises cost: a loss of power. With
     * {@link Durability#NONE} no update waits for the disk, which leaves it to the operating system. When the process ends or is killed,
     * nothing is lost; after a loss of power, a branch may lead to blocks that are not there. For tests, and for what can be made again.
     *
     * @param durability {@link Durability#BATCH} promises here what {@link Durability#SYNC} does: an update is a batch
     */
    public static Repository open(Path folder, Durability durability) {
        return FileStorage.open(
                Objects.requireNonNull(durability, "durability") == Durability.NONE ? Disk.unsynced() : Disk.system(),
                Objects.requireNonNull(folder, "folder"),
                FileStorage.PATIENCE);
    }

    /**
     * The nearest repository {@code .pail} in a folder or one around it. A link of this name that leads to nothing counts: what it
     * led to may be away, and another repository farther out is not what is meant.
     */
    public static Optional<Path> find(Path start) {
        for (Path at = start.toAbsolutePath(); at != null; at = at.getParent()) {
            Path folder = at.resolve(OWN_FOLDER);
            if (Disk.system().isDirectory(folder) || leadsToNothing(folder)) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }

    /** The repository's own folder for a folder that is named: the {@code .pail} in it, if it is no repository itself. */
    public static Path in(Path named) {
        Path within = named.resolve(OWN_FOLDER);
        Disk disk = Disk.system();
        return !disk.exists(named.resolve("config")) && disk.exists(within.resolve("config")) ? within : named;
    }

    private static boolean leadsToNothing(Path link) {
        try {
            return Disk.system().status(link).isPresent() && !Disk.system().exists(link);
        } catch (IOException e) {
            return false;
        }
    }

    /** The format of pails that are made here. */
    public ShardFormat format() {
        return format;
    }

    /**
     * This repository, whose ref updates get an author and a message in the log. They make the layout 3 with the first one (spec rule
     * REP25). Closing it closes this one.
     */
    @CheckReturnValue
    public Repository withNote(Note note) {
        return new Repository(this, updates.withNote(Objects.requireNonNull(note, "note")), merges.rules());
    }

    /**
     * This repository with other rules for {@link #merge}, {@link #revert} and {@link #take}. Without any, each key is merged alone; a
     * program with tables needs {@code dev.pail.table.Tables.mergeRules()}. Closing it closes this one.
     *
     * <pre>{@code
     * try (Repository repository = Repository.open(folder).with(Tables.mergeRules())) {
     *     repository.merge("main", "draft", MergeOptions.DEFAULT);
     * }
     * }</pre>
     */
    @CheckReturnValue
    public Repository with(MergeRules rules) {
        return new Repository(this, updates, Objects.requireNonNull(rules, "rules"));
    }

    /** The store of branches and tags, without the rules of a repository. Listeners do not get its updates. */
    public RefStore refs() {
        return store;
    }

    /**
     * Checks events, shards and logs, and values that are here: each block against its CID, and each shard and event against the rules of its
     * format. Changes nothing. Writers may go on meanwhile: a branch that is removed during the check is left out.
     *
     * <p>Takes memory for each block that is reached. A problem never ends the check: the report counts all, and
     * {@link VerifyOptions#problems} gets each one when it is found.
     *
     * @throws RepositoryException if the branch of the options does not exist
     * @throws StoreIOException if the branches cannot be listed
     */
    public VerifyReport verify(VerifyOptions options) {
        Objects.requireNonNull(options, "options");
        return new RepositoryVerifier(this, refs, histories, stored, options).run();
    }

    /** The blocks of all versions. Not to be closed. */
    public BlockStore blocks() {
        return blocks;
    }

    /** The version that {@link #MAIN} stands at. */
    public Pail pail() {
        return pail(MAIN);
    }

    /** The version that a branch stands at. */
    public Pail pail(String branch) {
        return snapshot(branch).pail();
    }

    /** The root that a branch stands at. Its block is not looked for, if the head is one event. */
    public Cid root(String branch) {
        return snapshots.root(branch);
    }

    /**
     * The newest events of a branch: none, if nothing was put into it yet. Neither they nor their shards are looked for.
     *
     * @throws RepositoryException if there is no such branch, or its files are damaged
     * @throws StoreIOException if they cannot be read
     */
    public Head head(String branch) {
        return refs.branch(branch).head();
    }

    /**
     * The head of a branch, with its version, which is read when it is first asked for: a branch whose newest event or shard is lost can
     * still be moved.
     *
     * @throws RepositoryException if there is no such branch, or its files are damaged
     * @throws StoreIOException if they cannot be read
     */
    public Snapshot snapshot(String branch) {
        return snapshots.of(branch);
    }

    /**
     * The version that follows from a head; of an empty one, the empty pail of the repository's format.
     *
     * @throws MissingBlockException if an event or a shard that is needed is not there
     */
    public Pail pailAt(Head head) {
        return snapshots.replica(head).pail();
    }

    /**
     * As {@link #pailAt}, but computed anew from the events: {@code pailAt} may take the root of several events from a file in the folder
     * {@code derived}, which this replaces.
     */
    public Pail pailMadeAnew(Head head) {
        return snapshots.made(head).pail();
    }

    /** Where a branch stands, as a replica: to merge with others. Its changes are events that are stored, but no branch has. */
    public ReplicatedPail replica(String branch) {
        return snapshots.replica(refs.branch(branch).head());
    }

    /**
     * Makes the next version of a pail.
     *
     * @param <E> what it may throw
     */
    @FunctionalInterface
    public interface Change<E extends Exception> {
        /** The next version, made from the one given. */
        Pail apply(Pail pail) throws E;
    }

    /**
     * Makes the next version of a pail, and an answer.
     *
     * @param <T> what the answer is
     * @param <E> what it may throw
     */
    @FunctionalInterface
    public interface AnsweringChange<T, E extends Exception> {
        /** The next version, made from the one given, with the answer. */
        Updated<T> apply(Pail pail) throws E;
    }

    /**
     * A version of a branch with an answer of the function that made it.
     *
     * @param <T> what the answer is
     */
    public record Updated<T>(Pail pail, T answer) {
        public Updated {
            Objects.requireNonNull(pail, "pail");
            Objects.requireNonNull(answer, "answer");
        }
    }

    /**
     * Makes the next version of a branch, and may refuse by what the branch stands at.
     *
     * @param <E> what it may throw
     */
    @FunctionalInterface
    public interface SnapshotChange<E extends Exception> {
        /** The next version, made from that of the snapshot. */
        Pail apply(Snapshot before) throws E;
    }

    /** As {@link #update(String, String, Change)}, where the reason says what was changed, in a few words. */
    public <E extends Exception> Pail update(String branch, Change<E> change) throws E {
        return updated(branch, null, Ancestry.CHECKED, change);
    }

    /**
     * As {@link #update(String, Change)}, for a function that also sees the generation and the head that it changes.
     *
     * <pre>{@code
     * long seen = repository.snapshot("main").generation();
     * Snapshot now = repository.updateSnapshot("main", before -> {
     *     if (before.generation() != seen) {
     *         throw new IllegalStateException("changed meanwhile"); // the branch stays as it is
     *     }
     *     return before.pail().delete("draft");
     * });
     * }</pre>
     *
     * @return where the branch stands
     */
    public <E extends Exception> Snapshot updateSnapshot(String branch, SnapshotChange<E> change) throws E {
        Objects.requireNonNull(change, "change");
        return updatedSnapshot(branch, null, Ancestry.CHECKED, change);
    }

    /** As {@link #update(String, String, Change)}, with the answer of the call of the function that counted. */
    public <T, E extends Exception> Updated<T> updateWithAnswer(
            String branch, String reason, AnsweringChange<T, E> change) throws E {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(change, "change");
        AtomicReference<@Nullable Updated<T>> last = new AtomicReference<>();
        Pail now = this.<E>updated(branch, reason, Ancestry.CHECKED, pail -> {
            Updated<T> made = change.apply(pail);
            last.set(made);
            return made.pail();
        });
        return new Updated<>(now, Objects.requireNonNull(last.get()).answer());
    }

    /**
     * As {@link #update(String, String, Change)}, but the function may give any version, of another format or from elsewhere. What
     * other writers did since that version was made is undone by it.
     *
     * @throws RepositoryException if a block of the version is not in the repository. Nothing has changed
     */
    public <E extends Exception> Pail replace(String branch, String reason, Change<E> change) throws E {
        Objects.requireNonNull(reason, "reason");
        return updated(branch, reason, Ancestry.ANY, change);
    }

    /**
     * Changes a branch: the version that it stands at becomes the one that is made of it. What is
     * different becomes an event, or several where it is more than there is room for in one; if both have the same root, none, and the
     * branch stays where it is.
     *
     * <p>The function is called without the lock. If another writer updates the branch meanwhile, it is called again with the newer
     * version; after a few lost races, while the lock is held. So it may be called several times, and must not change the
     * repository by other ways. The pail that it is given has a transaction for its block store: what any thread puts there is kept if the
     * branch is moved, or the root stays the same. If the function throws, nothing is written, unless it put more than 16 MiB. When this
     * returns, the transaction is over, and pails of it take no changes (spec rule REP24).
     *
     * <p>The version must be made from the one given, by its changes: another one would undo what other writers have done since, and is
     * for {@link #replace}. To merge a branch into another, use
     * {@link #merge}: {@link Pail#merge(Pail, Pail, Pail, MergePolicy)} does not make it a part of the history. A block that a
     * value names is kept only if it is put into the block store, by {@code pail.blocks().put(block)}.
     *
     * @param reason for the log: a line of text, of which 1,000 characters are kept
     * @return the version that the branch stands at: what the function made, in the block store of the repository
     * @throws IllegalArgumentException if what the function gives was not made from the version that it was given. Nothing has changed
     * @throws MissingBlockException if a block is not there that is needed to see what was changed. Nothing has changed
     * @throws MalformedShardException if a shard breaks a rule, or a few shards make more keys than a reader can list (spec rule X7).
     *     Nothing has changed
     * @throws ShardLimitException if there are several events, and the version that follows from one on the way has room for a key
     *     neither in the format before nor in that of what the function gives. Nothing has changed
     * @throws StoreLockedException if another writer holds the lock for longer than there is patience. Nothing has changed
     * @throws StoreIOException if writing failed. Nothing has changed
     * @throws HeadUpdateUncertainException if the branch may have moved or not
     */
    public <E extends Exception> Pail update(String branch, String reason, Change<E> change) throws E {
        Objects.requireNonNull(reason, "reason");
        return updated(branch, reason, Ancestry.CHECKED, change);
    }

    /** Whether the new version must be made from the one before. */
    private enum Ancestry {
        CHECKED,
        ANY
    }

    private <E extends Exception> Pail updated(
            String branch, @Nullable String reason, Ancestry ancestry, Change<E> change) throws E {
        Objects.requireNonNull(change, "change");
        return this.<E>updatedSnapshot(branch, reason, ancestry, before -> change.apply(before.pail()))
                .pail();
    }

    private <E extends Exception> Snapshot updatedSnapshot(
            String branch, @Nullable String reason, Ancestry ancestry, SnapshotChange<E> change) throws E {
        return updates.change(branch, (before, transaction) -> {
            Pail after = made(change, before);
            if (ancestry == Ancestry.CHECKED
                    && !after.isMadeFrom(before.pail())
                    && !after.root().equals(before.root())) {
                throw new IllegalArgumentException(
                        "the version was not made from the one that update gave, and would undo"
                                + " what other writers did since: " + after.root()
                                + "; to do that, use replace");
            }
            return proposal(before, reason, after);
        });
    }

    /**
     * Moves a branch to a new history, which begins with what a function makes of its version: its entries as puts, in one event or in
     * several. The events before are no part of it, so replicas that have them cannot merge it; the log leads to them, and {@link #undo}
     * goes back. A version without entries has no event.
     *
     * @param change may make a version of another format
     * @return where the branch stands
     */
    public <E extends Exception> Snapshot startHistory(String branch, String reason, Change<E> change) throws E {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(change, "change");
        return updates.change(branch, (before, transaction) -> {
            Pail after = made(snapshot -> change.apply(snapshot.pail()), before);
            Pail empty = histories.in(transaction).pail(Head.empty());
            Snapshot nothing = new Snapshot(branch, before.generation(), Head.empty(), empty);
            try (Stream<Entry> entries = after.entries()) {
                return entries.findFirst().isEmpty()
                        ? new RefUpdates.Proposal(Head.empty(), empty, reason)
                        : proposal(nothing, reason, after);
            }
        });
    }

    private static <E extends Exception> Pail made(SnapshotChange<E> change, Snapshot before) {
        try {
            return change.apply(before);
        } catch (Exception e) {
            throw Repository.<RuntimeException>thrown(e);
        }
    }

    /** Throws what the function of an update threw, which is what the update is declared to throw. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Erasure lets a checked exception pass.
    private static <E extends Exception> E thrown(Exception error) throws E {
        throw (E) error;
    }

    private static RefUpdates.Proposal proposal(Snapshot before, @Nullable String reason, Pail after) {
        if (after.root().equals(before.root())) {
            return new RefUpdates.Proposal(before.head(), before.pail(), "");
        }
        Changes changes = Changes.store(before, after);
        return new RefUpdates.Proposal(changes.head(), after, reason == null ? changes.summary() : reason);
    }

    /**
     * Changes a branch as {@link #update(String, String, Change)} does, by way of the replicated pail: what the function
     * returns is where the branch goes, with the events that were made or merged. To merge another branch, use {@link #merge}.
     *
     * @return where the branch stands
     */
    public ReplicatedPail change(String branch, String reason, UnaryOperator<ReplicatedPail> change) {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(change, "change");
        return replicated(reason, change, proposal -> updates.change(branch, proposal));
    }

    private ReplicatedPail replicated(
            String reason, UnaryOperator<ReplicatedPail> change, Function<RefUpdates.Change, Snapshot> move) {
        AtomicReference<@Nullable ReplicatedPail> last = new AtomicReference<>();
        Snapshot now = move.apply((before, transaction) -> {
            ReplicatedPail after = change.apply(snapshots.replica(before.head()).in(transaction));
            last.set(after);
            return new RefUpdates.Proposal(after.head(), after.pail(), reason);
        });
        // The function was called at least once, and what it made last is where the branch stands.
        ReplicatedPail made = Objects.requireNonNull(last.get());
        return made.head().equals(now.head()) && made.root().equals(now.root())
                ? made.in(blocks)
                : snapshots.replica(now.head());
    }

    /**
     * Moves a branch to any head: back to an earlier one, or to one that came from elsewhere. All events that it holds must be
     * there, with all shards of their versions. An event that another one of the head follows is left out of it (spec rule M8). Of what
     * the branch leaves, nothing is read: it may be lost (REP18).
     *
     * @param expected where the branch stands
     * @param reason for the log: a line of text, of which 1,000 characters are kept
     * @return where the branch stands then
     * @throws HeadMovedException if it stands elsewhere
     * @throws MissingBlockException if an event is not there, or a shard. Nothing has changed
     * @throws ClockLimitException if more than 1,000 events are left. Nothing has changed
     */
    public Snapshot move(Snapshot expected, Head next, String reason) {
        Objects.requireNonNull(reason, "reason");
        return updates.move(expected, next, reason);
    }

    /**
     * Makes the head and the log of a branch fit again where one of them is damaged or lost (spec rule REP20), so that the branch can be
     * read and moved. If both can be read, the head stays as it is, and the log gets an entry that leads to it.
     *
     * @return what was wrong; nothing if they fit
     * @throws RepositoryException if there is no such branch, or the end of the log cannot be read
     */
    public Optional<RepositoryException> recover(String branch) {
        return updates.recover(branch);
    }

    /**
     * Moves a branch back to where it was before its last moves, and each time further back (spec rule REP22). {@link #redo} takes
     * that back.
     *
     * @param expected where the branch stands
     * @param steps how many moves are undone; moves by undo and redo do not count
     * @throws RepositoryException if there are fewer, or they lead to where the branch stands. Nothing has changed
     * @throws HeadMovedException if the branch stands elsewhere
     */
    public Snapshot undo(Snapshot expected, int steps) {
        return step("undo", expected, steps);
    }

    /**
     * Moves a branch forward to where it was before the last undos, until any other move of the branch (spec rule REP23).
     *
     * @param expected where the branch stands
     * @param steps how many moves are made again
     * @throws RepositoryException if fewer were undone, or they lead to where the branch stands. Nothing has changed
     * @throws HeadMovedException if the branch stands elsewhere
     */
    public Snapshot redo(Snapshot expected, int steps) {
        return step("redo", expected, steps);
    }

    private Snapshot step(String what, Snapshot expected, int steps) {
        Objects.requireNonNull(expected, "expected");
        if (steps < 1) {
            throw new IllegalArgumentException("the number of steps is 1 or more, not " + steps);
        }
        UndoSteps.Update update;
        try (UndoSteps log =
                new UndoSteps(expected, store.log(expected.branch(), expected.head(), expected.generation()))) {
            update = what.equals("undo") ? log.back(steps) : log.forward(steps);
        }
        return updates.move(expected, update.head(), what + " to generation " + update.generation());
    }

    /**
     * Merges another version into a branch, and creates the branch if it is absent. This is the merge to use: it compares both sides with
     * the right base, makes the other side a part of the history, and goes by the {@linkplain #with(MergeRules) rules} of this repository.
     * {@link Pail#merge} and {@link ReplicatedPail#merge} know nothing of rules, and leave tables with wrong indexes.
     *
     * <p>If another writer moves the branch meanwhile, the merge is made again with the newer version. If the branch has all of the other
     * side already, nothing changes.
     *
     * <pre>{@code
     * MergeResult result = repository.merge("main", "draft", MergeOptions.DEFAULT);
     * try {
     *     repository.merge("main", "draft", MergeOptions.DEFAULT.withPolicy(MergePolicy.fail()));
     * } catch (MergeConflictException e) {
     *     e.conflicts().forEach(conflict -> System.out.println(conflict.subject()));
     * }
     * }</pre>
     *
     * @param revision what to merge, as {@link #resolve} has it; {@code @{N}} is of this branch
     * @return what the merge made
     * @throws RepositoryException if the revision names nothing, or a version without a history, and there is no base to compare with; or
     *     the branch is absent and cannot have this name; or it is absent, and there is a base. Nothing has changed
     * @throws MergeConflictException if the policy refuses conflicts, and there are any. Nothing has changed
     * @throws UnrelatedHistoriesException if the histories began apart from each other, and that is refused. Nothing has changed
     * @throws MissingBlockException if an event or a shard that is needed is not there. Nothing has changed
     * @throws StoreLockedException if another writer holds the lock for longer than there is patience. Nothing has changed
     */
    public MergeResult merge(String branch, String revision, MergeOptions options) {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(options, "options");
        Revision found = resolve(revision.startsWith("@{") ? branch + revision : revision);
        return merge(branch, new Revision(revision, found.head(), found.pail()), options);
    }

    /**
     * As {@link #merge(String, String, MergeOptions)}, with a version that was found before.
     *
     * @param revision its text is in the log
     */
    public MergeResult merge(String branch, Revision revision, MergeOptions options) {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(revision, "revision");
        return merges.merge(branch, revision, Objects.requireNonNull(options, "options"));
    }

    /**
     * Takes in the blocks of a CAR, and merges its history into a branch as {@link #merge} does, or creates the branch with it. A CAR with
     * a version but no history can only become a new branch, or fill an empty one. A CAR without a version leaves the branch as it is.
     *
     * <p>Each block is compared with its CID. The branch moves only if all events and shards are here; values, and the blocks that they
     * link to, may be absent. If this throws, the blocks before that place stay in the repository, until a garbage collection.
     *
     * @param car is read to its end, and not closed
     * @return what became of the blocks and of the branch; of blocks that cannot be verified, and were left out, see {@link CarImport#refusals}
     * @throws ImportException if blocks are damaged, or the CAR cannot become what the branch has. No branch has changed
     * @throws MalformedCarException if it is no CAR, or is cut off. No branch has changed
     * @throws MissingBlockException if an event or a shard is neither in the CAR nor here. No branch has changed
     * @throws UnrelatedHistoriesException if the histories began apart from each other, and that is refused. No branch has changed
     * @throws RepositoryException if the branch is absent and cannot have this name. Nothing has changed
     */
    public ImportResult take(String branch, CarReader car, ImportOptions options) {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(car, "car");
        Objects.requireNonNull(options, "options");
        return new Imports(this, merges).take(branch, car, options);
    }

    /**
     * Takes back what an event changed, in all replicas, by an event that follows the head of the branch (spec rule M21). If the
     * {@linkplain #with(MergeRules) rules} of this repository concern one of its keys, it is a merge by these rules.
     *
     * <pre>{@code
     * Cid last = repository.head("main").events().get(0);
     * MergeResult result = repository.revert("main", last, MergePolicy.fail());
     * }</pre>
     *
     * @param policy what becomes of keys that were changed since: ours keeps the current value, theirs restores the one from before
     * @throws RepositoryException if there is no such branch, or it does not hold the event. Nothing has changed
     * @throws MergeConflictException if a key was changed since, and the policy is to fail. Nothing has changed
     */
    public MergeResult revert(String branch, Cid event, MergePolicy policy) {
        Objects.requireNonNull(event, "event");
        return merges.revert(branch, event, Objects.requireNonNull(policy, "policy"));
    }

    /**
     * Creates a branch. If there was one of this name that was removed, this one goes on with its log.
     *
     * @param head where it stands: of which the same is asked as by {@link #move}
     * @throws RepositoryException if there is a branch or a tag of this name, or it is the CID of a version or an event
     */
    public Snapshot createBranch(String branch, Head head) {
        Objects.requireNonNull(head, "head");
        return updates.createBranch(branch, head);
    }

    /**
     * Creates a branch at a version that was found before: at its head, or, if it has none, with the version as the first event.
     *
     * @throws RepositoryException as {@link #createBranch(String, Head)}
     * @throws MissingBlockException if an event or a shard is not there. Nothing has changed
     */
    public Snapshot createBranch(String branch, Revision revision) {
        Objects.requireNonNull(branch, "branch");
        if (revision.head().isPresent()) {
            return createBranch(branch, revision.head().get());
        }
        Completeness.require(blocks, List.of(revision.pail().root()));
        return createBranch(branch, revision.pail());
    }

    /**
     * Creates a branch that begins with a version, which may have another format. What is in it becomes an event, or several where
     * it is more than there is room for in one; of an empty pail of the repository's format there is none. All of its shards must
     * be in the repository.
     *
     * @throws RepositoryException as {@link #createBranch(String, Head)}
     * @throws MissingBlockException if a shard is not there. Nothing has changed
     * @throws MalformedShardException if a shard breaks a rule. Nothing has changed
     */
    public Snapshot createBranch(String branch, Pail version) {
        String reason = "branch from " + version.root();
        return updates.createBranch(branch, (nothing, transaction) -> proposal(nothing, reason, version));
    }

    /**
     * Creates a branch at what a function makes of the empty pail of the repository's format. If nothing was put into it, the branch has no
     * event. What the function throws is thrown, and nothing has changed.
     *
     * @param <E> what the function may throw
     * @throws RepositoryException as {@link #createBranch(String, Head)}
     */
    public <E extends Exception> Snapshot createBranch(String branch, SnapshotChange<E> beginning) throws E {
        Objects.requireNonNull(beginning, "beginning");
        return updates.createBranch(
                branch, (nothing, transaction) -> proposal(nothing, null, made(beginning, nothing)));
    }

    /**
     * Creates a branch at what is made of nothing by way of the replicated pail, as {@link #change} does where a branch is there.
     *
     * @return where the branch stands
     * @throws RepositoryException as {@link #createBranch(String, Head)}
     */
    public ReplicatedPail createBranch(String branch, String reason, UnaryOperator<ReplicatedPail> beginning) {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(beginning, "beginning");
        return replicated(reason, beginning, proposal -> updates.createBranch(branch, proposal));
    }

    /**
     * Checks that a new branch or tag may have a name.
     *
     * @throws RepositoryException if it is none, or that of another, or the CID of a version or an event
     */
    public void checkFree(String name) {
        refs.checkFree(name);
    }

    /**
     * Removes a branch, or a foreign file among the heads. Nothing that a branch led to is lost by that: its log stays, {@code NAME@{1}} names where it stood, and a new
     * branch of this name goes on with the log.
     *
     * @throws RepositoryException if there is no such branch, or it is {@link #MAIN}, or the current one
     * @throws dev.pail.StoreIOException if writing failed. The branch may be without events then, which listeners are told with what
     *     happens next, or be gone; its log says where it stood
     */
    public void removeBranch(String branch) {
        updates.removeBranch(branch);
    }

    /**
     * Gives a branch another name: makes a branch where it stands, makes that the current one if this was, and removes this. The log of
     * the old name stays, as that of a removed branch. If it fails on the way, both are there.
     *
     * @throws RepositoryException if there is no such branch, or it is {@link #MAIN}, or the new name is not {@linkplain #checkFree free}
     */
    public void renameBranch(String branch, String name) {
        Objects.requireNonNull(name, "name");
        updates.renameBranch(branch, name);
    }

    /** The names of all tags, in order. */
    public List<String> tags() {
        return store.tags();
    }

    /** Where a tag stands, if it is there. */
    public Optional<Head> tag(String tag) {
        RefName.check("a tag", tag);
        return store.tag(tag);
    }

    /**
     * Makes a tag: a name for a version, which stays readable for as long as the tag is there.
     *
     * @param head where it stands: of which the same is asked as by {@link #move}, and that it is not empty
     * @throws RepositoryException if there is a tag or a branch of this name, or it is the CID of a version or an event
     */
    public void createTag(String tag, Head head) {
        if (head.isEmpty()) {
            throw new IllegalArgumentException("a tag stands at an event");
        }
        updates.createTag(tag, head);
    }

    /**
     * Removes a tag, also one that is damaged, or a foreign file among the tags.
     *
     * @throws RepositoryException if there is no such tag
     */
    public void removeTag(String tag) {
        updates.removeTag(tag);
    }

    /** Where branches of remotes stood when this repository last exchanged versions with them, by their names: {@code origin/main}. */
    public SortedMap<String, Tracking> trackings() {
        SortedMap<String, Tracking> all = new TreeMap<>();
        store.trackings().forEach(name -> store.tracking(name).ifPresent(tracking -> all.put(name, tracking)));
        return all;
    }

    /**
     * Notes where a branch of a remote stands.
     *
     * @param name of the remote-tracking ref, as {@link Tracking#isName} has it
     * @param next of its head the same is asked as by {@link #move}
     * @return what was noted, without events that another one of the head follows
     * @throws RepositoryException if it is no such name
     * @throws MissingBlockException if an event is not there, or a shard. Nothing has changed
     */
    public Tracking track(String name, Tracking next) {
        return updates.track(Objects.requireNonNull(name, "name"), Objects.requireNonNull(next, "next"));
    }

    /** Forgets where a branch of a remote stands. What only that led to, the next collection takes away. */
    public void untrack(String name) {
        updates.untrack(Objects.requireNonNull(name, "name"));
    }

    /** What takes away blocks that nothing needs: with a retention of 90 days, and a grace period of 14 days. */
    public GarbageCollection garbageCollection() {
        return GarbageCollection.of(place);
    }

    /**
     * From when on all that logs lead to is there. Entries that are older may lead to versions of which blocks were taken away.
     * {@link Instant#MIN}, if nothing was ever taken away.
     *
     * @throws RepositoryException if the file that says it is damaged. Everything else works; the next collection replaces the file
     */
    public Instant logsKeptSince() {
        return store.wholeEpoch().logsKeptSince();
    }

    /** The names of all branches, in order. */
    public List<String> branches() {
        return store.branches();
    }

    /**
     * Whether there is a branch of this name. Its files are not looked at; {@link #MAIN} is always there.
     *
     * @throws RepositoryException if no branch can have this name, or its head was lost: the log does not say that it was removed
     * @throws StoreIOException if that cannot be found out
     */
    public boolean isBranch(String branch) {
        return refs.has(branch);
    }

    /**
     * Where all branches stand, by their names, in order. One that is removed while they are read is not among them.
     *
     * @throws RepositoryException if the files of a branch are damaged, or the head of {@link #MAIN} was lost
     * @throws StoreIOException if they cannot be read
     */
    public SortedMap<String, Head> heads() {
        return refs.heads();
    }

    /** The name of the current branch: the one that commands work on. Nothing here does so without being told. */
    public String current() {
        return store.current();
    }

    /**
     * Makes a branch the current one.
     *
     * @throws RepositoryException if there is no such branch
     */
    public void switchTo(String branch) {
        updates.switchTo(branch);
    }

    /**
     * What moved a branch, newest first, up to where it stands now. Lazy; to be closed, as it may hold a file open.
     *
     * @throws RepositoryException if there is no such branch; also from the stream, when it comes to a line that is damaged
     */
    public Stream<LogEntry> log(String branch) {
        return store.log(refs.branch(branch)).stream();
    }

    /**
     * The events that lead to a version, newest first: each before those that it follows. Lazy: the first event is read alone, and further
     * ones when they are due; where lines of work ran side by side, those are read back to where they parted before the next event comes.
     * Holds nothing open. For one thread at a time.
     *
     * @param revision names the version, as for {@link #resolve}; no shard of it is read
     * @throws RepositoryException if it names nothing, or a root that is in no history
     * @throws MissingBlockException from the stream, if an event is missing
     */
    public Stream<HistoryEntry> history(String revision) {
        return history(headOf(revision), EventWalk.ALL);
    }

    /**
     * The events that lead to a version and change a key, newest first. With concurrent changes, the value of an entry need not be the one
     * that the version has: the version has the value that the order of the events gives it.
     *
     * @throws RepositoryException as {@link #history(String)}
     */
    public Stream<HistoryEntry> history(String revision, String key) {
        Objects.requireNonNull(key, "key");
        return history(headOf(revision), key::equals);
    }

    /** As {@link #history(String)}, for a head. */
    public Stream<HistoryEntry> history(Head head) {
        return history(head, EventWalk.ALL);
    }

    /** As {@link #history(String, String)}, for a head and all keys that fit. */
    public Stream<HistoryEntry> history(Head head, Predicate<String> keys) {
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(keys, "keys");
        return histories.events(head).entries(new EventOrigins(refs), keys);
    }

    private Head headOf(String revision) {
        return resolveHead(revision)
                .orElseThrow(() -> new RepositoryException(
                        RepositoryException.Reason.NO_VERSION,
                        "a root without a history: " + revision,
                        "name a branch or an event",
                        null));
    }

    /** The names of the branches that were removed, and of which there is a log, in order. */
    public List<String> removedBranches() {
        List<String> names = new ArrayList<>(store.logs());
        names.removeAll(store.branches());
        return names;
    }

    /**
     * What moved a branch, as {@link #log} tells it, also if the branch was removed: that was its last move then.
     *
     * @throws RepositoryException if there never was such a branch; also from the stream
     */
    public Stream<LogEntry> logEvenIfRemoved(String branch) {
        return refs.log(branch).stream();
    }

    /**
     * The version that a text names. The first of these that fits:
     *
     * <ol>
     *   <li>{@code BRANCH@{N}}: where a branch stood before its last N moves; {@code @{N}}, the current branch
     *   <li>{@code BRANCH@{TIME}}: where a branch stood then, by its log (spec rule REP27); {@code @{TIME}}, the current branch. A time is a
     *       date as {@code 2026-11-20}, with a time of day as {@code 2026-11-20 14:30}, {@code today}, {@code yesterday}, or
     *       {@code 2 hours ago}. A day stands for its end, and so do a minute and a second
     *   <li>the name of a branch, or of a tag
     *   <li>the CID of an event in the store
     *   <li>the root of an event that a branch or a log leads to; of several, one that is near the head of the current branch
     *   <li>the CID of any other root shard in the store: then it has no head
     *   <li>the first characters, at least four, of the CID of an event that a branch or a log leads to, if of one only
     * </ol>
     *
     * @throws RepositoryException if it names nothing, or several events, which are listed
     */
    public Revision resolve(String text) {
        return resolve(text, ZoneId.systemDefault());
    }

    /** As {@link #resolve(String)}, where dates and times that name no zone are of the one given. */
    public Revision resolve(String text, ZoneId zone) {
        return revisions(text, zone).find();
    }

    private Revisions revisions(String text, ZoneId zone) {
        Objects.requireNonNull(text, "text");
        return new Revisions(this, refs, histories, text, Objects.requireNonNull(zone, "zone"));
    }

    /**
     * The head of the version that a text names, if it has one. Names are those of {@link #resolve}, but no shard of the version is read, and
     * a merge of several events is not made.
     *
     * @throws RepositoryException if it names nothing, or several events, which are listed
     */
    public Optional<Head> resolveHead(String text) {
        return revisions(text, ZoneId.systemDefault()).findHead();
    }

    /**
     * Tells a listener of every new head that this instance moves a branch to: when it is durable, in the order of the moves, on a
     * thread that moves one, and without a lock, so that it may change branches itself. What it puts into the block store is kept,
     * whatever becomes of a change that this thread is about to make. What it throws goes to the thread's handler of uncaught exceptions.
     * A move that an {@link Error} has come into is not told of, although it may be made: the next one begins where it went.
     *
     * <p>It hears of what is moved through this object and those that {@link #withNote} and {@link #with} made of it, and of nothing else: not
     * of what another object for the same repository moves, in this process or another, nor of what is moved through {@link #refs}.
     * A program that must hear of that reads {@link #changes(String)}.
     *
     * <p>Listeners must be quick: the change of the thread that tells them does not return while others move branches and there is more
     * to tell, and what is to be told waits in memory without a bound.
     *
     * @return what ends that when it is closed
     */
    public Registration listen(Consumer<HeadUpdate> listener) {
        return updates.listen(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * The ref updates of a branch from now on, whichever process makes them. Its token names where the branch stands.
     *
     * @throws RepositoryException if there never was such a branch, or its files are damaged
     */
    public ChangeFeed changes(String branch) {
        return ChangeFeed.fromNow(this, refs, Objects.requireNonNull(branch, "branch"));
    }

    /**
     * The ref updates of a branch after one of a generation; after 0, all of them. That the branch still has the update that the caller
     * has in mind, only a token can tell.
     *
     * @param fromGeneration from 0 to the generation of the branch
     * @throws RepositoryException as {@link #changes(String, String)}
     */
    public ChangeFeed changes(String branch, long fromGeneration) {
        Objects.requireNonNull(branch, "branch");
        if (fromGeneration < 0) {
            throw new IllegalArgumentException("a generation is 0 or more, not " + fromGeneration);
        }
        return ChangeFeed.after(this, refs, branch, fromGeneration);
    }

    /**
     * The ref updates of a branch after the one that a token names, also if the branch was removed since.
     *
     * @param token as {@link ChangeFeed#token} gave it, in any process
     * @throws RepositoryException if there never was such a branch or its files are damaged; if this is no token, or the branch has no
     *     such update; or if a garbage collection has taken what the next update changed
     */
    public ChangeFeed changes(String branch, String token) {
        Objects.requireNonNull(branch, "branch");
        return ChangeFeed.after(this, refs, branch, Objects.requireNonNull(token, "token"));
    }

    /**
     * Closes the stores of refs and of blocks. From then on each method that reads or changes the repository, and each store that it gave,
     * throws an {@link IllegalStateException} that says what is closed. A pail or a snapshot that was read before may still answer
     * from shards that it holds decoded; what needs a block throws the same. May be called twice.
     */
    @Override
    public void close() {
        try (store) {
            blocks.close();
        }
    }
}
