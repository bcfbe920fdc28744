package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.MalformedShardException;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.MissingBlockException;
import dev.pail.NoMergeRulesException;
import dev.pail.OperationInterruptedException;
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
import dev.pail.update.Derivation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
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
 * Pails with their history: branches with logs of their updates, and tags. A repository is in a folder ({@link #init},
 * {@link #open(Path)}), in memory ({@link #inMemory()}), or over any other {@link RefStore} and {@link RepositoryBlocks}.
 *
 * <p>Every change is an event of a {@link dev.pail.clock merkle clock}. A ref update writes the blocks, then the log, then the head, and
 * each step is durable before the next begins. The head is replaced by compare-and-set, so competing changes never overwrite each
 * other.
 *
 * <p>Readers need no lock: a {@link Snapshot} never changes. Safe for use by several threads and processes.
 *
 * <p>Methods that read throw what reading a {@link Pail} and a {@link ReplicatedPail} throws. They throw {@link RepositoryException} if
 * there is no such branch, or its files are damaged. After a failed write, the next writer examines the files
 * as if the repository had just been opened, so writes succeed again when the cause is gone.
 *
 * <p>All pails that are read through {@link #blocks()} share one {@link ShardCache} of an eighth of the heap, at most 128 MiB. A second
 * cache holds the versions of the last 256 branches in use. If the root of several events was computed but cannot be stored, its
 * shards stay in memory until the repository can write again.
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

    /** The name of a repository's folder, by which {@link #find} finds it. */
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
        this.merges = new Merges(this, MergeRules.installed(), histories);
        this.place = new GarbageCollection.Place(store, stored.swept(), format, stored.erasures());
    }

    /**
     * Opens a repository over any stores. Closing it closes both.
     *
     * @param refs the store of branches and tags
     * @param blocks the store of the blocks of all versions; may be empty
     * @param format the format of new pails
     */
    public static Repository open(RefStore refs, RepositoryBlocks blocks, ShardFormat format) {
        Objects.requireNonNull(refs, "refs");
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(format, "format");
        return new Repository(refs, blocks, format);
    }

    /** Creates a repository in memory, with an empty pail of version 1. For tests and data that need not outlive the process. */
    public static Repository inMemory() {
        return inMemory(ShardFormat.v1());
    }

    /** Creates a repository in memory, with an empty pail of a format. */
    public static Repository inMemory(ShardFormat format) {
        return open(new MemoryRefs(), new MemoryBlocks(), format);
    }

    /**
     * Creates a repository in a folder, with an empty pail.
     *
     * @param folder the repository's own folder; its parent must exist
     * @throws RepositoryException if the folder is a repository already
     * @throws StoreIOException if the repository cannot be created
     */
    public static Repository init(Path folder, ShardFormat format) {
        return init(folder, format, BlockStorage.FILES);
    }

    /**
     * Creates a repository in a folder, with an empty pail.
     *
     * @param folder the repository's own folder; its parent must exist
     * @param storage how the repository stores blocks
     * @throws RepositoryException if the folder is a repository already
     * @throws StoreIOException if the repository cannot be created
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
     * @param folder the repository's own folder, usually {@code .pail}; {@link #find} looks for one
     */
    public static Repository open(Path folder) {
        return open(folder, FileStorage.PATIENCE);
    }

    /**
     * Opens the repository in a folder.
     *
     * @param folder the repository's own folder, usually {@code .pail}; {@link #find} looks for one
     * @param patience how long a writer waits for the lock if another holds it; zero or less for no wait
     * @throws RepositoryException if the folder is no repository, or is a damaged one: of an unknown layout, without {@code heads}, with
     *     something else in the place of a folder, or without {@code config} although {@link #MAIN} has moved (spec rule REP1)
     * @throws StoreIOException if the folder cannot be read
     */
    public static Repository open(Path folder, Duration patience) {
        Objects.requireNonNull(patience, "patience");
        return FileStorage.open(Disk.system(), folder, patience);
    }

    /**
     * Opens the repository in a folder, with or without durable updates. With {@link Durability#NONE}, no update waits for the disk.
     * Updates then survive the end of the process, but a loss of power may leave a branch whose blocks are missing. For tests, and for
     * data that can be made again.
     *
     * @param durability {@link Durability#BATCH} here means the same as {@link Durability#SYNC}: an update is a batch
     */
    public static Repository open(Path folder, Durability durability) {
        return FileStorage.open(
                Objects.requireNonNull(durability, "durability") == Durability.NONE ? Disk.unsynced() : Disk.system(),
                Objects.requireNonNull(folder, "folder"),
                FileStorage.PATIENCE);
    }

    /**
     * Finds the nearest repository {@code .pail} in a folder or one of its parents. A broken link of this name counts too: its target may
     * only be unmounted, and a repository farther out would be the wrong one.
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

    /** Returns a named folder if it is a repository itself, else the repository {@code .pail} in it. */
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

    /** Returns the format of new pails. */
    public ShardFormat format() {
        return format;
    }

    /**
     * Returns this repository with a note: its ref updates get an author and a message in the log. The first such update makes the
     * layout 3 (spec rule REP25). Closing it closes this one.
     */
    @CheckReturnValue
    public Repository withNote(Note note) {
        return new Repository(this, updates.withNote(Objects.requireNonNull(note, "note")), merges.rules());
    }

    /**
     * Returns this repository with other rules for {@link #merge}, {@link #revert} and {@link #take}. By default, it has the
     * {@link MergeRules#installed()} rules: tables are merged row by row if the program has the module {@code pail-table}, and refused if
     * not. Closing it closes this one.
     *
     * <pre>{@code
     * try (Repository repository = Repository.open(folder).with(MergeRules.keys())) { // without tables, even if its keys look like theirs
     *     repository.merge("main", "draft", MergeOptions.DEFAULT);
     * }
     * }</pre>
     */
    @CheckReturnValue
    public Repository with(MergeRules rules) {
        return new Repository(this, updates, Objects.requireNonNull(rules, "rules"));
    }

    /** Returns the store of branches and tags, without the rules of a repository. Listeners do not get its updates. */
    public RefStore refs() {
        return store;
    }

    /**
     * Checks events, shards, logs, and the values that are here: each block against its CID, and each shard and event against the rules of
     * its format. Changes nothing. Writers may work meanwhile; the check leaves out a branch that they remove.
     *
     * <p>Takes memory for each block below the heads. A problem never ends the check: the report counts all problems, and
     * {@link VerifyOptions#problems} receives each one at once.
     *
     * @throws RepositoryException if the branch of the options does not exist
     * @throws StoreIOException if the branches cannot be listed
     */
    public VerifyReport verify(VerifyOptions options) {
        Objects.requireNonNull(options, "options");
        return new RepositoryVerifier(this, refs, histories, stored, options).run();
    }

    /** Returns the blocks of all versions. The caller must not close the store. */
    public BlockStore blocks() {
        return blocks;
    }

    /**
     * Returns the blocks of all versions, for blocks that come from another repository: a put leaves out those that were erased here, where
     * a put to {@link #blocks} throws. The caller must not close the store.
     */
    public BlockStore arrivals() {
        return new ArrivingBlocks(blocks);
    }

    /** Returns the bytes that the store can still take; empty if this is not known. */
    public OptionalLong usableBytes() {
        return stored.usableBytes();
    }

    /** Returns what erases values for good, and the records of erased blocks. */
    public Erasing erasing() {
        return new Erasing(place, updates.note());
    }

    /** Returns the current version of {@link #MAIN}. */
    public Pail pail() {
        return pail(MAIN);
    }

    /** Returns the current version of a branch. */
    public Pail pail(String branch) {
        return snapshot(branch).pail();
    }

    /** Returns the current root of a branch. If the head is one event, the block of the root may be missing. */
    public Cid root(String branch) {
        return snapshots.root(branch);
    }

    /**
     * Returns the newest events of a branch: none, if nothing was put into it yet. Reads neither the events nor their shards.
     *
     * @throws RepositoryException if there is no such branch, or its files are damaged
     * @throws StoreIOException if its files cannot be read
     */
    public Head head(String branch) {
        return refs.branch(branch).head();
    }

    /**
     * Returns the head of a branch, with its version. The snapshot reads the version on first use, so a branch can still be moved if its
     * newest event or shard is missing.
     *
     * @throws RepositoryException if there is no such branch, or its files are damaged
     * @throws StoreIOException if its files cannot be read
     */
    public Snapshot snapshot(String branch) {
        return snapshots.of(branch);
    }

    /**
     * Returns the version of a head; for an empty head, the empty pail of the repository's format.
     *
     * @throws MissingBlockException if a needed event or shard is missing
     */
    public Pail pailAt(Head head) {
        return snapshots.replica(head).pail();
    }

    /**
     * As {@link #pailAt}, but always computes the version from the events. {@code pailAt} may read the root of several events from a file
     * in the folder {@code derived}; this method replaces that file.
     */
    public Pail pailMadeAnew(Head head) {
        return snapshots.made(head).pail();
    }

    /** Returns the head of a branch as a replica, to merge with other replicas. Its changes store events, but move no branch. */
    public ReplicatedPail replica(String branch) {
        return snapshots.replica(refs.branch(branch).head());
    }

    /**
     * Makes the next version of a pail.
     *
     * @param <E> the exception that it may throw
     */
    @FunctionalInterface
    public interface Change<E extends Exception> {
        /** Returns the next version, made from the given one. */
        Pail apply(Pail pail) throws E;
    }

    /**
     * Makes the next version of a pail, and an answer.
     *
     * @param <T> the type of the answer
     * @param <E> the exception that it may throw
     */
    @FunctionalInterface
    public interface AnsweringChange<T, E extends Exception> {
        /** Returns the next version, made from the given one, with the answer. */
        Updated<T> apply(Pail pail) throws E;
    }

    /**
     * A version of a branch with an answer of the function that made it.
     *
     * @param <T> the type of the answer
     */
    public record Updated<T>(Pail pail, T answer) {
        public Updated {
            Objects.requireNonNull(pail, "pail");
            Objects.requireNonNull(answer, "answer");
        }
    }

    /**
     * Makes the next version of a branch, or refuses to by an exception.
     *
     * @param <E> the exception that it may throw
     */
    @FunctionalInterface
    public interface SnapshotChange<E extends Exception> {
        /** Returns the next version, made from that of the snapshot. */
        Pail apply(Snapshot before) throws E;
    }

    /** As {@link #update(String, String, Change)}, with a reason that names the changed keys in a few words. */
    public <E extends Exception> Pail update(String branch, Change<E> change) throws E {
        return updated(branch, null, Ancestry.CHECKED, change);
    }

    /**
     * As {@link #update(String, Change)}, for a function that also sees the generation and the head.
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
     * @return the branch after the update
     */
    public <E extends Exception> Snapshot updateSnapshot(String branch, SnapshotChange<E> change) throws E {
        Objects.requireNonNull(change, "change");
        return updatedSnapshot(branch, null, Ancestry.CHECKED, change);
    }

    /** As {@link #update(String, String, Change)}, and returns the answer of the function's last call. */
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
     * As {@link #update(String, String, Change)}, but the function may return any version, of any format and origin. The update then
     * discards the changes that other writers made since that version.
     *
     * @throws RepositoryException if a block of the version is not in the repository. Nothing has changed
     */
    public <E extends Exception> Pail replace(String branch, String reason, Change<E> change) throws E {
        Objects.requireNonNull(reason, "reason");
        return updated(branch, reason, Ancestry.ANY, change);
    }

    /**
     * Changes a branch: the function makes the next version from the current one. The difference becomes an event, or several if it does
     * not fit in one. If both versions have the same root, there is no event, and the branch does not move.
     *
     * <p>The method calls the function without the lock. If another writer updates the branch meanwhile, it calls the function again with
     * the newer version; after a few lost races, it holds the lock for the call. So the function may run several times, and must not
     * change the repository in other ways. The pail of the function has a transaction as its block store. Blocks that any thread puts there
     * are kept if the branch moves or the root stays the same. If the function throws, nothing is written, unless it put more than 8 MiB.
     * After this method returns, the transaction is over, and its pails take no changes (spec rule REP24).
     *
     * <p>The function must make its version from the given one, by changes: any other version would undo the newer changes of other
     * writers, and needs {@link #replace}. To merge a branch into another, use {@link #merge}:
     * {@link Pail#merge(Pail, Pail, Pail, MergePolicy)} does not join the histories. A pail never changes, so the function must return the
     * pail that {@code put} or {@code commit} gave. If it returns the given one, its changes would be lost, and the update refuses that. If
     * they are dropped on purpose, return {@link Pail#unchanged() unchanged()} (spec rule REP33). The block that a value names is kept only if the
     * function puts it, by {@code pail.blocks().put(block)}.
     *
     * <p>An interrupt of this thread ends the update, unless the branch has already moved (spec rule REP34).
     *
     * @param reason a line of text for the log, which keeps its first 1,000 characters
     * @return the version that the function made, in the block store of the repository
     * @throws IllegalArgumentException if the function did not make its version from the given one. Nothing has changed
     * @throws IllegalStateException if changes would be lost: those of a version that the function derived and did not return, or of a
     *     batch that it did not commit. Nothing has changed
     * @throws OperationInterruptedException if this thread is interrupted. Nothing has changed
     * @throws MissingBlockException if a block that is needed to compare the versions is missing. Nothing has changed
     * @throws MalformedShardException if a shard breaks a rule, or a few shards make more keys than a reader can list (spec rule X7).
     *     Nothing has changed
     * @throws ShardLimitException if there are several events, and a version between them has no room for a key: neither in the format
     *     before the update nor in that of the new version. Nothing has changed
     * @throws StoreLockedException if another writer holds the lock for longer than the patience. Nothing has changed
     * @throws StoreIOException if writing failed. Nothing has changed
     * @throws HeadUpdateUncertainException if it is unknown whether the branch has moved
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
            Pail after = checked(change, before);
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
     * Moves a branch to a new history, which begins with the version that a function makes. Its entries become puts, in one event or
     * several; a version without entries has no event. The old events are not in the new history, so replicas that have them cannot
     * merge it. The log keeps them, and {@link #undo} returns to them.
     *
     * @param change may make a version of another format
     * @return the branch after the update
     */
    public <E extends Exception> Snapshot startHistory(String branch, String reason, Change<E> change) throws E {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(change, "change");
        return updates.change(branch, (before, transaction) -> {
            Pail after = checked(snapshot -> change.apply(snapshot.pail()), before);
            Pail empty = histories.in(transaction).pail(Head.empty());
            Snapshot nothing = new Snapshot(branch, before.generation(), Head.empty(), empty);
            try (Stream<Entry> entries = after.entries()) {
                return entries.findFirst().isEmpty()
                        ? new RefUpdates.Proposal(Head.empty(), empty, reason)
                        : proposal(nothing, reason, after);
            }
        });
    }

    /** The version that the function of an update makes, if no change would be lost with it. Rule REP33. */
    private static <E extends Exception> Pail checked(SnapshotChange<E> change, Snapshot before) {
        Pail after = made(change, before);
        Derivation.check(before.pail(), after, after.root().equals(before.root()));
        return after;
    }

    private static <E extends Exception> Pail made(SnapshotChange<E> change, Snapshot before) {
        try {
            return change.apply(before);
        } catch (Exception e) {
            throw Repository.<RuntimeException>thrown(e);
        }
    }

    /** Throws what the function of an update threw, which the update declares. */
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
     * Changes a branch as {@link #update(String, String, Change)} does, but by a function of the replicated pail. The branch moves to the
     * head of its result, with all events that it made or merged. To merge another branch, use {@link #merge}.
     *
     * @return the branch after the update
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
            ReplicatedPail given = snapshots.replica(before.head()).in(transaction);
            ReplicatedPail after = change.apply(given);
            Derivation.check(given, after, after.head().equals(given.head()));
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
     * Moves a branch to any head, for example an earlier or an imported one. All events that the new head holds must be there, with
     * all shards of their versions. The new head leaves out an event that another of its events follows (spec rule M8). The events of the
     * old head are not read, and may be missing (REP18).
     *
     * @param expected the branch as the caller has read it
     * @param reason a line of text for the log, which keeps its first 1,000 characters
     * @return the branch after the update
     * @throws HeadMovedException if the branch has moved meanwhile
     * @throws MissingBlockException if an event or a shard is missing. Nothing has changed
     * @throws ClockLimitException if the new head has more than 1,000 events. Nothing has changed
     */
    public Snapshot move(Snapshot expected, Head next, String reason) {
        Objects.requireNonNull(reason, "reason");
        return updates.move(expected, next, reason);
    }

    /**
     * Recovers a branch whose head or log is damaged or missing, or whose head is not in its log (spec rule REP20). The branch can then
     * be read and moved. If both are readable, the head stays, and the log gets an entry for it.
     *
     * @return the damage; empty if there was none
     * @throws RepositoryException if there is no such branch, or the end of the log cannot be read
     */
    public Optional<RepositoryException> recover(String branch) {
        return updates.recover(branch);
    }

    /**
     * Moves a branch back to its head before its last moves (spec rule REP22). Each further undo moves it further back; {@link #redo}
     * reverses an undo.
     *
     * @param expected the branch as the caller has read it
     * @param steps the number of moves to undo; moves by undo and redo do not count
     * @throws RepositoryException if the log has fewer moves, or they lead to the current head. Nothing has changed
     * @throws HeadMovedException if the branch has moved meanwhile
     */
    public Snapshot undo(Snapshot expected, int steps) {
        return step("undo", expected, steps);
    }

    /**
     * Moves a branch forward to its head before the last undos (spec rule REP23). Any other move of the branch ends that.
     *
     * @param expected the branch as the caller has read it
     * @param steps the number of undone moves to make again
     * @throws RepositoryException if fewer moves were undone, or they lead to the current head. Nothing has changed
     * @throws HeadMovedException if the branch has moved meanwhile
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
     * Merges another version into a branch, and creates the branch if it is absent. Prefer this merge: it compares both sides with the
     * right base, joins the histories, and applies the {@linkplain #with(MergeRules) rules} of this repository. {@link Pail#merge} and
     * {@link ReplicatedPail#merge} apply no rules, and leave tables with wrong indexes.
     *
     * <p>If another writer moves the branch meanwhile, this merges again with the newer version. If the branch already has all events of
     * the other side, nothing changes.
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
     * @param revision the version to merge, as {@link #resolve} reads it; {@code @{N}} is of this branch
     * @return the result of the merge
     * @throws RepositoryException if the revision names nothing, or a version without a history and the options have no base; or if the
     *     branch is absent and cannot have this name, or is absent and the options have a base. Nothing has changed
     * @throws MergeConflictException if the policy refuses conflicts, and there are any. Nothing has changed
     * @throws UnrelatedHistoriesException if the histories have no common event, and the options refuse that. Nothing has changed
     * @throws NoMergeRulesException if a version has tables, and the program has no rules for them. Nothing has changed
     * @throws MissingBlockException if a needed event or shard is missing. Nothing has changed
     * @throws StoreLockedException if another writer holds the lock for longer than the patience. Nothing has changed
     */
    public MergeResult merge(String branch, String revision, MergeOptions options) {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(options, "options");
        Revision found = resolve(revision.startsWith("@{") ? branch + revision : revision);
        return merge(branch, new Revision(revision, found.head(), found.pail()), options);
    }

    /**
     * As {@link #merge(String, String, MergeOptions)}, with a version that is already resolved.
     *
     * @param revision the log gets its text
     */
    public MergeResult merge(String branch, Revision revision, MergeOptions options) {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(revision, "revision");
        return merges.merge(branch, revision, Objects.requireNonNull(options, "options"));
    }

    /**
     * Imports the blocks of a CAR, and merges its history into a branch as {@link #merge} does, or creates the branch with it. A CAR with
     * a version but no history can only become a new branch, or fill an empty one. A CAR without a version leaves the branch unchanged.
     *
     * <p>The import checks each block against its CID. The branch moves only if all events and shards are here; values, and the blocks
     * that they link to, may be absent. If this throws, the blocks that were read before stay until a garbage collection.
     *
     * @param car is read to its end, and not closed
     * @return the result for the blocks and the branch; {@link CarImport#refusals} has the blocks that could not be verified
     * @throws ImportException if blocks are corrupt, or the CAR does not fit the branch. No branch has changed
     * @throws MalformedCarException if it is no CAR, or is truncated. No branch has changed
     * @throws MissingBlockException if an event or a shard is neither in the CAR nor here. No branch has changed
     * @throws UnrelatedHistoriesException if the histories have no common event, and the options refuse that. No branch has changed
     * @throws NoMergeRulesException as {@link #merge(String, String, MergeOptions)}. No branch has changed
     * @throws RepositoryException if the branch is absent and cannot have this name. Nothing has changed
     */
    public ImportResult take(String branch, CarReader car, ImportOptions options) {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(car, "car");
        Objects.requireNonNull(options, "options");
        return new Imports(this, merges).take(branch, car, options);
    }

    /**
     * Reverts the changes of an event, in all replicas, by a new event after the head of the branch (spec rule M21). If the
     * {@linkplain #with(MergeRules) rules} of this repository concern one of its keys, the revert is a merge by these rules.
     *
     * <pre>{@code
     * Cid last = repository.head("main").events().get(0);
     * MergeResult result = repository.revert("main", last, MergePolicy.fail());
     * }</pre>
     *
     * @param policy for keys that were changed since: ours keeps the current value, theirs restores the earlier one
     * @throws RepositoryException if there is no such branch, or it does not hold the event; or if the event may be one of several events
     *     of a change, and the log does not tell. Nothing has changed
     * @throws MergeConflictException if a key was changed since, and the policy is to fail. Nothing has changed
     * @throws NoMergeRulesException as {@link #merge(String, String, MergeOptions)}. Nothing has changed
     */
    public MergeResult revert(String branch, Cid event, MergePolicy policy) {
        Objects.requireNonNull(event, "event");
        return merges.revert(branch, event, Objects.requireNonNull(policy, "policy"));
    }

    /**
     * Creates a branch. It continues the log of a removed branch of this name.
     *
     * @param head the head of the branch, with the same conditions as for {@link #move}
     * @throws RepositoryException if there is a branch or a tag of this name, or it is the CID of a version or an event
     */
    public Snapshot createBranch(String branch, Head head) {
        Objects.requireNonNull(head, "head");
        return updates.createBranch(branch, head);
    }

    /**
     * Creates a branch at a resolved version: at its head or, if it has none, with the version as the first event.
     *
     * @throws RepositoryException as {@link #createBranch(String, Head)}
     * @throws MissingBlockException if an event or a shard is missing. Nothing has changed
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
     * Creates a branch that begins with a version, which may have another format. Its entries become an event, or several if they do not
     * fit in one; an empty pail of the repository's format makes none. All of its shards must be in the repository.
     *
     * @throws RepositoryException as {@link #createBranch(String, Head)}
     * @throws MissingBlockException if a shard is missing. Nothing has changed
     * @throws MalformedShardException if a shard breaks a rule. Nothing has changed
     */
    public Snapshot createBranch(String branch, Pail version) {
        String reason = "branch from " + version.root();
        return updates.createBranch(branch, (nothing, transaction) -> proposal(nothing, reason, version));
    }

    /**
     * Creates a branch at the version that a function makes from the empty pail of the repository's format. If the function puts nothing,
     * the branch has no event. This throws what the function throws; then nothing has changed.
     *
     * @param <E> the exception that the function may throw
     * @throws RepositoryException as {@link #createBranch(String, Head)}
     */
    public <E extends Exception> Snapshot createBranch(String branch, SnapshotChange<E> beginning) throws E {
        Objects.requireNonNull(beginning, "beginning");
        return updates.createBranch(branch, (nothing, transaction) -> {
            Snapshot given = nothing.in(transaction);
            return proposal(given, null, checked(beginning, given));
        });
    }

    /**
     * Creates a branch as {@link #change} changes one: by a function of the replicated pail, which is empty here.
     *
     * @return the new branch
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
     * @throws RepositoryException if it is no valid name, or is in use, or is the CID of a version or an event
     */
    public void checkFree(String name) {
        refs.checkFree(name);
    }

    /**
     * Removes a branch, or a foreign file among the heads. The log stays: {@code NAME@{1}} names the last head, and a new branch of this
     * name continues the log.
     *
     * @throws RepositoryException if there is no such branch, or it is {@link #MAIN}, or the current one
     * @throws dev.pail.StoreIOException if writing failed. The branch may then be without events or be gone; its log has its last head.
     *     Listeners learn of it with the next ref update
     */
    public void removeBranch(String branch) {
        updates.removeBranch(branch);
    }

    /**
     * As {@link #removeBranch(String)}, if the branch is still as it was seen.
     *
     * @throws HeadMovedException if it has moved since. Nothing has changed
     */
    public void removeBranch(Snapshot expected) {
        updates.removeBranch(expected);
    }

    /**
     * Renames a branch: creates a branch with the same head, makes it the current one if the old one was, and removes the old one. The log
     * of the old name stays, as for a removed branch. If a step fails, both branches may be there.
     *
     * @throws RepositoryException if there is no such branch, or it is {@link #MAIN}, or the new name is not {@linkplain #checkFree free}
     */
    public void renameBranch(String branch, String name) {
        Objects.requireNonNull(name, "name");
        updates.renameBranch(branch, name);
    }

    /** Returns the names of all tags, in order. */
    public List<String> tags() {
        return store.tags();
    }

    /** Returns the head that a tag names; empty if there is no such tag. */
    public Optional<Head> tag(String tag) {
        RefName.check("a tag", tag);
        return store.tag(tag);
    }

    /**
     * Creates a tag: a name for a version. The version stays readable for as long as the tag exists.
     *
     * @param head the head to name, with the same conditions as for {@link #move}; not empty
     * @throws RepositoryException if there is a tag or a branch of this name, or it is the CID of a version or an event
     */
    public void createTag(String tag, Head head) {
        if (head.isEmpty()) {
            throw new IllegalArgumentException("a tag stands at an event");
        }
        updates.createTag(tag, head);
    }

    /**
     * Removes a tag, which may be damaged, or a foreign file among the tags.
     *
     * @throws RepositoryException if there is no such tag
     */
    public void removeTag(String tag) {
        updates.removeTag(tag);
    }

    /** Returns the remote-tracking refs, such as {@code origin/main}: the heads of remote branches at the last exchange. */
    public SortedMap<String, Tracking> trackings() {
        SortedMap<String, Tracking> all = new TreeMap<>();
        store.trackings().forEach(name -> store.tracking(name).ifPresent(tracking -> all.put(name, tracking)));
        return all;
    }

    /**
     * Updates the remote-tracking ref of a remote branch.
     *
     * @param name of the remote-tracking ref, for which {@link Tracking#isName} must hold
     * @param next its new value; the head has the same conditions as for {@link #move}
     * @return the stored value, without events that another event of the head follows
     * @throws RepositoryException if it is no such name
     * @throws MissingBlockException if an event or a shard is missing. Nothing has changed
     */
    public Tracking track(String name, Tracking next) {
        return updates.track(Objects.requireNonNull(name, "name"), Objects.requireNonNull(next, "next"));
    }

    /** Removes a remote-tracking ref. The next collection removes the blocks that only this ref reached. */
    public void untrack(String name) {
        updates.untrack(Objects.requireNonNull(name, "name"));
    }

    /** Returns a garbage collection with a retention of 90 days and a grace period of 14 days. */
    public GarbageCollection garbageCollection() {
        return GarbageCollection.of(place);
    }

    /**
     * Returns the time from which on the versions of all log entries are complete. A collection may have removed blocks of older ones.
     * {@link Instant#MIN} if no collection has removed any.
     *
     * @throws RepositoryException if the file with this time is damaged. Everything else works; the next collection replaces the file
     */
    public Instant logsKeptSince() {
        return store.wholeEpoch().logsKeptSince();
    }

    /** Returns the names of all branches, in order. */
    public List<String> branches() {
        return store.branches();
    }

    /**
     * Whether there is a branch of this name. Does not read its files; {@link #MAIN} is always there.
     *
     * @throws RepositoryException if no branch can have this name, or its head is missing although its log has no removal
     * @throws StoreIOException if reading failed
     */
    public boolean isBranch(String branch) {
        return refs.has(branch);
    }

    /**
     * Returns the heads of all branches, by name, in order. Leaves out a branch that is removed meanwhile.
     *
     * @throws RepositoryException if the files of a branch are damaged, or the head of {@link #MAIN} is missing
     * @throws StoreIOException if the files cannot be read
     */
    public SortedMap<String, Head> heads() {
        return refs.heads();
    }

    /** Returns the name of the current branch. Commands use it as the default; the methods of this class do not. */
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
     * Returns the log of a branch, newest entry first, as of now. Lazy; close the stream, since it may hold a file open.
     *
     * @throws RepositoryException if there is no such branch; also from the stream, at a damaged line
     */
    public Stream<LogEntry> log(String branch) {
        return store.log(refs.branch(branch)).stream();
    }

    /**
     * Returns the events that lead to a version, newest first: each before those that it follows. Lazy: the stream reads events as it
     * reaches them. Before it lists concurrent events, it reads all of them, back to the event where they parted. Holds no file open. For
     * one thread at a time.
     *
     * @param revision names the version, as for {@link #resolve}; reads no shard of it
     * @throws RepositoryException if it names nothing, or a root that is in no history
     * @throws MissingBlockException from the stream, if an event is missing
     */
    public Stream<HistoryEntry> history(String revision) {
        return history(headOf(revision), EventWalk.ALL);
    }

    /**
     * Returns the events that lead to a version and change a key, newest first. After concurrent changes, the version need not have the
     * value of the first entry: the order of the events decides.
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

    /** As {@link #history(String, String)}, for a head and all keys that match. */
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

    /** Returns the names of the removed branches that have a log, in order. */
    public List<String> removedBranches() {
        List<String> names = new ArrayList<>(store.logs());
        names.removeAll(store.branches());
        return names;
    }

    /**
     * Returns the log of a branch as {@link #log} does, even if the branch was removed. The removal is then its newest entry.
     *
     * @throws RepositoryException if there never was such a branch; also from the stream, at a damaged line
     */
    public Stream<LogEntry> logEvenIfRemoved(String branch) {
        return refs.log(branch).stream();
    }

    /**
     * Finds the version that a text names. The first of these that matches:
     *
     * <ol>
     *   <li>{@code BRANCH@{N}}: the branch before its last N moves; {@code @{N}}: the current branch
     *   <li>{@code BRANCH@{TIME}}: the branch at a time, by its log (spec rule REP27); {@code @{TIME}}: the current branch. A time is a
     *       date ({@code 2026-11-20}), a date with a time of day ({@code 2026-11-20 14:30}), {@code today}, {@code yesterday}, or
     *       {@code 2 hours ago}. A day means its end, and so do a minute and a second
     *   <li>the name of a branch, or of a tag
     *   <li>the CID of an event in the store
     *   <li>the root of an event that a branch or a log reaches; of several, one near the head of the current branch
     *   <li>the CID of any other root shard in the store: then it has no head
     *   <li>the first characters, at least four, of the CID of an event that a branch or a log reaches, if only one CID has them
     * </ol>
     *
     * @throws RepositoryException if it names nothing, or several events: the message lists them
     */
    public Revision resolve(String text) {
        return resolve(text, ZoneId.systemDefault());
    }

    /** As {@link #resolve(String)}, with a time zone for dates and times that name none. */
    public Revision resolve(String text, ZoneId zone) {
        return revisions(text, zone).find();
    }

    private Revisions revisions(String text, ZoneId zone) {
        Objects.requireNonNull(text, "text");
        return new Revisions(this, refs, histories, text, Objects.requireNonNull(zone, "zone"));
    }

    /**
     * Finds the head of the version that a text names, if it has one. Reads names as {@link #resolve} does, but reads no shard of the
     * version, and merges no events.
     *
     * @throws RepositoryException if it names nothing, or several events: the message lists them
     */
    public Optional<Head> resolveHead(String text) {
        return revisions(text, ZoneId.systemDefault()).findHead();
    }

    /**
     * Registers a listener that receives every ref update of this instance. It is called when the update is durable, in the order of the
     * updates, on a thread that makes one. No lock is held, so the listener may change branches itself. The blocks that it puts are kept
     * even if a change of the same thread fails. Its exceptions go to the thread's handler of uncaught exceptions. If an {@link Error}
     * interrupts an update, the listener may miss it; the next update then begins at its head.
     *
     * <p>A listener receives only updates through this object and those that {@link #withNote} and {@link #with} made from it. It receives
     * no updates of another object for the same repository, in this process or another, and none through {@link #refs}. For those,
     * read {@link #changes(String)}.
     *
     * <p>Listeners must be quick. The thread that calls them also calls them for the updates of other threads, and its own change does not
     * return until no update is left. Updates wait in memory without a bound.
     *
     * @return the registration, which ends when it is closed
     */
    public Registration listen(Consumer<HeadUpdate> listener) {
        return updates.listen(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Returns the ref updates of a branch from now on, by any process. The first token names the current generation and head.
     *
     * @throws RepositoryException if there is no such branch, or its files are damaged
     */
    public ChangeFeed changes(String branch) {
        return ChangeFeed.fromNow(this, refs, Objects.requireNonNull(branch, "branch"));
    }

    /**
     * Returns the ref updates of a branch after a generation; after 0, all of them. Only a token can tell whether the branch still has the
     * same update of that generation.
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
     * Returns the ref updates of a branch after the one that a token names. If the branch was removed since, it has those before the removal.
     *
     * @param token from {@link ChangeFeed#token}, in any process
     * @throws RepositoryException if there never was such a branch or its files are damaged; if this is no token, or the branch has no
     *     such update; or if a garbage collection has removed the changes of the next update
     */
    public ChangeFeed changes(String branch, String token) {
        Objects.requireNonNull(branch, "branch");
        return ChangeFeed.after(this, refs, branch, Objects.requireNonNull(token, "token"));
    }

    /**
     * Closes the stores of refs and of blocks. From then on, each method that reads or changes the repository, and each store that it
     * returned, throws an {@link IllegalStateException} that says what is closed. A pail or a snapshot that was read before may still
     * answer from cached shards; if it needs a block, it throws the same. May be called twice.
     */
    @Override
    public void close() {
        try (store) {
            blocks.close();
        }
    }
}
