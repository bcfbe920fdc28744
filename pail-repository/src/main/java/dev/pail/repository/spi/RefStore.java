package dev.pail.repository.spi;

import dev.pail.EntryCounts;
import dev.pail.Escapes;
import dev.pail.clock.ConflictCache;
import dev.pail.clock.Head;
import dev.pail.clock.HistoryTrees;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import dev.pail.sign.HeadNote;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The refs of a repository: branches and their logs, tags, remote-tracking refs, the name of the current branch, and the epoch of the
 * garbage collector. A ref is updated by compare-and-set. The update wins, or it loses and changes nothing
 * ({@link dev.pail.repository.model.RefChangedException}), or its outcome is unknown ({@link dev.pail.repository.model.HeadUpdateUncertainException}). The contract:
 *
 * <ol>
 *   <li>After an update returned, each read in each process sees it, until a later update.
 *   <li>{@code move} puts the branch at the next head, gives it the next generation and adds a log entry: all of it, or nothing.
 *   <li>{@code move}, {@code create}, {@code remove} and {@code confirm} throw {@link dev.pail.repository.model.RefChangedException} if the branch is no longer in
 *       the expected state. So do {@code tag}, {@code tracking} and {@code headNotes} for theirs. {@code removeTag} and {@code current} may throw it if
 *       another writer changes the same ref meanwhile.
 *   <li>{@code move}, {@code create}, {@code tag} and {@code tracking} throw {@link dev.pail.repository.model.RefChangedException} if the epoch is no longer the one seen.
 *   <li>When a method of {@link Update} returns, its change is as durable as the store makes it. In a store with transactions, this holds
 *       when {@code update} returns: then all of the update happened, or nothing.
 *   <li>After {@link dev.pail.repository.model.HeadUpdateUncertainException} the update happened whole, or not at all: {@code branch} tells which.
 *   <li>A log entry is never removed and its generation never given to another. The log of a removed branch stays, and a new branch of
 *       this name continues it.
 *   <li>A log lists the entries from a head, which may be an older one, back to the first entry. Each entry leads to the head from which
 *       the next newer one comes.
 *   <li>{@code epoch} of an update throws {@link dev.pail.repository.model.RefChangedException} if the epoch is not the one expected.
 *   <li>Names are listed in order, each once. A branch, tag or remote-tracking ref that was never made is absent, and no error.
 *   <li>All methods may be called by several threads at once.
 *   <li>If {@code isExclusive}, no other writer changes a ref, in this process or another, while an update is under way.
 *   <li>After {@code close}, which may be called twice, all methods that read or update refs throw {@link IllegalStateException}, which
 *       says what is closed.
 *   <li>{@code await} of a watch returns after the given time at the latest, or when the watch is closed, also by another thread.
 * </ol>
 *
 * <p>A store does not check the rules of names: the repository does.
 *
 * <pre>{@code
 * RefStore refs = repository.refs();
 * BranchState seen = refs.branch("main");
 * Epoch epoch = refs.epoch(); // read before looking whether the blocks of the next head are there
 * LogEntry entry = refs.update(update -> update.move(seen, repository.head("draft"), "take the draft", epoch));
 * }</pre>
 */
public interface RefStore extends AutoCloseable {
    /** The names of all branches. */
    List<String> branches();

    /** Returns the names of all branches that have a log, removed ones included. */
    List<String> logs();

    /**
     * Returns the state of a branch; if there is no such branch, a state that is not present.
     *
     * @throws RepositoryException if no branch can have this name, or its stored form is damaged
     */
    BranchState branch(String name);

    /** Returns the updates that led to a head, newest first. Reads nothing yet. */
    RefLog log(String branch, Head head, long generation);

    /** The updates that led to a state, newest first. */
    default RefLog log(BranchState state) {
        return log(state.name(), state.head(), state.generation());
    }

    /** The names of all tags. */
    List<String> tags();

    /**
     * Returns the names of branches, logs and tags that match a condition; a name may come several times. A store with many branches
     * should apply the condition before it reads more than names.
     */
    default List<String> names(Predicate<String> condition) {
        Objects.requireNonNull(condition, "condition");
        return Stream.of(branches(), logs(), tags())
                .flatMap(List::stream)
                .filter(condition)
                .toList();
    }

    /** Returns the head that a tag names, if there is such a tag. */
    Optional<Head> tag(String name);

    /** The names of all remote-tracking refs, as {@link Tracking#isName} has them. */
    List<String> trackings();

    /** Returns a remote-tracking ref: the head of a remote branch at the last exchange, if there was one. */
    Optional<Tracking> tracking(String name);

    /** Returns the names of the branches and tags with notes of signed heads, in order. By default, the store keeps none. */
    default List<String> notedNames() {
        return List.of();
    }

