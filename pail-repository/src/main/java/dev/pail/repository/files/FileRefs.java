package dev.pail.repository.files;

import dev.pail.EntryCounts;
import dev.pail.clock.ConflictCache;
import dev.pail.clock.Head;
import dev.pail.clock.HistoryTrees;
import dev.pail.ipld.Cid;
import dev.pail.lock.WriterLock;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.DerivedRoots;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import dev.pail.sign.HeadNote;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The refs of a repository in a folder: the files in {@code heads}, {@code logs}, {@code tags} and {@code remotes}, {@code branch} and {@code gc}. An
 * update holds the writer's lock.
 */
final class FileRefs implements RefStore {
    private final RepositoryFolder folder;
    private final BranchFiles branches;
    private final TagFiles tags;
    private final Trackings trackings;
    private final HeadNoteFiles signed;
    private final CurrentBranch current;
    private final EpochFile epochFile;
    private final WriterLock lock;
    private final FileRepository storage;
    private final HistoryTrees trees;

    /** Whether this has changed a ref: only then are there trees of events that are kept. */
    private volatile boolean updated;

    private volatile boolean closed;

    FileRefs(RepositoryFolder folder, WriterLock lock, FileRepository storage) {
        this.folder = folder;
        this.storage = storage;
        this.branches = new BranchFiles(folder);
        this.tags = new TagFiles(folder);
        this.trackings = new Trackings(folder);
        this.signed = new HeadNoteFiles(folder);
        this.current = new CurrentBranch(folder);
        this.epochFile = new EpochFile(folder);
        this.lock = lock;
        this.trees = HistoryTrees.keptIn(new DerivedFile(folder, "trees", "trees of histories"));
    }

    @Override
    public List<String> branches() {
        checkOpen();
        return branches.names();
    }

    @Override
    public List<String> logs() {
        checkOpen();
        return branches.logNames();
    }

