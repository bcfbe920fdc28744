package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.LimitException;
import dev.pail.MalformedBlockException;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.MissingBlockException;
import dev.pail.NoMergeRulesException;
import dev.pail.OperationInterruptedException;
import dev.pail.Pail;
import dev.pail.ShardCache;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistoriesException;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.exchange.ArrivingBlocks;
import dev.pail.repository.exchange.Imports;
import dev.pail.repository.merge.Merges;
import dev.pail.repository.model.HeadUpdate;
import dev.pail.repository.model.ImportOptions;
import dev.pail.repository.model.ImportResult;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.PailChange;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.Registration;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Updated;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.spi.BlockSource;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.repository.spi.RepositoryLocator;
import dev.pail.repository.spi.RepositoryStores;
import dev.pail.repository.update.OpenStores;
import dev.pail.repository.update.RepositoryCore;
import dev.pail.repository.update.Revisions;
import dev.pail.repository.update.Signature;
import dev.pail.repository.update.ThroughBlocks;
import dev.pail.repository.update.VersionUpdates;
import dev.pail.repository.verify.RepositoryVerifier;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Pails with their history: branches with logs of their updates, and tags. A repository is in a folder
 * ({@code FileRepository} opens it), in memory ({@link #inMemory()}), or over any other {@link RefStore} and {@link RepositoryBlocks}.
 *
 * <p>Every change is an event of a {@link dev.pail.clock merkle clock}. A ref update writes the blocks, then the log, then the head, and
 * each step is durable before the next begins. The head is replaced by compare-and-set, so competing changes never overwrite each
 * other.
 *
 * <p>Readers need no lock: a {@link Snapshot} never changes. Safe for use by several threads and processes.
 *
 * <p>Methods that read throw what reading a {@link Pail} and a {@link ReplicatedPail} throws. They throw {@link dev.pail.repository.model.RepositoryException} if
 * there is no such branch, or its files are damaged. After a failed write, the next writer examines the files
 * as if the repository had just been opened, so writes succeed again when the cause is gone.
 *
 * <p>All pails that are read through {@link #blocks()} share one {@link ShardCache} of an eighth of the heap, at most 128 MiB. A second
 * cache holds the versions of the last 256 branches in use. If the root of several events was computed but cannot be stored, its
 * shards stay in memory until the repository can write again.
 *
 * <pre>{@code
 * try (Repository opened = FileRepository.init(folder, ShardFormat.v1())) { // or Repository.inMemory() in a test
 *     Updated added = opened.update("main", "add milk", before ->
 *             before.putBytes("shopping/1", "milk".getBytes(StandardCharsets.UTF_8)));
 *     Snapshot draft = opened.branches().create("draft", opened.head("main"));
 *     Updated dropped = opened.update("draft", "drop milk", before -> before.delete("shopping/1"));
 *     MergeResult merged = opened.merge("main", "draft", MergeOptions.DEFAULT); // finds the base in the history
 * }
 * }</pre>
 *
 * <pre>{@code
 * Updated updated = repository.update("main", "remove milk", before -> before.delete("shopping/1"));
 * boolean wasThere = updated.before().pail().get("shopping/1").isPresent();
 * try {
 *     Pail next = repository.update("main", "add a list", before -> before.putBytes("list", Files.readAllBytes(file))).pail();
 * } catch (NoSuchFileException e) {
 *     System.err.println("main is unchanged"); // update throws what the function throws
 * }
 * }</pre>
 */
public final class Repository implements AutoCloseable {
    /** The branch that every repository has. */
    public static final String MAIN = RefName.MAIN;

    /** How long a writer waits for other writers by default. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final RepositoryCore core;
    private final OpenStores stores;
    private final VersionUpdates versions;

    private Repository(RepositoryCore core) {
        this.core = core;
        this.stores = core.stores();
        this.versions = core.versions();
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
        return new Repository(RepositoryCore.of(refs, blocks, format));
    }

    /** Opens a repository over the stores that a {@link RepositoryLocator} found. Closing it closes them. */
    public static Repository open(RepositoryStores stores) {
        return open(stores.refs(), stores.blocks(), stores.format());
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
     * Opens a repository by its URL. A writer waits up to ten seconds for other writers. Finds the {@link RepositoryLocator} of the URL
     * among the modules of the program: a {@code file} URL names a folder, and {@code pail-jdbc} knows {@code postgresql}.
     *
     * @throws IllegalArgumentException if no module knows such a URL, or it has an unknown part
     * @throws dev.pail.repository.model.RepositoryException if there is no such repository
     * @throws StoreIOException if the store cannot be reached
     */
    public static Repository open(URI url) {
        String text = Objects.requireNonNull(url, "url").toString();
        return open(located(text).open(text, PATIENCE));
    }

    /**
     * Creates a repository in a folder.
     *
     * @deprecated for {@code FileRepository.init(folder, format)}; the next release does not have it
     */
    @Deprecated(since = "0.3.0", forRemoval = true)
    public static Repository init(Path folder, ShardFormat format) {
        String url = folder.toUri().toString();
        return open(located(url).init(url, Objects.requireNonNull(format, "format"), Set.of(Need.EVENTS), PATIENCE));
    }

    /**
     * Opens the repository in a folder.
     *
     * @deprecated for {@code FileRepository.open(folder)}; the next release does not have it
     */
    @Deprecated(since = "0.3.0", forRemoval = true)
    public static Repository open(Path folder) {
        return open(folder, PATIENCE);
    }

    /**
     * Opens the repository in a folder.
     *
     * @deprecated for {@code FileRepository.open(folder, patience)}; the next release does not have it
     */
    @Deprecated(since = "0.3.0", forRemoval = true)
    public static Repository open(Path folder, Duration patience) {
        String url = folder.toUri().toString();
        return open(located(url).open(url, Objects.requireNonNull(patience, "patience")));
    }

    private static RepositoryLocator located(String url) {
        return RepositoryLocator.find(url)
                .orElseThrow(() ->
                        new IllegalArgumentException("no module of this program knows such a URL; it has the scheme "
                                + url.substring(0, Math.max(0, url.indexOf(':')))));
    }

    /** Returns the format of new pails. */
    public ShardFormat format() {
        return stores.format();
    }

    /**
     * Returns this repository with a note: its ref updates get an author and a message in the log. If the changes make events, these have
     * them too, with the time: they are {@linkplain dev.pail.clock.Description described}, unless the repository is also for readers of
     * plain events (spec rule DE11). A note without an author and a message describes the time alone. If this repository has a time for
     * its events, it stays. Closing it closes this one.
     */
    @CheckReturnValue
    public Repository withNote(Note note) {
        return new Repository(core.with(note));
    }

    /**
     * As {@link #withNote(Note)}, with a time for the events of all changes, in whole milliseconds from 1970 on. So equal changes make
     * equal events. The log has the time of the update.
     */
    @CheckReturnValue
    public Repository withNote(Note note, Instant time) {
        return new Repository(core.with(new Signature(note, Optional.of(Objects.requireNonNull(time, "time")))));
    }

    /**
     * Returns this repository with other rules for {@link #merge}, {@link #revert} and {@link #take}. By default, it has the
     * {@link MergeRules#installed()} rules: tables are merged row by row if the program has the module {@code pail-table}, and refused if
     * not. Closing it closes this one.
     *
     * <pre>{@code
     * try (Repository repository = FileRepository.open(folder).with(MergeRules.keys())) { // without tables, even if its keys look like theirs
     *     repository.merge("main", "draft", MergeOptions.DEFAULT);
     * }
     * }</pre>
     */
    @CheckReturnValue
    public Repository with(MergeRules rules) {
        return new Repository(core.with(Objects.requireNonNull(rules, "rules")));
    }

    /**
     * Returns this repository with another place for its blocks: one that is absent or damaged here, and was not erased, is read from there, and put
     * here. So each read heals what it needs, and {@link #verify} all that it checks. Closing it closes this one, and the source.
     */
    @CheckReturnValue
    public Repository readingThrough(BlockSource source) {
        Objects.requireNonNull(source, "source");
        return new Repository(core.over(new ThroughBlocks(stores.stored(), source)));
    }

    /**
     * Returns this repository for one that sends what it has to others. Of a {@link Part}, also a block that is only looked for is read through
     * the source of {@link #readingThrough}, which throws if its remote cannot be asked (spec rule REP40). Closing it closes this one.
     *
     * @param place where this is, for messages
     * @throws dev.pail.repository.model.RepositoryException if this is a part that does not read through a source
     */
    @CheckReturnValue
    public Repository whole(String place) {
        Objects.requireNonNull(place, "place");
        Optional<Part> part = refs().part();
        if (part.isEmpty()) {
            return this;
        }
        if (stores.stored() instanceof ThroughBlocks through) {
            return new Repository(core.over(through.healing()));
        }
        throw RepositoryException.ofPart(part.get(), place);
    }

    /** Returns the branches, and the name of the current one. */
    public Branches branches() {
        return new Branches(core);
    }

    /** Returns the tags. */
    public Tags tags() {
        return new Tags(core);
    }

    /** Returns the notes of signed heads beside the branches and tags. */
    public HeadNotes headNotes() {
        return new KeptHeadNotes(core.stores().store());
    }

    /** The conflicts that merges left open. */
    public Conflicts conflicts() {
        return new Conflicts(core);
    }

    /** Returns the events of versions, and the logs of branches. */
    public VersionHistory history() {
        return new VersionHistory(core);
    }

    /** Returns the remote-tracking refs. */
    public RemoteRefs remotes() {
        return new RemoteRefs(core);
    }

    /** Returns what collects garbage, erases values and recovers branches. */
    public Maintenance maintenance() {
        return new Maintenance(core);
    }

    /** Returns the store of branches and tags, without the rules of a repository. Listeners do not get its updates. */
    public RefStore refs() {
        return stores.store();
    }

    /**
     * Checks events, shards, logs, and the values that are here: each block against its CID, and each shard and event against the rules of
     * its format. Changes nothing. Writers may work meanwhile; the check leaves out a branch that they remove.
     *
     * <p>Takes memory for each block below the heads. A problem never ends the check: the report counts all problems, and
     * {@link VerifyOptions#problems} receives each one at once.
     *
     * @throws dev.pail.repository.model.RepositoryException if the branch of the options does not exist
     * @throws StoreIOException if the branches cannot be listed
     */
    public VerifyReport verify(VerifyOptions options) {
        Objects.requireNonNull(options, "options");
        // If there is a place to heal from, the check heals.
        OpenStores checked = stores.stored() instanceof ThroughBlocks through
                ? core.over(through.healing()).stores()
                : stores;
        return new RepositoryVerifier(checked, options).run();
    }

    /** Returns the blocks of all versions. The caller must not close the store. */
    public BlockStore blocks() {
        return stores.blocks();
    }

    /**
     * Returns the blocks of all versions, for blocks that come from another repository: a put leaves out those that were erased here, where
     * a put to {@link #blocks} throws. The caller must not close the store.
     */
    public BlockStore arrivals() {
        return new ArrivingBlocks(stores.blocks());
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
        return stores.snapshots().root(branch);
    }

    /**
     * Returns the newest events of a branch: none, if nothing was put into it yet. Reads neither the events nor their shards.
     *
     * @throws dev.pail.repository.model.RepositoryException if there is no such branch, or its files are damaged
     * @throws StoreIOException if its files cannot be read
     */
    public Head head(String branch) {
        return stores.refs().branch(branch).head();
    }

    /**
     * Returns the head of a branch, with its version. The snapshot reads the version on first use, so a branch can still be moved if its
     * newest event or shard is missing.
     *
     * @throws dev.pail.repository.model.RepositoryException if there is no such branch, or its files are damaged
     * @throws StoreIOException if its files cannot be read
     */
    public Snapshot snapshot(String branch) {
        return stores.snapshots().of(branch);
    }

    /**
     * Returns the version of a head; for an empty head, the empty pail of the repository's format.
     *
     * @throws MissingBlockException if a needed event or shard is missing
     */
    public Pail pailAt(Head head) {
        return stores.snapshots().pail(Objects.requireNonNull(head, "head"));
    }

    /** Returns the head of a branch as a replica, to merge with other replicas. Its changes store events, but move no branch. */
    public ReplicatedPail replica(String branch) {
        return stores.snapshots().replica(stores.refs().branch(branch).head());
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
     * <p>An interrupt of this thread ends the update, unless the branch has already moved (spec rule REP34). Updates of a branch by several
     * threads are committed together, and each is made from the one before (spec rule REP42). If the function takes long, the others
     * do not wait for it.
     *
     * @param reason a line of text for the log, which keeps its first 1,000 characters
     * @return the branch before and after the update
     * @throws IllegalArgumentException if the function did not make its version from the given one. Nothing has changed
     * @throws IllegalStateException if changes would be lost: those of a version that the function derived and did not return, or of a
     *     batch that it did not commit. Nothing has changed
     * @throws OperationInterruptedException if this thread is interrupted. Nothing has changed
     * @throws MissingBlockException if a block that is needed to compare the versions is missing. Nothing has changed
     * @throws MalformedBlockException if a shard breaks a rule, or a few shards make more keys than a reader can list (spec rule X7).
     *     Nothing has changed
     * @throws LimitException if there are several events, and a version between them has no room for a key: neither in the format
     *     before the update nor in that of the new version. Nothing has changed
     * @throws StoreLockedException if another writer holds the lock for longer than the patience. Nothing has changed
     * @throws StoreIOException if writing failed. Nothing has changed
     * @throws dev.pail.repository.model.HeadUpdateUncertainException if it is unknown whether the branch has moved
     */
    public <E extends Exception> Updated update(String branch, String reason, PailChange<E> change) throws E {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(change, "change");
        return versions.update(branch, reason, change);
    }

    /** As {@link #update(String, String, PailChange)}, with a reason that names the changed keys in a few words. */
    public <E extends Exception> Updated update(String branch, PailChange<E> change) throws E {
        Objects.requireNonNull(change, "change");
        return versions.update(branch, null, change);
    }

    /**
     * As {@link #update(String, String, PailChange)}, if the branch is still as it was seen. Another writer is then never overtaken: the
     * function is called once.
     *
     * <pre>{@code
     * Snapshot seen = repository.snapshot("main");
     * try {
     *     Snapshot now = repository.update(seen, "drop the draft", pail -> pail.delete("draft")).after();
     * } catch (HeadMovedException e) {
     *     System.err.println("changed meanwhile"); // the branch stays as it is
     * }
     * }</pre>
     *
     * @throws dev.pail.repository.model.HeadMovedException if the branch has moved since. Nothing has changed
     */
    public <E extends Exception> Updated update(Snapshot expected, String reason, PailChange<E> change) throws E {
        Objects.requireNonNull(expected, "expected");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(change, "change");
        return versions.update(expected, reason, change);
    }

    /** As {@link #update(Snapshot, String, PailChange)}, with a reason that names the changed keys in a few words. */
    public <E extends Exception> Updated update(Snapshot expected, PailChange<E> change) throws E {
        Objects.requireNonNull(expected, "expected");
        Objects.requireNonNull(change, "change");
        return versions.update(expected, null, change);
    }

    /**
     * As {@link #update(String, String, PailChange)}, but the function may return any version, of any format and origin. The update then
     * discards the changes that other writers made since that version.
     *
     * @throws dev.pail.repository.model.RepositoryException if a block of the version is not in the repository. Nothing has changed
     */
    public <E extends Exception> Updated replace(String branch, String reason, PailChange<E> change) throws E {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(change, "change");
        return versions.replace(branch, reason, change);
    }

    /**
     * Moves a branch to a new history, which begins with the version that a function makes. Its entries become puts, in one event or
     * several; a version without entries has no event. The old events are not in the new history, so replicas that have them cannot
     * merge it. The log keeps them, and {@link #undo} returns to them.
     *
     * @param change may make a version of another format
     * @return the branch before and after the update
     */
    public <E extends Exception> Updated startHistory(String branch, String reason, PailChange<E> change) throws E {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(change, "change");
        return versions.startHistory(branch, reason, change);
    }

    /**
     * Changes a branch as {@link #update(String, String, PailChange)} does, but by a function of the replicated pail. The branch moves to the
     * head of its result, with all events that it made or merged. To merge another branch, use {@link #merge}.
     *
     * @return the branch after the update
     */
    public ReplicatedPail change(String branch, String reason, UnaryOperator<ReplicatedPail> change) {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(change, "change");
        return versions.change(branch, reason, change);
    }

    /**
     * Moves a branch to any head, for example an earlier or an imported one. All events that the new head holds must be there, with
     * all shards of their versions. The new head leaves out an event that another of its events follows (spec rule M8). The events of the
     * old head are not read, and may be missing (REP18).
     *
     * @param expected the branch as the caller has read it
     * @param reason a line of text for the log, which keeps its first 1,000 characters
     * @return the branch after the update
     * @throws dev.pail.repository.model.HeadMovedException if the branch has moved meanwhile
     * @throws MissingBlockException if an event or a shard is missing. Nothing has changed
     * @throws LimitException if the new head has more than 1,000 events. Nothing has changed
     */
    public Snapshot move(Snapshot expected, Head next, String reason) {
        Objects.requireNonNull(reason, "reason");
        return core.updates().move(expected, next, reason);
    }

    /**
     * Moves a branch back to its head before its last moves (spec rule REP22). Each further undo moves it further back; {@link #redo}
     * reverses an undo.
     *
     * @param expected the branch as the caller has read it
     * @param steps the number of moves to undo; moves by undo and redo do not count
     * @throws dev.pail.repository.model.RepositoryException if the log has fewer moves, or they lead to the current head. Nothing has changed
     * @throws dev.pail.repository.model.HeadMovedException if the branch has moved meanwhile
     */
    public Snapshot undo(Snapshot expected, int steps) {
        return versions.step(VersionUpdates.Step.UNDO, Objects.requireNonNull(expected, "expected"), steps);
    }

    /**
     * Moves a branch forward to its head before the last undos (spec rule REP23). Any other move of the branch ends that.
     *
     * @param expected the branch as the caller has read it
     * @param steps the number of undone moves to make again
     * @throws dev.pail.repository.model.RepositoryException if fewer moves were undone, or they lead to the current head. Nothing has changed
     * @throws dev.pail.repository.model.HeadMovedException if the branch has moved meanwhile
     */
    public Snapshot redo(Snapshot expected, int steps) {
        return versions.step(VersionUpdates.Step.REDO, Objects.requireNonNull(expected, "expected"), steps);
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
     * @throws dev.pail.repository.model.RepositoryException if the revision names nothing, or a version without a history and the options have no base; or if the
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
        Revision found = resolve(revision.startsWith("@") ? branch + revision : revision);
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
        return new Merges(core).merge(branch, revision, Objects.requireNonNull(options, "options"));
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
     * @throws dev.pail.repository.model.ImportException if blocks are corrupt, or the CAR does not fit the branch. No branch has changed
     * @throws MalformedDataException if it is no CAR, or is truncated. No branch has changed
     * @throws MissingBlockException if an event or a shard is neither in the CAR nor here. No branch has changed
     * @throws UnrelatedHistoriesException if the histories have no common event, and the options refuse that. No branch has changed
     * @throws NoMergeRulesException as {@link #merge(String, String, MergeOptions)}. No branch has changed
     * @throws dev.pail.repository.model.RepositoryException if the branch is absent and cannot have this name. Nothing has changed
     */
    public ImportResult take(String branch, CarReader car, ImportOptions options) {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(car, "car");
        Objects.requireNonNull(options, "options");
        return new Imports(core).take(branch, car, options);
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
     * @throws dev.pail.repository.model.RepositoryException if there is no such branch, or it does not hold the event; or if the event may be one of several events
     *     of a change, and the log does not tell. Nothing has changed
     * @throws MergeConflictException if a key was changed since, and the policy is to fail. Nothing has changed
     * @throws NoMergeRulesException as {@link #merge(String, String, MergeOptions)}. Nothing has changed
     */
    public MergeResult revert(String branch, Cid event, MergePolicy policy) {
        Objects.requireNonNull(event, "event");
        return new Merges(core).revert(branch, event, Objects.requireNonNull(policy, "policy"));
    }

    /**
     * Makes changes of another branch again on this one, each with its author, message and time. A change that has no effect here makes no event.
     *
     * <pre>{@code
     * Cid fix = repository.head("draft").events().get(0);
     * MergeResult result = repository.cherryPick("main", List.of(fix), MergePolicy.fail());
     * }</pre>
     *
     * @param changes the last event of each change, in the order in which they are made
     * @param policy for keys that this branch and a change have in different ways
     * @throws dev.pail.repository.model.RepositoryException if there is no such branch
     * @throws MergeConflictException if there are such keys, and the policy is to fail. Nothing has changed
     */
    public MergeResult cherryPick(String branch, List<Cid> changes, MergePolicy policy) {
        return new Merges(core).cherryPick(branch, List.copyOf(changes), Objects.requireNonNull(policy, "policy"));
    }

    /**
     * Moves a branch to another head, and makes the changes that only this branch has again behind it, as {@link #cherryPick} does.
     * The history is then one line. The events of before are in the log of the branch alone: other copies that have them merge them as changes
     * of their own, so rebase what no one else has.
     *
     * @throws MergeConflictException as {@link #cherryPick}
     */
    public MergeResult rebase(String branch, Revision onto, MergePolicy policy) {
        return new Merges(core).rebase(branch, onto, Objects.requireNonNull(policy, "policy"));
    }

    /**
     * Finds the version that a text names. The first of these that matches:
     *
     * <ol>
     *   <li>{@code BRANCH@{N}}: the branch before its last N moves; {@code @{N}}: the current branch. The braces may be left out
     *   <li>{@code BRANCH@{TIME}}: the branch at a time, by its log (spec rule REP27); {@code @{TIME}}: the current branch. A time is a
     *       date ({@code 2026-11-20}), a date with a time of day ({@code 2026-11-20 14:30}), {@code today}, {@code yesterday}, or
     *       {@code 2 hours ago}. A day means its end, and so do a minute and a second. The braces may be left out:
     *       {@code main@yesterday}
     *   <li>{@code REV~N}: the version N changes before the version REV; {@code REV~} is {@code REV~1}. A change of several events counts
     *       once. Before the first change, it is the empty version
     *   <li>the name of a branch, of a tag, or of a remote-tracking ref
     *   <li>{@code HEAD}: the current branch
     *   <li>the CID of an event in the store
     *   <li>the root of an event that a branch or a log reaches; of several, one near the head of the current branch
     *   <li>the CID of any other root shard in the store: then it has no head
     *   <li>the first characters, at least four, of the CID of an event that a branch or a log reaches, if only one CID has them
     * </ol>
     *
     * @throws dev.pail.repository.model.RepositoryException if it names nothing, or several events, or a change before {@code REV~N} has several
     *     parents: the message lists them
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
        return new Revisions(stores, text, Objects.requireNonNull(zone, "zone"));
    }

    /**
     * Finds the head of the version that a text names, if it has one. Reads names as {@link #resolve} does, but reads no shard of the
     * version, and merges no events.
     *
     * @throws dev.pail.repository.model.RepositoryException if it names nothing, or several events: the message lists them
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
        return core.updates().listen(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Returns the ref updates of a branch from now on, by any process. The first token names the current generation and head.
     *
     * @throws dev.pail.repository.model.RepositoryException if there is no such branch, or its files are damaged
     */
    public ChangeFeed changes(String branch) {
        return ChangeFeed.fromNow(stores.snapshots(), stores.refs(), Objects.requireNonNull(branch, "branch"));
    }

    /**
     * Returns the ref updates of a branch after a generation; after 0, all of them. Only a token can tell whether the branch still has the
     * same update of that generation.
     *
     * @param fromGeneration from 0 to the generation of the branch
     * @throws dev.pail.repository.model.RepositoryException as {@link #changes(String, String)}
     */
    public ChangeFeed changes(String branch, long fromGeneration) {
        Objects.requireNonNull(branch, "branch");
        if (fromGeneration < 0) {
            throw new IllegalArgumentException("a generation is 0 or more, not " + fromGeneration);
        }
        return ChangeFeed.after(stores.snapshots(), stores.refs(), branch, fromGeneration);
    }

    /**
     * Returns the ref updates of a branch after the one that a token names. If the branch was removed since, it has those before the removal.
     *
     * @param token from {@link ChangeFeed#token}, in any process
     * @throws dev.pail.repository.model.RepositoryException if there never was such a branch or its files are damaged; if this is no token, or the branch has no
     *     such update; or if a garbage collection has removed the changes of the next update
     */
    public ChangeFeed changes(String branch, String token) {
        Objects.requireNonNull(branch, "branch");
        return ChangeFeed.after(stores.snapshots(), stores.refs(), branch, Objects.requireNonNull(token, "token"));
    }

    /**
     * Closes the stores of refs and of blocks. From then on, each method that reads or changes the repository, and each store that it
     * returned, throws an {@link IllegalStateException} that says what is closed. A pail or a snapshot that was read before may still
     * answer from cached shards; if it needs a block, it throws the same. May be called twice.
     */
    @Override
    public void close() {
        RefStore refs = stores.store();
        try (refs) {
            stores.blocks().close();
        }
    }
}
