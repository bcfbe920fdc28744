package dev.pail.repository.spi;

import dev.pail.Escapes;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.clock.Head;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import dev.pail.sign.HeadNote;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
    private static final String SIGNED = "signed/";
    private static final String CURRENT = "current";
    private static final String EPOCH = "epoch";

    /** @param number of the record that says so; 0, if there is none */
    private record State(String name, long number, boolean isPresent, boolean hasLog, Head head, long generation)
            implements BranchState {}

    private final CheckedRecords records;
    private final Clock clock;
    private final @Nullable Lock lock;

    private final List<LocalWatch> watches = new CopyOnWriteArrayList<>();

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
        this.records = new CheckedRecords(
                Objects.requireNonNull(records, "records"), Objects.requireNonNull(location, "location"));
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
        return records.newest(REMOTE + name, RefRecord::readTracking).flatMap(found -> found);
    }

    @Override
    public List<String> notedNames() {
        return names(SIGNED, null);
    }

    @Override
    public List<HeadNote> headNotes(String name) {
        return records.newest(SIGNED + Objects.requireNonNull(name, "name"), RefRecord::readHeadNotes)
                .orElse(List.of());
    }

    private List<String> names(String prefix, @Nullable String always) {
        List<String> names = new ArrayList<>(records.names(prefix));
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
            return records.newest(name, RefRecord::read)
                    .map(RefRecord::isPresent)
                    .orElse(false);
        } catch (RepositoryException e) {
            return true;
        }
    }

    @Override
    public BranchState branch(String name) {
        return state(Objects.requireNonNull(name, "name"));
    }

    private State state(String name) {
        Optional<Map.Entry<Long, byte[]>> found = records.newest(BRANCH + name);
        if (found.isEmpty()) {
            boolean isMain = name.equals(RefName.MAIN);
            return new State(name, 0, isMain, isMain, Head.empty(), 0);
        }
        long number = found.get().getKey();
        RefRecord last = records.read(BRANCH + name, number, found.get().getValue(), RefRecord::read);
        return new State(name, number, last.isPresent(), true, last.head(), last.generation());
    }

    @Override
    public RefLog log(String branch, Head head, long generation) {
        records.checkOpen();
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
                    RefRecord found = records.read(name, number, RefRecord::read);
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
        return records.newest(TAG + Objects.requireNonNull(name, "name"), RefRecord::read)
                .filter(RefRecord::isPresent)
                .map(RefRecord::head);
    }

    @Override
    public String current() {
        return records.newest(CURRENT, RefRecord::readCurrent).orElse(RefName.MAIN);
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
        return records.newest(EPOCH, RefRecord::readEpoch).orElse(Epoch.NONE);
    }

    @Override
    public Watch watch(String branch) {
        records.checkOpen();
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
        return records.location();
    }

    @Override
    public void checkWhole() {
        records.open().checkWhole();
    }

    @Override
    public void probe() {
        records.open().probe();
    }

    @Override
    public Set<Need> needs() {
        return records.open().needs();
    }

    @Override
    public void describeEvents() {
        records.open().describeEvents();
    }

    @Override
    public Optional<String> repositoryId() {
        return records.open().repositoryId();
    }

    @Override
    public boolean isDurable(BranchState state) {
        records.checkOpen();
        Objects.requireNonNull(state, "state");
        return true;
    }

    @Override
    public void checkWritable() {
        records.checkOpen();
    }

    @Override
    public boolean isExclusive() {
        return lock != null;
    }

    @Override
    public <T> T update(Function<Update, T> action) {
        records.checkOpen();
        if (lock == null) {
            return updated(action);
        }
        if (records.isInUpdate()) {
            throw new StoreLockedException(records.location(), "an update of this thread");
        }
        lock.lock();
        try {
            records.beginUpdate();
            return updated(action);
        } finally {
            records.endUpdate();
            lock.unlock();
        }
    }

    private <T> T updated(Function<Update, T> action) {
        Changes changes = new Changes();
        T result = records.open().atOnce(() -> action.apply(changes), changes::unknown);
        changes.whenDurable.forEach(Runnable::run);
        return result;
    }

    @Override
    public void close() {
        records.close();
    }

    private final class Changes implements Update {
        private final List<Runnable> whenDurable = new ArrayList<>();

        /** Else each record exists when it was created, also if the update then fails. */
        private final boolean hasTransactions = records.open().hasTransactions();

        private @Nullable State lastFrom;
        private Head lastTo = Head.empty();

        @Override
        public void whenDurable(Runnable action) {
            Objects.requireNonNull(action, "action");
            if (hasTransactions) {
                whenDurable.add(action);
            } else {
                action.run();
            }
        }

        /** What to say if it is not known whether these changes were made. */
        RuntimeException unknown(StoreIOException cause) {
            State from = lastFrom;
            return from == null ? cause : uncertain(from, lastTo, cause);
        }

        private HeadUpdateUncertainException uncertain(State from, Head to, StoreIOException cause) {
            return new HeadUpdateUncertainException(
                    from.name, records.location(), from.head, to, String.valueOf(cause.getMessage()), cause);
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
                records.create(from.name(), name, state.number + 1, next.toBytes());
            } catch (StoreIOException e) {
                throw uncertain(state, next.head(), e);
            }
            whenDurable(() -> watches.forEach(LocalWatch::wake));
        }

        @Override
        public void tag(String name, Optional<Head> expected, Optional<Head> next, Epoch seen) {
            long number = records.nextNumber(TAG + name);
            if (!RecordRefs.this.tag(name).equals(expected)) {
                throw new RefChangedException(name, "the tag is another one now");
            }
            check(seen);
            writeTag(name, number, next);
        }

        @Override
        public void removeTag(String name) {
            Objects.requireNonNull(name, "name");
            long number = records.nextNumber(TAG + name);
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
            records.create(name, TAG + name, number, record.toBytes());
        }

        @Override
        public void tracking(String name, Optional<Tracking> expected, Optional<Tracking> next, Epoch seen) {
            long number = records.nextNumber(REMOTE + name);
            if (!RecordRefs.this.tracking(name).equals(expected)) {
                throw new RefChangedException(name, "the remote-tracking ref is another one now");
            }
            check(seen);
            records.create(name, REMOTE + name, number, RefRecord.tracking(next));
        }

        @Override
        public void headNotes(String name, List<HeadNote> expected, List<HeadNote> next) {
            Objects.requireNonNull(expected, "expected");
            Objects.requireNonNull(next, "next");
            long number = records.nextNumber(SIGNED + name);
            if (!RecordRefs.this.headNotes(name).equals(expected)) {
                throw new RefChangedException(name, "its signed heads are others now");
            }
            records.create(name, SIGNED + name, number, RefRecord.headNotes(next));
        }

        @Override
        public void current(String branch) {
            Objects.requireNonNull(branch, "branch");
            records.create(CURRENT, CURRENT, records.nextNumber(CURRENT), RefRecord.current(branch));
        }

        @Override
        public void epoch(Epoch expected, Epoch next) {
            long number = records.nextNumber(EPOCH);
            check(expected);
            records.create("gc", EPOCH, number, RefRecord.epoch(next));
        }

        private void check(Epoch seen) {
            if (!RecordRefs.this.epoch().equals(Objects.requireNonNull(seen, "seen"))) {
                throw new RefChangedException("gc", "blocks were taken away, or are about to be");
            }
        }
    }
}