    @Override
    public List<String> names(Predicate<String> condition) {
        checkOpen();
        return Stream.of(branches.names(condition), branches.logNames(condition), tags.names(condition))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public BranchState branch(String name) {
        checkOpen();
        return branches.readIfPresent(name);
    }

    @Override
    public RefLog log(String branch, Head head, long generation) {
        checkOpen();
        return branches.log(branch, head, generation);
    }

    @Override
    public List<String> tags() {
        checkOpen();
        return tags.names();
    }

    @Override
    public Optional<Head> tag(String name) {
        checkOpen();
        return tags.read(name);
    }

    @Override
    public List<String> trackings() {
        checkOpen();
        return trackings.names();
    }

    @Override
    public Optional<Tracking> tracking(String name) {
        checkOpen();
        return trackings.read(name);
    }

    @Override
    public List<String> notedNames() {
        checkOpen();
        return signed.names();
    }

    @Override
    public List<HeadNote> headNotes(String name) {
        checkOpen();
        return signed.read(name);
    }

    @Override
    public String current() {
        checkOpen();
        return current.name();
    }

    @Override
    public Epoch epoch() {
        checkOpen();
        return epochFile.read();
    }

    @Override
    public Watch watch(String branch) {
        checkOpen();
        Objects.requireNonNull(branch, "branch");
        return new MarkWatch(branches, branch, RefStore.super.watch(branch));
    }

    @Override
    public Instant now() {
        return folder.disk().now();
    }

    @Override
    public Set<Need> needs() {
        return storage.needs();
    }

    @Override
    public Optional<Part> part() {
        return storage.part();
    }

    @Override
    public void describeEvents() {
        storage.describeEvents();
    }

    @Override
    public String location() {
        return folder.path().toString();
    }

    @Override
    public Optional<String> repositoryId() {
        checkOpen();
        return Optional.ofNullable(storage.settings().get(Configuration.ID)).filter(Configuration::isId);
    }

    @Override
    public RepositoryException missing(String branch) {
        return branches.missing(branch);
    }

    @Override
    public Set<Cid> strayEvents() {
        checkOpen();
        Set<Cid> events = new LinkedHashSet<>();
        branches.foreign().forEach(file -> events.addAll(branches.eventsOf(file).events()));
        tags.foreign().forEach(file -> events.addAll(tags.eventsOf(file).events()));
        return events;
    }

    /** The files in {@code heads} and {@code tags} that are neither branches nor tags (spec rule REP17). */
    List<Path> foreignFiles() {
        return Stream.concat(branches.foreign().stream(), tags.foreign().stream())
                .toList();
    }

    BranchFiles branchFiles() {
        return branches;
    }

    FileRepository storage() {
        return storage;
    }

    @Override
    public Epoch wholeEpoch() {
        checkOpen();
        return epochFile.readWhole();
    }

    @Override
    public EntryCounts entryCounts() {
        return new EntryCountFile(folder);
    }

    @Override
    public ConflictCache conflictCache() {
        return new ConflictCacheFile(folder);
    }

    @Override
    public HistoryTrees historyTrees() {
        return trees;
    }

    @Override
    public DerivedRoots derivedRoots() {
        return new DerivedRootFiles(folder, epochFile);
    }

    @Override
    public boolean isDurable(BranchState state) {
        checkOpen();
        return branches.isSafe(state);
    }

    @Override
    public void checkWritable() {
        checkOpen();
    }

    @Override
    public boolean isExclusive() {
        return true;
    }

    @Override
    public <T> T update(Function<Update, T> action) {
        checkOpen();
        return lock.holding(() -> updated(action));
    }

    private <T> T updated(Function<Update, T> action) {
        T result = action.apply(new Changes());
        updated = true;
        return result;
    }

    @Override
    public Turns turns() {
        checkOpen();
        WriterLock.Turns turns = lock.turns();
        return new Turns() {
            @Override
            public <T> T holding(Function<Update, T> action) {
                return turns.holding(() -> updated(action));
            }

            @Override
            public boolean isOver() {
                return turns.isOver();
            }
        };
    }

    @Override
    public void close() {
        closed = true;
        if (updated) {
            trees.write();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the repository is closed: " + location());
        }
    }

    /** Changes files while the lock is held. */
    private final class Changes implements Update {
        @Override
        public LogEntry move(BranchState expected, Head next, String reason, Note note, Epoch seen) {
            BranchFiles.State state = check(expected);
            check(seen);
            folder.identify();
            return branches.move(state.name(), state, next, reason, note);
        }

        @Override
        public void create(BranchState absent, Epoch seen) {
            BranchFiles.State state = check(absent);
            check(seen);
            folder.identify();
            branches.createEmpty(state.name(), state);
        }

        @Override
        public void confirm(BranchState expected) {
            BranchFiles.State state = check(expected);
            branches.settle(state.name(), state);
        }

        @Override
        public void remove(BranchState expected, Consumer<LogEntry> moved) {
            remove(expected, REMOVED, moved);
        }

        @Override
        public void remove(BranchState expected, String reason, Consumer<LogEntry> moved) {
            BranchFiles.State state = check(expected);
            branches.remove(state.name(), state, reason, moved);
        }

        @Override
        public void tag(String name, Optional<Head> expected, Optional<Head> next, Epoch seen) {
            if (!tags.read(name).equals(expected)) {
                throw new RefChangedException(name, "the tag is another one now");
            }
            check(seen);
            if (next.isPresent()) {
                tags.write(name, next.get());
            } else {
                tags.remove(name);
            }
        }

        @Override
        public void removeTag(String name) {
            tags.remove(name);
        }

        @Override
        public boolean removeStray(String name) {
            Optional<Path> foreign = branches.foreign().stream()
                    .filter(file ->
                            HeadFiles.nameOf(String.valueOf(file.getFileName())).equals(HeadFiles.nameOf(name)))
                    .findFirst();
            foreign.ifPresent(branches::remove);
            return foreign.isPresent();
        }

        @Override
        public Optional<RepositoryException> recover(String branch, Predicate<Cid> isThere) {
            return branches.recover(branch, isThere);
        }

        @Override
        public void tracking(String name, Optional<Tracking> expected, Optional<Tracking> next, Epoch seen) {
            if (!trackings.read(name).equals(expected)) {
                throw new RefChangedException(name, "the remote-tracking ref is another one now");
            }
            check(seen);
            trackings.write(name, next);
        }

        @Override
        public void headNotes(String name, List<HeadNote> expected, List<HeadNote> next) {
            Objects.requireNonNull(expected, "expected");
            Objects.requireNonNull(next, "next");
            if (!signed.read(name).equals(expected)) {
                throw new RefChangedException(name, "its signed heads are others now");
            }
            signed.write(name, next);
        }

        @Override
        public void current(String branch) {
            current.set(branch);
        }

        @Override
        public void epoch(Epoch expected, Epoch next) {
            check(expected);
            epochFile.write(next);
        }

        private BranchFiles.State check(BranchState expected) {
            BranchFiles.State now = branches.readIfPresent(expected.name());
            if (now.generation() != expected.generation()
                    || now.isPresent() != expected.isPresent()
                    || !now.head().equals(expected.head())) {
                throw new RefChangedException(expected.name(), "generation " + now.generation());
            }
            return now;
        }

        private void check(Epoch seen) {
            if (!epochFile.read().equals(Objects.requireNonNull(seen, "seen"))) {
                throw new RefChangedException("gc", "blocks were taken away, or are about to be");
            }
        }
    }
}
