package dev.pail.repository.spi;

import dev.pail.Escapes;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.clock.Head;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A ref store over {@linkplain RefRecords numbered records}, for authors of ref stores. Each method of an update creates one record, so
 * it happens whole or not at all. Existing records never change (spec rules REF1 to REF6).
 *
 * <p>If it is unknown whether a record was created, this creates the same record again, which succeeds or finds the record of another
 * writer. If that fails too, it throws {@link HeadUpdateUncertainException} for a branch, else {@link StoreIOException}.
 *
 * <p>Reading a branch reads one record; {@code branches} and {@code tags} read one for each name that ever existed; a log reads one for
 * each entry. This caches nothing. Safe for use by several threads if the records are.
 *
 * <pre>{@code
 * Function<RefRecords, Repository> opening = records -> Repository.open( // records of your own, as in RefRecords
 *         new RecordRefs(records, "my records", Clock.systemUTC()), new MemoryBlocks(), ShardFormat.v1());
 * }</pre>
 */
public class RecordRefs implements RefStore {
    private static final String BRANCH = "branch/";
    private static final String TAG = "tag/";
    private static final String REMOTE = "remote/";
    private static final String CURRENT = "current";
    private static final String EPOCH = "epoch";

    /** How often a record is created whose outcome stays unknown. */
    private static final int TRIES = 3;

    /** @param number of the record that says so; 0, if there is none */
    private record State(String name, long number, boolean isPresent, boolean hasLog, Head head, long generation)
            implements BranchState {}

    private final RefRecords records;
    private final String location;
    private final Clock clock;
    private final @Nullable Lock lock;

    /** The greatest number of each name that was read. */
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    private final List<LocalWatch> watches = new CopyOnWriteArrayList<>();

    /**
     * The update under way, in a store whose writers exclude each other.
     *
     * @param seen the numbers that were read before it. Its own reads may show the state at its start, while other threads read newer
     *     records
     */
    private record Running(Thread owner, Map<String, Long> seen) {}

    private volatile @Nullable Running running;

    private volatile boolean closed;

    /**
     * Refs whose writers compete. Garbage collection refuses a repository over them.
     *
     * @param records if empty, there is one branch without events, {@link dev.pail.repository.Repository#MAIN}
     * @param location the place of the records, for messages
     * @param clock for the times of log entries
     */
    public RecordRefs(RefRecords records, String location, Clock clock) {
        this(records, location, clock, (Lock) null);
    }

    /**
     * Refs whose writers exclude each other.
     *
     * @param lock held for each update. All writers of these records must take the same lock, also those of other processes
     */
    public RecordRefs(RefRecords records, String location, Clock clock, @Nullable Lock lock) {
        this.records = Objects.requireNonNull(records, "records");
        this.location = Objects.requireNonNull(location, "location");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.lock = lock;
    }

    /**
     * Refs whose records exclude the writers of other processes: {@link RefRecords#atOnce} makes all records of an update at once, or none if
     * what the update has read was changed meanwhile. The writers of this process take turns.
     *
     * @param patience how long a writer waits for others of this process
     */
    public RecordRefs(RefRecords records, String location, Clock clock, Duration patience) {
        this(records, location, clock, new Turn(location, patience));
    }

    @Override
    public List<String> branches() {
        return present(BRANCH, RefName.MAIN);
    }

    @Override
    public List<String> logs() {
        return names(BRANCH, RefName.MAIN);
    }

    @Override
    public List<String> tags() {
        return present(TAG, null);
    }

    @Override
    public List<String> trackings() {
        return names(REMOTE, null).stream()
                .filter(name -> tracking(name).isPresent())
                .toList();
    }

    @Override
    public Optional<Tracking> tracking(String name) {
        Tracking.checkName(name);
        return newest(REMOTE + name, RefRecord::readTracking).flatMap(found -> found);
    }

    private List<String> names(String prefix, @Nullable String always) {
        List<String> names = new ArrayList<>();
        records().names(prefix).forEach(name -> names.add(name.substring(prefix.length())));
        if (always != null && !names.contains(always)) {
            names.add(always);
        }
        names.sort(null);
        return names;
    }

