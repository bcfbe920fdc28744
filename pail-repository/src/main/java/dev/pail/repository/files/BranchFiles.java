package dev.pail.repository.files;

import dev.pail.StoreIOException;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefLog;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The branches, each with a head and a log (spec rules REP12, REP14 and REP15). A log entry is durable before
 * the head is replaced. So the head is the target of the last entry, or its source if the update was interrupted. Then the next entry
 * has the same generation. A torn last line belongs to an interrupted update.
 *
 * <p>Several threads may read without a lock. The caller of a method that writes holds the writers' lock.
 */
final class BranchFiles {
    static final String WHAT_TO_DO = "restore heads and logs from a copy of the repository, both together";

    /** So often is looked again at a head and a log that do not fit, as they may just have moved. */
    private static final int LOOKS = 100;

    private final Disk disk;
    private final RepositoryFolder folder;
    private final HeadFiles heads;
    private final LogFiles logs;

    /** The states that this instance has made or synced since {@link #failures} was counted. */
    private final Map<String, State> durable = new ConcurrentHashMap<>();

    /** How many writes had failed when the durable states were last forgotten. */
    private volatile int failures;

    private final BranchCache cache;

    /**
     * What the files of a branch say.
     *
     * @param name of the branch
     * @param isPresent whether there is a head
     * @param generation how often it was moved
     * @param logEnd where the next entry of the log belongs
     * @param logSize how large the log is; more than {@code logEnd}, if something torn is at its end; -1 if there is none
     */
    record State(String name, boolean isPresent, Head head, long generation, long logEnd, long logSize)
            implements BranchState {
        @Override
        public boolean hasLog() {
            return logSize >= 0;
        }
    }

    BranchFiles(RepositoryFolder folder) {
        this.disk = folder.disk();
        this.folder = folder;
        this.heads = new HeadFiles(disk, folder.resolve("heads"), "a branch", WHAT_TO_DO);
        this.logs = new LogFiles(disk, folder.resolve("logs"));
        this.cache = new BranchCache(disk);
    }

    /** Makes the folders and the first branch, where there may be something left of an attempt to do so. */
    void init() throws IOException {
        disk.createDirectory(heads.folder());
        disk.createDirectory(logs.folder());
        disk.syncDirectory(folder.path());
        checkUnused();
        logs.create(RefName.MAIN);
        SmallFiles.replace(disk, heads.file(RefName.MAIN), new byte[0]);
    }

    /**
     * Refuses the folder as one without a configuration, if anything is in the first branch: an attempt to make a repository leaves that
     * empty.
     */
    void checkUnused() throws IOException {
        if (size(heads.file(RefName.MAIN)) > 0 || size(logs.file(RefName.MAIN)) > 0) {
            throw RepositoryException.damaged(
                    "a repository without a configuration: " + folder.path(),
                    "restore the file config from a copy, or take that of a new repository with the same options",
                    null);
        }
    }

    /** Refuses the folder of a repository that has no heads. */
    void checkPresent() {
        if (!disk.exists(heads.folder())) {
            throw RepositoryException.damaged("the heads are missing: " + heads.folder(), WHAT_TO_DO, null);
        }
    }

    private long size(Path file) throws IOException {
        return disk.status(file).map(Disk.FileStatus::size).orElse(-1L);
    }

    /** The names of all branches, in order. */
    List<String> names() {
        return names(name -> true);
    }

    /** The names of branches that match a condition. Reads the files of these only. */
    List<String> names(Predicate<String> condition) {
        return list(condition).getOrDefault(true, List.of());
    }

    /** Tells when a head is replaced, if the system can. */
    Optional<Disk.Watch> watch() {
        return disk.watch(heads.folder());
    }

    /** Another text after each move of a branch, which replaces its head and adds a line to its log, and after its removal. */
    String mark(String branch) throws IOException {
        return heads.text(branch) + logs.end(branch);
    }

    /** The files among the heads that are not those of branches (spec rule REP17), in order. */
    List<Path> foreign() {
        return list(name -> true).getOrDefault(false, List.of()).stream()
                .map(heads::file)
                .toList();
    }