    /**
     * Returns the notes of signed heads beside a branch or a tag, in the order of their keys (spec rule SN13). By default none.
     *
     * @throws RepositoryException if their stored form is damaged
     */
    default List<HeadNote> headNotes(String name) {
        Objects.requireNonNull(name, "name");
        return List.of();
    }

    /** The name of the current branch. */
    String current();

    /** Returns the epoch, or {@link Epoch#UNKNOWN} if its stored form is damaged. */
    Epoch epoch();

    /**
     * Returns the epoch, for reports.
     *
     * @throws RepositoryException if its stored form is damaged
     */
    default Epoch wholeEpoch() {
        return epoch();
    }

    /**
     * Returns what the readers of this store must understand. By default, these are described events: updates with a note
     * make them. A store that older programs read as well returns less.
     */
    default Set<Need> needs() {
        return Set.of(Need.EVENTS);
    }

    /** Returns what this part of a repository has, and which remote has the rest; empty if it is no part, as by default. */
    default Optional<Part> part() {
        return Optional.empty();
    }

    /**
     * Allows described events (spec rule DE11): from then on, {@link #needs} has {@link Need#EVENTS}. Does nothing if it has it.
     *
     * @throws RepositoryException if the store cannot change its needs
     */
    default void describeEvents() {
        if (!needs().contains(Need.EVENTS)) {
            throw new RepositoryException(
                    RepositoryException.Reason.NOT_UNDERSTOOD,
                    "this repository cannot be changed to take described events: " + location(),
                    "copy it into a new repository",
                    null);
        }
    }

    /** Returns a cache of the open conflicts of heads; by default, one in memory. A repository asks once. */
    default ConflictCache conflictCache() {
        return new RecentConflicts();
    }

    /** Returns what remembers the numbers of entries below shards; by default, in memory. A repository asks once. */
    default EntryCounts entryCounts() {
        return new RecentCounts();
    }

    /**
     * Returns the trees of the described events that are made here (spec rule DE10); by default, events get none. If the store keeps them, a
     * program that starts need not walk the history before its first event.
     */
    default HistoryTrees historyTrees() {
        return HistoryTrees.none();
    }

    /** Returns the cache of the roots of merged heads; by default, there is none. */
    default DerivedRoots derivedRoots() {
        return DerivedRoots.NONE;
    }

    /** Returns the current time, by the clock of log entries. */
    Instant now();

    /**
     * Returns a watch that wakes a reader when a branch may have moved. The caller closes it. By default, it wakes the reader by time alone.
     * If a store gets notice of moves, by other processes too, its watch ends the wait then.
     */
    default Watch watch(String branch) {
        Objects.requireNonNull(branch, "branch");
        return new LocalWatch(watch -> {});
    }

    /**
     * Checks that no ref and no entry of a log was lost, as far as the store can tell. By default, the store cannot tell.
     *
     * @throws RepositoryException if some are missing
     */
    default void checkWhole() {}

    /**
     * Checks by a request of its own that the store excludes competing writers as it should. By default, the store is trusted.
     *
     * @throws RepositoryException if it does not
     */
    default void probe() {}

    /**
     * Returns the random id that the repository got when it was made, by which a copy or a mirror is known again. Empty if the store keeps
     * none, or an older version has made the repository.
     */
    default Optional<String> repositoryId() {
        return Optional.empty();
    }

    /** Returns the place of the refs, for messages: a folder, a database. */
    String location();

    /**
     * Makes the exception for a missing main branch, which every repository has.
     *
     * @param branch its name
     */
    default RepositoryException missing(String branch) {
        Objects.requireNonNull(branch, "branch");
        return new RepositoryException(
                RepositoryException.Reason.DAMAGED,
                "the head is missing: " + branch + " in " + location(),
                "restore the refs from a copy of the repository",
                null);
    }

    /**
     * Returns the events that stray files among the refs name, such as the copies that a sync tool leaves. The collector keeps those
     * that are there.
     */
    default Set<Cid> strayEvents() {
        return Set.of();
    }

    /** Whether a state is known to be durable. Always true in a store whose reads show only durable states. */
    boolean isDurable(BranchState state);

    /**
     * Refuses further writes after one that failed with an unknown outcome.
     *
     * @throws dev.pail.StoreIOException if there was such a write
     */
    void checkWritable();

    /**
     * Whether no other writer changes refs while an update is under way: the store holds a lock for the whole update. Garbage
     * collection needs that, and refuses any other store. By default false: then writers compete, and each method of {@link Update} is
     * a compare-and-set by itself.
     */
    default boolean isExclusive() {
        return false;
    }