    private List<String> present(String prefix, @Nullable String always) {
        return names(prefix, always).stream()
                .filter(name -> name.equals(always) || isPresent(prefix + name))
                .toList();
    }

    /** Whether a branch or tag is there; also if its record is damaged, which reading it says. */
    private boolean isPresent(String name) {
        try {
            return newest(name, RefRecord::read).map(RefRecord::isPresent).orElse(false);
        } catch (RepositoryException e) {
            return true;
        }
    }

    @Override
    public BranchState branch(String name) {
        return state(Objects.requireNonNull(name, "name"));
    }

    private State state(String name) {
        Optional<Map.Entry<Long, byte[]>> found = newestRecord(BRANCH + name);
        if (found.isEmpty()) {
            boolean isMain = name.equals(RefName.MAIN);
            return new State(name, 0, isMain, isMain, Head.empty(), 0);
        }
        long number = found.get().getKey();
        RefRecord last = read(BRANCH + name, number, found.get().getValue(), RefRecord::read);
        return new State(name, number, last.isPresent(), true, last.head(), last.generation());
    }

    @Override
    public RefLog log(String branch, Head head, long generation) {
        checkOpen();
        Objects.requireNonNull(head, "head");
        String name = BRANCH + Objects.requireNonNull(branch, "branch");
        return new RefLog() {
            /** The next record to read; -1 before the first one. */
            private long number = -1;

            @Override
            public @Nullable LogEntry next() {
                if (number < 0) {
                    State newest = state(branch);
                    // Each update has a record, so no newer one has this generation.
                    number = generation == 0 ? 0 : newest.number - Math.max(0, newest.generation - generation);
                }
                while (number > 0) {
                    byte[] content = records()
                            .read(name, number)
                            .orElseThrow(() -> damaged(name, number, "it is missing", null));
                    RefRecord found = read(name, number, content, RefRecord::read);
                    number--;
                    if (found.entry() != null && found.generation() <= generation) {
                        return found.entry();
                    }
                }
                return null;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Optional<Head> tag(String name) {
        return newest(TAG + Objects.requireNonNull(name, "name"), RefRecord::read)
                .filter(RefRecord::isPresent)
                .map(RefRecord::head);
    }

    @Override
    public String current() {
        return newest(CURRENT, RefRecord::readCurrent).orElse(RefName.MAIN);
    }

    @Override
    public Epoch epoch() {
        try {
            return wholeEpoch();
        } catch (RepositoryException e) {
            return Epoch.UNKNOWN;
        }
    }

    @Override
    public Epoch wholeEpoch() {
        return newest(EPOCH, RefRecord::readEpoch).orElse(Epoch.NONE);
    }

    private <T> Optional<T> newest(String name, Function<byte[], T> reader) {
        return newestRecord(name).map(found -> read(name, found.getKey(), found.getValue(), reader));
    }

    /** The newest record of a name, which is not older than one that this has seen. (REF7). */
    private Optional<Map.Entry<Long, byte[]>> newestRecord(String name) {
        Running own = own();
        long before = (own == null ? seen : own.seen).getOrDefault(name, 0L);
        Optional<Map.Entry<Long, byte[]>> found = records().newest(name);
        long number = found.map(Map.Entry::getKey).orElse(0L);
        if (number < before) {
            throw RepositoryException.damaged(
                    "the repository went back: record " + before + " of " + Escapes.brief(name)
                            + ", which this process knows, is gone: " + location,
                    "end this program; if the store was restored, open the repository again",
                    null);
        }
        // An update may not happen, so what it has made does not count.
        if (number > before && own == null) {
            seen.merge(name, number, Math::max);
        }
        return found;
    }

    private <T> T read(String name, long number, byte[] content, Function<byte[], T> reader) {
        try {
            RefRecord.checkBound(content, name, number);
            return reader.apply(content);
        } catch (MalformedDataException e) {
            throw damaged(name, number, String.valueOf(e.getMessage()), e);
        }
    }

    private RepositoryException damaged(String name, long number, String reason, @Nullable PailException cause) {
        return RepositoryException.damaged(
                "damaged record " + number + " of " + Escapes.brief(name) + ": " + location + ": " + reason,
                "restore the record from a copy",
                cause);
    }

    @Override
    public Watch watch(String branch) {
        checkOpen();
        Objects.requireNonNull(branch, "branch");
        LocalWatch watch = new LocalWatch(watches::remove);
        watches.add(watch);
        return watch;
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public void checkWhole() {
        records().checkWhole();
    }

    @Override
    public void probe() {
        records().probe();
    }

    @Override
    public Set<Need> needs() {
        return records().needs();
    }

    @Override
    public Optional<String> repositoryId() {
        return records().repositoryId();
    }

    @Override
    public boolean isDurable(BranchState state) {
        checkOpen();
        Objects.requireNonNull(state, "state");
        return true;
    }

    @Override
    public void checkWritable() {
        checkOpen();
    }

    @Override
    public boolean isExclusive() {
        return lock != null;
    }

    @Override
    public <T> T update(Function<Update, T> action) {
        checkOpen();
        if (lock == null) {
            return updated(action);
        }
        if (own() != null) {
            throw new StoreLockedException(location, "an update of this thread");
        }
        lock.lock();
        try {
            running = new Running(Thread.currentThread(), Map.copyOf(seen));
            return updated(action);
        } finally {
            running = null;
            lock.unlock();
        }
    }

    /** The update of this thread, if it is under way. */
    private @Nullable Running own() {
        Running now = running;
        return now != null && Thread.currentThread().equals(now.owner) ? now : null;
    }

    private <T> T updated(Function<Update, T> action) {
        Changes changes = new Changes();
        T result = records().atOnce(() -> action.apply(changes), changes::unknown);
        changes.whenDurable.forEach(Runnable::run);
        return result;
    }

    @Override
    public void close() {
        closed = true;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the refs are closed: " + location);
        }
    }

    private RefRecords records() {
        checkOpen();
        return records;
    }

    /**
     * Creates a record. Rule REF5.
     *
     * @throws RefChangedException if another writer has created the one of this number
     * @throws StoreIOException if that stays unknown
     */
    private void create(String ref, String name, long number, byte[] unbound) {
        byte[] content = RefRecord.bound(unbound, name, number);
        @Nullable StoreIOException unknown = null;
        for (int tries = 0; tries < TRIES; tries++) {
            try {
                // A record of this number may be this one: from an attempt before, or one that the store has made by
                // itself.
                if (records().create(name, number, content)
                        || records()
                                .read(name, number)
                                .filter(found -> Arrays.equals(found, content))
                                .isPresent()) {
                    return;
                }
                throw new RefChangedException(ref, "record " + number);
            } catch (StoreIOException e) {
                unknown = e;
            }
        }
        throw Objects.requireNonNull(unknown);
    }

    /** The number behind the greatest one of a name. Rule REF1. */
    private long nextNumber(String name) {
        return records().newest(name).map(Map.Entry::getKey).orElse(0L) + 1;
    }

    private final class Changes implements Update {
        private final List<Runnable> whenDurable = new ArrayList<>();
        private @Nullable State lastFrom;
        private Head lastTo = Head.empty();

        @Override
        public void whenDurable(Runnable action) {
            whenDurable.add(Objects.requireNonNull(action, "action"));
        }

        /** What to say if it is not known whether these changes were made. */
        RuntimeException unknown(StoreIOException cause) {
            State from = lastFrom;
            return from == null ? cause : uncertain(from, lastTo, cause);
        }

        private HeadUpdateUncertainException uncertain(State from, Head to, StoreIOException cause) {
            return new HeadUpdateUncertainException(
                    from.name, location, from.head, to, String.valueOf(cause.getMessage()), cause);
        }

        @Override
        public LogEntry move(BranchState expected, Head next, String reason, Note note, Epoch seen) {
            check(seen);
            LogEntry entry = entry(expected, next, reason, note);
            write(expected, new RefRecord(entry.generation(), true, next, entry));
            return entry;
        }

        private LogEntry entry(BranchState from, Head next, String reason, Note note) {
            return new LogEntry(from.generation() + 1, now(), RefRecord.reason(reason), from.head(), next, note);
        }

        @Override
        public void create(BranchState absent, Epoch seen) {
            check(seen);
            if (absent.isPresent() || !absent.head().isEmpty()) {
                throw new IllegalArgumentException("the branch is there: " + absent.name());
            }
            write(absent, new RefRecord(absent.generation(), true, Head.empty(), null));
        }

        @Override
        public void confirm(BranchState expected) {
            if (!branch(expected.name()).equals(expected)) {
                throw new RefChangedException(expected.name(), "generation " + expected.generation() + " is the past");
            }
        }

        @Override
        public void remove(BranchState expected, Consumer<LogEntry> moved) {
            remove(expected, REMOVED, moved);
        }

        @Override
        public void remove(BranchState expected, String reason, Consumer<LogEntry> moved) {
            Objects.requireNonNull(reason, "reason");
            Objects.requireNonNull(moved, "moved");
            if (expected.head().isEmpty()) {
                write(expected, new RefRecord(expected.generation(), false, Head.empty(), null));
            } else {
                LogEntry entry = entry(expected, Head.empty(), reason, Note.NONE);
                write(expected, new RefRecord(entry.generation(), false, Head.empty(), entry));
                moved.accept(entry);
            }
        }

        /** Creates the record behind the one that a state was read from. */
        private void write(BranchState from, RefRecord next) {
            String name = BRANCH + from.name();
            State state = (State) from;
            lastFrom = state;
            lastTo = next.head();
            try {
                RecordRefs.this.create(from.name(), name, state.number + 1, next.toBytes());
            } catch (StoreIOException e) {
                throw uncertain(state, next.head(), e);
            }
            whenDurable(() -> watches.forEach(LocalWatch::wake));
        }

        @Override
        public void tag(String name, Optional<Head> expected, Optional<Head> next, Epoch seen) {
            long number = nextNumber(TAG + name);
            if (!RecordRefs.this.tag(name).equals(expected)) {
                throw new RefChangedException(name, "the tag is another one now");
            }
            check(seen);
            writeTag(name, number, next);
        }

        @Override
        public void removeTag(String name) {
            Objects.requireNonNull(name, "name");
            long number = nextNumber(TAG + name);
            if (!isPresent(TAG + name)) {
                List<String> others = tags();
                throw new RepositoryException(
                        RepositoryException.Reason.NO_TAG,
                        "no tag " + Escapes.brief(name),
                        others.isEmpty() ? "there is none" : "there are: " + String.join(", ", others),
                        null);
            }
            writeTag(name, number, Optional.empty());
        }

        private void writeTag(String name, long number, Optional<Head> next) {
            RefRecord record = new RefRecord(0, next.isPresent(), next.orElse(Head.empty()), null);
            RecordRefs.this.create(name, TAG + name, number, record.toBytes());
        }

        @Override
        public void tracking(String name, Optional<Tracking> expected, Optional<Tracking> next, Epoch seen) {
            long number = nextNumber(REMOTE + name);
            if (!RecordRefs.this.tracking(name).equals(expected)) {
                throw new RefChangedException(name, "the remote-tracking ref is another one now");
            }
            check(seen);
            RecordRefs.this.create(name, REMOTE + name, number, RefRecord.tracking(next));
        }

        @Override
        public void current(String branch) {
            Objects.requireNonNull(branch, "branch");
            RecordRefs.this.create(CURRENT, CURRENT, nextNumber(CURRENT), RefRecord.current(branch));
        }

        @Override
        public void epoch(Epoch expected, Epoch next) {
            long number = nextNumber(EPOCH);
            check(expected);
            RecordRefs.this.create("gc", EPOCH, number, RefRecord.epoch(next));
        }

        private void check(Epoch seen) {
            if (!RecordRefs.this.epoch().equals(Objects.requireNonNull(seen, "seen"))) {
                throw new RefChangedException("gc", "blocks were taken away, or are about to be");
            }
        }
    }
}