    /** The events that a foreign file names, if it can be read as a head. */
    Head eventsOf(Path foreign) {
        return heads.events(HeadFiles.nameOf(String.valueOf(foreign.getFileName())));
    }

    /** The files among the heads, by whether they are those of branches. */
    private Map<Boolean, List<String>> list(Predicate<String> condition) {
        List<String> names =
                HeadFiles.names(disk, heads.folder()).stream().filter(condition).toList();
        // Listed after the heads: a branch has its log before its head, and keeps it.
        Set<String> logged = new HashSet<>(logs.names(condition));
        return names.stream().collect(Collectors.partitioningBy(name -> !isForeign(name, logged)));
    }

    /**
     * Whether a file among the heads is not that of a branch. Rule REP17.
     *
     * @param logged names that have a log, this one among them if it has
     */
    private boolean isForeign(String name, Set<String> logged) {
        if (!RefName.isValid(name)) {
            return true;
        }
        if (name.equals(RefName.MAIN)) {
            return false;
        }
        if (logged.contains(name)) {
            return heads.isForeign(name) && tailOfPresent(name).last() == null;
        }
        return !name.equals(new CurrentBranch(folder).name());
    }

    private RepositoryException noBranch(String branch, @Nullable Throwable cause) {
        return new RepositoryException(
                RepositoryException.Reason.NO_BRANCH,
                "not a branch: " + heads.file(branch) + ": there is no log of it: " + logs.file(branch),
                Hint.of("remove it with: ", Hint.Action.REMOVE_BRANCH, branch),
                cause);
    }

    /** The names of all branches that have a log, also of those that were removed, in order. */
    List<String> logNames() {
        return logNames(name -> true);
    }

    /** As {@link #logNames()}, of names that match a condition. */
    List<String> logNames(Predicate<String> condition) {
        List<String> names = new ArrayList<>(logs.names(condition));
        // Their logs have no entries.
        names.removeAll(list(condition).getOrDefault(false, List.of()));
        return names;
    }

    /** What to do where head and log of one branch do not fit. */
    private static Hint fit(String branch) {
        return Hint.of(WHAT_TO_DO + "; or make them fit with: ", Hint.Action.RECOVER, branch);
    }

    RepositoryException missing(String branch) {
        return RepositoryException.damaged("the head is missing: " + heads.file(branch), fit(branch), null);
    }

    /** @throws RepositoryException if no branch can have this name */
    void checkName(String branch) {
        heads.checkName(branch);
    }

    /** What the files of a branch say, which may not be there. It is without events then. Rule REP12. */
    State readIfPresent(String branch) {
        heads.checkName(branch);
        for (int look = 1; ; look++) {
            BranchCache.Files files = cache.look(heads.file(branch), logs.file(branch));
            State known = files == null ? null : cache.find(branch, files);
            if (known != null) {
                return known;
            }
            Optional<Head> read = head(branch);
            Head head = read.orElse(Head.empty());
            LogFiles.Tail tail = read.isPresent() ? tailOfPresent(branch) : tailIfAny(branch);
            LogEntry last = tail.last();
            if (last == null ? head.isEmpty() : head.equals(last.to())) {
                State state = new State(
                        branch, read.isPresent(), head, last == null ? 0 : last.generation(), tail.end(), tail.size());
                if (files != null) {
                    cache.put(files, state);
                }
                return state;
            }
            if (last != null && head.equals(last.from())) {
                return new State(branch, read.isPresent(), head, last.generation() - 1, tail.end(), tail.size());
            }
            if (look >= LOOKS) {
                throw RepositoryException.damaged(
                        "the head does not fit its log: " + heads.file(branch)
                                + (read.isPresent() ? " says " : " is missing: ")
                                + text(head) + ", " + logs.file(branch) + " ends with "
                                + (last == null ? "nothing" : text(last.from()) + " to " + text(last.to())),
                        fit(branch),
                        null);
            }
        }
    }