    /**
     * Runs an update of refs. If {@link #isExclusive}, one update at a time is under way, and the action begins no other.
     *
     * @throws dev.pail.StoreLockedException if another writer holds the lock for too long, or this thread does
     */
    <T> T update(Function<Update, T> action);

    /** Returns turns for a writer that changes refs again and again, and leaves time for other writers in between. */
    default Turns turns() {
        return this::update;
    }

    @Override
    void close();

    /** The methods that change refs. For use within {@link RefStore#update} only. */
    interface Update {
        /** The reason of the log entry of a branch that was removed. Readers of the branch know its end by it (rule REP30). */
        String REMOVED = "remove the branch";

        /**
         * Moves a branch, which need not be present.
         *
         * @param reason a line of text for the log
         * @param note the author and the message for the log
         * @param seen the epoch at which the writer checked the blocks below the next head
         * @return the new log entry
         */
        LogEntry move(BranchState expected, Head next, String reason, Note note, Epoch seen);

        /** Moves a branch without a note. */
        default LogEntry move(BranchState expected, Head next, String reason, Epoch seen) {
            return move(expected, next, reason, Note.NONE, seen);
        }

        /** Creates a branch without events: one that is absent, and whose log leads to no event. */
        void create(BranchState absent, Epoch seen);

        /** Makes a state durable that another writer has left. */
        void confirm(BranchState expected);

        /**
         * Moves a branch to the empty head, and removes it. Its log stays.
         *
         * @param moved receives the log entry of that move, unless the branch had no events
         */
        void remove(BranchState expected, Consumer<LogEntry> moved);

        /**
         * As {@link #remove(BranchState, Consumer)}, with a line of text for the log. By default, the store gives its own.
         *
         * @param reason why the branch is removed
         */
        default void remove(BranchState expected, String reason, Consumer<LogEntry> moved) {
            Objects.requireNonNull(reason, "reason");
            remove(expected, moved);
        }

        /** Makes a tag, or removes it if {@code next} is empty. */
        void tag(String name, Optional<Head> expected, Optional<Head> next, Epoch seen);

        /** Removes a tag, even if its stored form is damaged or it is not a tag at all. */
        void removeTag(String name);

        /**
         * Updates a remote-tracking ref, or removes it if {@code next} is empty.
         *
         * @param seen the epoch at which the writer checked the blocks below the head
         */
        void tracking(String name, Optional<Tracking> expected, Optional<Tracking> next, Epoch seen);

        /**
         * Replaces the notes of signed heads beside a branch or a tag. The default refuses.
         *
         * @param next in the order of their keys
         */
        default void headNotes(String name, List<HeadNote> expected, List<HeadNote> next) {
            Objects.requireNonNull(expected, "expected");
            Objects.requireNonNull(next, "next");
            throw new RepositoryException(
                    RepositoryException.Reason.NOT_UNDERSTOOD,
                    "this store of refs keeps no signed heads, and has none of " + Escapes.brief(name),
                    "keep the note as a file",
                    null);
        }

        /** Makes a branch the current one. */
        void current(String branch);

        /**
         * Removes a stray file among the branches.
         *
         * @return whether there was one of this name
         */
        default boolean removeStray(String name) {
            Objects.requireNonNull(name, "name");
            return false;
        }

        /**
         * Recovers a damaged branch (spec rule REP20).
         *
         * @param isThere whether an event is in the block store
         * @return the damage; empty if there was none
         */
        default Optional<RepositoryException> recover(String branch, Predicate<Cid> isThere) {
            Objects.requireNonNull(branch, "branch");
            Objects.requireNonNull(isThere, "isThere");
            return Optional.empty();
        }

        /** Raises the epoch. */
        void epoch(Epoch expected, Epoch next);

        /**
         * Runs an action when all changes so far are durable, and before another writer of this process changes refs. In a store with
         * transactions, never runs it if the update fails. By default, runs it at once, since each method is durable when it returns.
         */
        default void whenDurable(Runnable action) {
            action.run();
        }
    }

    /** Lets one reader wait until a branch may have moved. Any thread may close it. */
    interface Watch extends AutoCloseable {
        /**
         * Waits until the branch may have moved since the last call returned, or this is closed. Waits for a second at most, unless the
         * store gets notice of every move.
         *
         * @param atMost the longest time to wait
         * @return false, if the branch has not moved
         */
        boolean await(Duration atMost) throws InterruptedException;

        /** Ends a wait; further ones end at once. May be called twice. */
        @Override
        void close();
    }

    /** Takes turns with other writers. */
    @FunctionalInterface
    interface Turns {
        /** As {@link RefStore#update}. */
        <T> T holding(Function<Update, T> action);

        /** Whether other writers should have a turn now. */
        default boolean isOver() {
            return true;
        }
    }
}
