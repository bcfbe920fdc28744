package dev.pail.repository;

import dev.pail.Escapes;
import dev.pail.MissingBlockException;
import dev.pail.clock.Head;
import dev.pail.repository.history.EventOrigins;
import dev.pail.repository.history.EventWalk;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.update.OpenStores;
import dev.pail.repository.update.RepositoryCore;
import dev.pail.repository.update.RevisionTime;
import dev.pail.repository.update.Revisions;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The events that lead to the versions of a repository, and the logs of its branches. Events are in every copy of a history, and logs stay
 * in the repository that moved its branches. Safe for use by several threads.
 *
 * <pre>{@code
 * try (Stream<HistoryEntry> changes = repository.history().of("main", "photos/1.jpg")) {
 *     changes.limit(10).forEach(System.out::println);
 * }
 * }</pre>
 */
public final class VersionHistory {
    private final OpenStores stores;
    private final Refs refs;

    VersionHistory(RepositoryCore core) {
        this.stores = core.stores();
        this.refs = stores.refs();
    }

    /**
     * Returns the events that lead to a version, newest first: each before those that it follows. Lazy: the stream reads events as it
     * reaches them. Before it lists concurrent events, it reads all of them, back to the event where they parted. Holds no file open. For
     * one thread at a time.
     *
     * @param revision names the version, as for {@link Repository#resolve}; reads no shard of it
     * @throws RepositoryException if it names nothing, or a root that is in no history
     * @throws MissingBlockException from the stream, if an event is missing
     */
    public Stream<HistoryEntry> of(String revision) {
        return of(headOf(revision), EventWalk.ALL);
    }

    /**
     * Returns the events that lead to a version and change a key, newest first. After concurrent changes, the version need not have the
     * value of the first entry: the order of the events decides.
     *
     * @throws RepositoryException as {@link #of(String)}
     */
    public Stream<HistoryEntry> of(String revision, String key) {
        Objects.requireNonNull(key, "key");
        return of(headOf(revision), key::equals);
    }

    /** As {@link #of(String)}, for a head. */
    public Stream<HistoryEntry> of(Head head) {
        return of(head, EventWalk.ALL);
    }

    /** As {@link #of(String, String)}, for a head and all keys that match. */
    public Stream<HistoryEntry> of(Head head, Predicate<String> keys) {
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(keys, "keys");
        return stores.histories().events(head).entries(new EventOrigins(refs), keys);
    }

    private Head headOf(String revision) {
        return new Revisions(stores, Objects.requireNonNull(revision, "revision"), ZoneId.systemDefault())
                .findHead()
                .orElseThrow(() -> new RepositoryException(
                        RepositoryException.Reason.NO_VERSION,
                        "a root without a history: " + revision,
                        "name a branch or an event",
                        null));
    }

    /**
     * Returns the first moment of a time that a text names, as in {@code main@{TIME}} of {@link Repository#resolve}: the begin of a day, a
     * minute or a second.
     *
     * @param zone of dates and times that name none
     * @throws RepositoryException if the text is not a time
     */
    public static Instant beginOf(String time, Instant now, ZoneId zone) {
        return read(time, now, zone).begin();
    }

    /** Returns the first moment behind a time that a text names, else as {@link #beginOf}. */
    public static Instant endOf(String time, Instant now, ZoneId zone) {
        return read(time, now, zone).end();
    }

    private static RevisionTime read(String time, Instant now, ZoneId zone) {
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(now, "now");
        return RevisionTime.of(time, now, Objects.requireNonNull(zone, "zone"))
                .orElseThrow(() -> new RepositoryException(
                        RepositoryException.Reason.NAME, "not a time: " + Escapes.brief(time), Revisions.TIMES, null));
    }

    /**
     * Returns the log of a branch, newest entry first, as of now. Lazy; close the stream, since it may hold a file open.
     *
     * @throws RepositoryException if there is no such branch; also from the stream, at a damaged line
     */
    public Stream<LogEntry> log(String branch) {
        return refs.store().log(refs.branch(branch)).stream();
    }

    /**
     * Returns the author and the message of a ref update: those of its log entry. If a push has none, they are those of the description of its
     * newest event.
     */
    public Note note(LogEntry entry) {
        return stores.histories().note(entry);
    }

    /**
     * Returns the log of a branch as {@link #log} does, even if the branch was removed. The removal is then its newest entry.
     *
     * @throws RepositoryException if there never was such a branch; also from the stream, at a damaged line
     */
    public Stream<LogEntry> logEvenIfRemoved(String branch) {
        return refs.log(branch).stream();
    }
}