    /**
     * Makes the head and the log of a branch fit again (Rule REP20): the head stays if its events are there, and the log gets an
     * entry that leads to it; else the head becomes the one that the log leads to.
     *
     * @param isThere whether an event is there
     * @return what was wrong; nothing, if they fit
     */
    Optional<RepositoryException> recover(String branch, Predicate<Cid> isThere) {
        RepositoryException wrong;
        try {
            if (readIfPresent(branch).isPresent || !branch.equals(RefName.MAIN)) {
                return Optional.empty();
            }
            wrong = missing(branch);
        } catch (RepositoryException e) {
            if (e.reason() != RepositoryException.Reason.DAMAGED) {
                throw e;
            }
            wrong = e;
        }
        LogFiles.Tail tail = tailIfAny(branch);
        LogEntry last = tail.last();
        Head logged = last == null ? Head.empty() : last.to();
        State state = new State(branch, true, logged, last == null ? 0 : last.generation(), tail.end(), tail.size());
        Head head = heads.events(branch);
        durable.remove(branch);
        if (!head.isEmpty() && head.events().stream().allMatch(isThere)) {
            move(branch, state, head, "recovered: the log did not lead here", Note.NONE);
        } else {
            settle(branch, state);
            replaceHead(branch, state, logged);
        }
        return Optional.of(wrong);
    }

    private Optional<Head> head(String branch) {
        try {
            return heads.read(branch);
        } catch (RepositoryException e) {
            if (isForeign(branch, disk.exists(logs.file(branch)) ? Set.of(branch) : Set.of())) {
                throw noBranch(branch, e);
            }
            // A hint that knows what happened to the file is better than one that knows only that it is damaged.
            Hint hint = WHAT_TO_DO.equals(e.advice().words()) ? fit(branch) : e.advice();
            throw RepositoryException.damaged(String.valueOf(e.getMessage()), hint, e);
        }
    }

    private static String text(Head head) {
        return head.isEmpty() ? "no events" : head.toString();
    }

    /** The tail of the log of a branch that has a head. */
    private LogFiles.Tail tailOfPresent(String branch) {
        try {
            return logs.tail(branch);
        } catch (NoSuchFileException e) {
            if (isForeign(branch, Set.of())) {
                throw noBranch(branch, e);
            }
            throw RepositoryException.damaged("the log is missing: " + logs.file(branch), fit(branch), e);
        }
    }

    private LogFiles.Tail tailIfAny(String branch) {
        try {
            return logs.tail(branch);
        } catch (NoSuchFileException e) {
            return LogFiles.Tail.ABSENT;
        }
    }

    /**
     * Moves a branch, which is known to be in this state. All blocks below the new head must be durable. Rule REP14.
     *
     * @throws StoreIOException if that failed, and the head is where it was
     * @throws HeadUpdateUncertainException if it may have moved
     */
    LogEntry move(String branch, State state, Head next, String reason, Note note) {
        if (state.generation == LogLine.MAX_GENERATION) {
            throw RepositoryException.damaged(
                    "damaged log: " + logs.file(branch) + ": its generation is the last that there is: "
                            + state.generation,
                    WHAT_TO_DO,
                    null);
        }
        String shown = reason.substring(0, Math.min(reason.length(), LogLine.MAX_REASON));
        LogEntry entry = new LogEntry(state.generation + 1, disk.now(), shown, state.head, next, note);
        byte[] line = LogLine.encode(entry);
        folder.checkLayout(branch);
        if (!note.isEmpty()) {
            folder.extendLayout();
        }
        settle(branch, state);
        try {
            logs.append(branch, line);
        } catch (IOException e) {
            // After a failed fsync the page may be marked clean, and a later fsync then reports success. So truncate
            // the line.
            cutOff(branch, state, e);
            throw folder.failed("cannot write a log", logs.file(branch), e);
        }
        replaceHead(branch, state, next);
        long size = state.logEnd + line.length;
        durable.put(branch, new State(branch, true, next, entry.generation(), size, size));
        return entry;
    }

