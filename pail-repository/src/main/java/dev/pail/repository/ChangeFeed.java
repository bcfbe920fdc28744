package dev.pail.repository;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.Escapes;
import dev.pail.KeyChange;
import dev.pail.KeyRange;
import dev.pail.MissingBlockException;
import dev.pail.PailDiff;
import dev.pail.clock.Head;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefToken;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.refs.Removal;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.update.Snapshots;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The ref updates of a branch by any process, oldest first, each once (spec rules REP29 and REP30). A reader stores the
 * {@link #token} of the last update that it has processed, and resumes behind it after a restart.
 *
 * <p>If the ref store gets notice of updates, as a folder does on most systems, it wakes a waiting reader. If it may miss one, the
 * reader polls once a second. A feed takes memory for at most 128 updates, and little for each further 128 that are due. For one
 * reader; any thread may call {@link #close}, which ends a wait.
 *
 * <p>All methods that read throw {@link RepositoryException} if files are damaged. The reason is
 * {@link RepositoryException.Reason#TOKEN} if the branch no longer has the last update that was given: its log was replaced, or a loss of
 * power has undone the update. The feed then stays at its place. The changes of an update stay readable for as long as its versions:
 * those in the history of a branch or tag always, all others for the retention of garbage collections.
 *
 * <p>If the branch is removed or renamed, the feed ends with the reason {@link RepositoryException.Reason#NO_BRANCH}, whose sentence has the
 * new name. The removal is an update only if a new branch of the same name has an update, too.
 *
 * <pre>{@code
 * String last = repository.changes("main").token(); // from now on
 * try (ChangeFeed feed = repository.changes("main", last)) {
 *     for (Optional<ChangeFeed.Update> next = feed.next(); next.isPresent(); next = feed.next()) {
 *         next.get().keys().forEach(change -> System.out.println(change.kind() + " " + change.key()));
 *         last = next.get().token(); // store it with what was made of the changes
 *     }
 * }
 * }</pre>
 */
public final class ChangeFeed implements AutoCloseable {
    private static final Duration LONG = Duration.ofDays(1);

    private static final int PAGE = 128;

    /** Where a page of updates ends. */
    private record End(long generation, Head head) {}

    private final Snapshots versions;
    private final Refs refs;
    private final String branch;

    /** The next updates, newest first. */
    private Deque<LogEntry> page = new ArrayDeque<>();

    /** Where the pages behind that end, oldest first. */
    private Deque<End> ends = new ArrayDeque<>();

    /** The generation of the last update that was given, or of the one where the feed began. */
    private long generation;

    /** Its token; null before it is known which update that is. */
    private @Nullable String token;

    /** The head that it led to; null before that is known. */
    private @Nullable Head head;

    private volatile boolean closed;

    @GuardedBy("this")
    private RefStore.@Nullable Watch watch;

    /** A ref update of a branch. Immutable and safe for use by several threads. */
    public final class Update {
        private final LogEntry entry;
        private final String token;

        private Update(LogEntry entry) {
            this.entry = entry;
            this.token = RefToken.of(branch, entry.generation(), entry.to()).toString();
        }

        /** Returns its log entry. */
        public LogEntry entry() {
            return entry;
        }

        /** Returns its author and its message, as {@link VersionHistory#note} does. */
        public Note note() {
            return versions.note(entry);
        }

        /** Returns a token for this update: a feed that begins with it continues with the next update. */
        public String token() {
            return token;
        }

        /** Returns the keys that it changed, in order. Lazy, as {@link PailDiff#keys} is; may be called again. */
        public Stream<KeyChange> keys() {
            return keys(KeyRange.all());
        }

        /**
         * As {@link #keys()}, for the keys in a range.
         *
         * @throws RepositoryException with {@link RepositoryException.Reason#EXPIRED}, also from the stream, if a missing block may have
         *     been collected as garbage
         * @throws MissingBlockException if another block is missing; also from the stream
         */
        public Stream<KeyChange> keys(KeyRange range) {
            Objects.requireNonNull(range, "range");
            Iterator<KeyChange> changes = read(() -> diff(range).keys().iterator());
            Spliterator<KeyChange> all =
                    new Spliterators.AbstractSpliterator<>(
                            Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL) {
                        @Override
                        public boolean tryAdvance(Consumer<? super KeyChange> action) {
                            Optional<KeyChange> next =
                                    read(() -> changes.hasNext() ? Optional.of(changes.next()) : Optional.empty());
                            next.ifPresent(action);
                            return next.isPresent();
                        }
                    };
            return StreamSupport.stream(all, false);
        }

        private PailDiff diff(KeyRange range) {
            return versions.pail(entry.from()).diff(versions.pail(entry.to()), range);
        }

        private <T> T read(Supplier<T> reading) {
            try {
                return reading.get();
            } catch (MissingBlockException e) {
                Epoch epoch = refs.epochIfReadable();
                if (epoch.equals(Epoch.UNKNOWN) || !entry.time().isBefore(epoch.logsKeptSince())) {
                    throw e;
                }
                throw new RepositoryException(
                        RepositoryException.Reason.EXPIRED,
                        "what update " + entry.generation() + " of " + branch + " changed is gone: it is of "
                                + entry.time() + ", and a garbage collection has kept log entries since "
                                + epoch.logsKeptSince() + " only; block " + e.cid() + " is missing: "
                                + refs.store().location(),
                        again(),
                        e);
            }
        }

        /** The entry of the log. */
        @Override
        public String toString() {
            return entry.toString();
        }
    }

    private ChangeFeed(Snapshots versions, Refs refs, String branch, long generation, @Nullable String token) {
        this.versions = versions;
        this.refs = refs;
        this.branch = branch;
        this.generation = generation;
        this.token = token;
    }

    /** The updates after where a branch stands now. */
    static ChangeFeed fromNow(Snapshots versions, Refs refs, String branch) {
        BranchState now = refs.logged(branch);
        ChangeFeed feed = new ChangeFeed(versions, refs, branch, now.generation(), null);
        feed.checkFits(now.generation(), now.head());
        feed.checkPresent(now);
        return feed;
    }

    /** The updates after one of a generation. */
    static ChangeFeed after(Snapshots versions, Refs refs, String branch, long generation) {
        ChangeFeed feed = new ChangeFeed(versions, refs, branch, generation, null);
        feed.begin();
        return feed;
    }

    /** The updates after one that a token names. */
    static ChangeFeed after(Snapshots versions, Refs refs, String branch, String token) {
        // A closed repository says so before it looks at the token.
        boolean unused = refs.has(branch);
        ChangeFeed feed = new ChangeFeed(versions, refs, branch, generation(token), token);
        feed.begin();
        return feed;
    }

    private static long generation(String token) {
        return RefToken.parse(token)
                .filter(read -> read.hash().isPresent())
                .orElseThrow(() -> new RepositoryException(
                        RepositoryException.Reason.TOKEN,
                        "not a token of a change feed: " + Escapes.brief(token),
                        "a token is a number, a dash and 16 hexadecimal digits, as a feed gives it",
                        null))
                .generation();
    }

    /** Reads the log and the first update, so that a token that does not fit, or is too old, is refused at once. */
    private void begin() {
        fill();
        LogEntry first = isHeldBack() ? null : page.peekLast();
        if (first != null && first.time().isBefore(refs.epochIfReadable().logsKeptSince())) {
            Update update = new Update(first);
            update.read(() -> update.diff(KeyRange.all()));
        }
    }

    /** The name of the branch. */
    public String branch() {
        return branch;
    }

    /** Returns the token of the last update that was returned; before the first one, of the update before the feed. */
    public String token() {
        return Objects.requireNonNull(token);
    }

    /** The generation of the update that {@link #token} names; 0 for the beginning of the branch. */
    public long generation() {
        return generation;
    }

    /** Returns the head after the update that {@link #token} names: a reader that needs the whole map begins with this version. */
    public Head head() {
        return Objects.requireNonNull(head);
    }

    /** Returns the next update, if there is one now and this is not closed. */
    public Optional<Update> poll() {
        if (closed) {
            return Optional.empty();
        }
        if (page.isEmpty()) {
            fill();
        }
        LogEntry entry = isHeldBack() ? null : page.pollLast();
        if (entry == null) {
            return Optional.empty();
        }
        Update update = new Update(entry);
        generation = entry.generation();
        token = update.token();
        head = entry.to();
        return Optional.of(update);
    }

    /**
     * Waits for the next update.
     *
     * @return empty only if this is closed
     */
    public Optional<Update> next() throws InterruptedException {
        Optional<Update> next = Optional.empty();
        while (next.isEmpty() && !closed) {
            next = next(LONG);
        }
        return next;
    }

    /** Waits for the next update for a time. Returns empty if there was none, or this is closed. */
    public Optional<Update> next(Duration atMost) throws InterruptedException {
        Objects.requireNonNull(atMost, "atMost");
        long begun = System.nanoTime();
        Optional<Update> next = poll();
        for (Duration left = atMost;
                next.isEmpty() && !closed && left.compareTo(Duration.ZERO) > 0;
                left = atMost.minusNanos(System.nanoTime() - begun)) {
            RefStore.Watch current = watch();
            boolean mayHaveMoved = true;
            if (current == null) {
                // Before the first wait, the branch may have moved when nothing watched it yet.
                startWatch();
            } else {
                mayHaveMoved = current.await(left);
            }
            if (mayHaveMoved) {
                next = poll();
            }
        }
        return next;
    }

    private synchronized RefStore.@Nullable Watch watch() {
        return watch;
    }

    private synchronized void startWatch() {
        if (!closed) {
            watch = refs.store().watch(branch);
        }
    }

    /**
     * Whether the next update is the removal of the branch, and no new branch of this name has an update. A branch that is still there is
     * about to be removed.
     */
    private boolean isHeldBack() {
        LogEntry next = page.peekLast();
        if (next == null || !Removal.is(next)) {
            return false;
        }
        BranchState state = refs.logged(branch);
        if (state.generation() > next.generation()) {
            return false;
        }
        checkPresent(state);
        return true;
    }

    private void checkPresent(BranchState state) {
        if (!state.isPresent()) {
            throw Removal.of(refs, state);
        }
    }

    /** Reads the page that is due. Rule REP30. */
    private void fill() {
        Deque<LogEntry> entries = new ArrayDeque<>();
        Deque<End> later = new ArrayDeque<>(ends);
        End end = later.poll();
        if (end == null) {
            BranchState state = refs.logged(branch);
            if (state.generation() <= generation) {
                checkFits(state.generation(), state.head());
                checkPresent(state);
                return;
            }
            end = new End(state.generation(), state.head());
        }
        try (RefLog log = refs.store().log(branch, end.head, end.generation)) {
            for (LogEntry entry = log.next(); entry != null && entry.generation() > generation; entry = log.next()) {
                if (entry.generation() % PAGE == 0 && !entries.isEmpty()) {
                    later.push(end);
                    end = new End(entry.generation(), entry.to());
                    entries.clear();
                }
                entries.addLast(entry);
            }
        }
        LogEntry first = entries.peekLast();
        if (first == null) {
            throw RepositoryException.damaged(
                    "damaged log: nothing in it leads to generation " + end.generation + " of " + branch + ": "
                            + refs.store().location(),
                    "restore it from a copy",
                    null);
        }
        checkFits(first.generation() - 1, first.from());
        page = entries;
        ends = later;
    }

    /** Checks that the update where the feed stands is the one of this generation that led to a head. */
    private void checkFits(long found, Head led) {
        String fits = RefToken.of(branch, found, led).toString();
        if (token == null && found == generation) {
            token = fits;
        }
        if (!fits.equals(token)) {
            throw new RepositoryException(
                    RepositoryException.Reason.TOKEN,
                    branch + " has no update " + (token == null ? Long.toString(generation) : token)
                            + (found < generation ? ": its last one is " : ", but ") + fits
                            + "; it is of another branch or repository, or was undone by a loss of power: "
                            + refs.store().location(),
                    again(),
                    null);
        }
        head = led;
    }

    private Hint again() {
        return Hint.of(
                "read the current version of the branch, and continue from there with: ", Hint.Action.CHANGES, branch);
    }

    /** Ends the feed, and a wait in it. May be called twice, and by any thread. */
    @Override
    public synchronized void close() {
        closed = true;
        if (watch != null) {
            watch.close();
        }
    }
}