    /**
     * Removes a branch that is in this state: moves it to the empty head, and then removes the name. The log stays, and a new branch of
     * this name continues it. Rule REP15.
     *
     * @param moved receives the log entry of that move, unless the branch had no events
     * @throws StoreIOException if that failed; the branch may be without events then
     */
    void remove(String branch, State state, String reason, Consumer<LogEntry> moved) {
        if (!state.head.isEmpty()) {
            moved.accept(move(branch, state, Head.empty(), reason, Note.NONE));
        }
        durable.remove(branch);
        Path file = heads.file(branch);
        try {
            SmallFiles.remove(disk, file);
        } catch (IOException e) {
            throw folder.failed("a branch is without events now, and cannot be removed", file, e);
        }
    }

    /** Removes a file that is not that of a branch. */
    void remove(Path foreign) {
        folder.write("cannot remove", foreign, null);
    }

    private void cutOff(String branch, State state, IOException error) {
        try {
            disk.truncate(logs.file(branch), state.logEnd);
        } catch (IOException e) {
            error.addSuppressed(e);
        }
    }

    /** Creates a branch without events. There is no head file yet; a log may exist if none of its entries counts. */
    void createEmpty(String branch, State state) {
        folder.checkLayout(branch);
        settle(branch, state);
        replaceHead(branch, state, Head.empty());
    }

    /** Whether it is known that a state would survive a loss of power. */
    boolean isSafe(BranchState state) {
        State known = durable(state.name());
        return known != null
                && known.generation == state.generation()
                && known.head.equals(state.head())
                && state.isPresent();
    }

    /** The state of a branch that is known to be durable; null if none is. After a failed write, none is. */
    private @Nullable State durable(String branch) {
        int now = folder.failures();
        if (now != failures) {
            durable.clear();
            failures = now;
        }
        return durable.get(branch);
    }

    /** The entries that lead to a head, newest first. */
    RefLog log(String branch, Head head, long generation) {
        return logs.entries(branch, head, generation);
    }

    /**
     * Syncs a state that another process has left: its last log line and the name of its head may not be durable. Readers rely on both.
     */
    void settle(String branch, State state) {
        if (state.equals(durable(branch))) {
            return;
        }
        Path log = logs.file(branch);
        try {
            folder.clean();
            if (!state.hasLog()) {
                logs.create(branch);
            } else {
                if (state.logEnd < state.logSize) {
                    disk.truncate(log, state.logEnd);
                }
                logs.writeAgain(branch);
            }
            disk.syncDirectory(logs.folder());
            disk.syncDirectory(heads.folder());
            if (state.isPresent) {
                durable.put(branch, new State(branch, true, state.head, state.generation, state.logEnd, state.logEnd));
            }
        } catch (IOException e) {
            throw folder.failed("cannot write a log", log, e);
        }
    }

    private void replaceHead(String branch, State state, Head next) {
        Path file = heads.file(branch);
        Path temporary = SmallFiles.temporary(file);
        try {
            Disk.write(disk, temporary, HeadFiles.bytes(next));
        } catch (IOException e) {
            throw folder.failed("cannot write a head", file, e);
        }
        try {
            disk.rename(temporary, file);
        } catch (IOException e) {
            if (isStill(branch, state)) {
                Disk.deleteQuietly(disk, temporary, e);
                throw folder.failed("cannot replace a head", file, e);
            }
            throw uncertain(branch, state, next, e);
        }
        try {
            disk.syncDirectory(heads.folder());
        } catch (IOException e) {
            throw uncertain(branch, state, next, e);
        }
    }

    /** Whether a head is certainly the one before a rename that failed. */
    private boolean isStill(String branch, State state) {
        try {
            Optional<Head> found = heads.read(branch);
            return found.isPresent() == state.isPresent
                    && found.orElse(Head.empty()).equals(state.head);
        } catch (RepositoryException | StoreIOException e) {
            return false;
        }
    }

    private HeadUpdateUncertainException uncertain(String branch, State state, Head next, IOException error) {
        folder.noteFailure();
        return new HeadUpdateUncertainException(
                branch, heads.file(branch).toString(), state.head, next, StoreIOException.reason(error), error);
    }
}
