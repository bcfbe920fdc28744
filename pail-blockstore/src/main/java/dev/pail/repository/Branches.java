package dev.pail.repository;

import dev.pail.Escapes;
import dev.pail.StoreIOException;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of the branches: heads and logs, and which branch is the current one. An entry is in the log, and safe, before the
 * head is replaced. So the head is where the last entry leads to, or where it comes from, if that move did not happen; then the
 * next entry has the same generation. A last line that is torn is of a move that did not happen.
 *
 * <p>Reading may be done by several threads at once, and needs no lock; all that writes needs the writer's lock.
 */
final class Branches {
    private static final String TEMPORARY = ".tmp-";
    private static final String WHAT_TO_DO = HeadFiles.WHAT_TO_DO;

    /** So often is looked again at a head and a log that do not fit, as they may just have moved. */
    private static final int LOOKS = 100;

    private final Disk disk;
    private final Path folder;
    private final Path heads;
    private final Path logs;
    private final HeadFiles files;

    /** The states that this instance has made, and so knows to be safe. */
    private final Map<String, State> safe = new ConcurrentHashMap<>();

    /** The first error after which nothing can be known of what was written before. */
    private volatile @Nullable Exception failure;

    private volatile boolean cleaned;

    /**
     * What the files of a branch say.
     *
     * @param present whether there is a head
     * @param generation how often it was moved
     * @param logEnd where the next entry of the log belongs
     * @param logSize how large the log is; more than {@code logEnd}, if something torn is at its end; -1 if there is none
     */
    record State(boolean present, Head head, long generation, long logEnd, long logSize) {}

    /** The end of a log. */
    private record Tail(@Nullable LogEntry last, long end, long size) {}

    Branches(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
        this.heads = folder.resolve("heads");
        this.files = new HeadFiles(disk, heads, "a branch");
        this.logs = folder.resolve("logs");
    }

    private Path head(String branch) {
        return heads.resolve(branch);
    }

    private Path log(String branch) {
        return logs.resolve(branch);
    }

    /** Makes the folders and the first branch, where there may be something left of an attempt to do so. */
    void init() throws IOException {
        disk.createFolder(heads);
        disk.createFolder(logs);
        disk.forceFolder(folder);
        if (size(head(Repository.MAIN)) > 0 || size(log(Repository.MAIN)) > 0) {
            throw damaged("a repository without a configuration: " + folder, "restore the file config", null);
        }
        createLog(Repository.MAIN);
        SmallFiles.replace(disk, head(Repository.MAIN), new byte[0]);
    }

    private long size(Path file) throws IOException {
        return disk.facts(file).map(Disk.Facts::size).orElse(-1L);
    }

    private void createLog(String branch) throws IOException {
        try (Disk.WritableFile out = disk.append(log(branch))) {
            out.force();
        }
        disk.forceFolder(logs);
    }

    /** The names of all branches, in order. */
    List<String> names() {
        return files.names();
    }

    /** The names of all branches that have a log, also of those that were removed, in order. */
    List<String> logNames() {
        return HeadFiles.names(disk, logs);
    }

    /** The name of the current branch, of which there may be none. */
    String current() {
        Path file = folder.resolve("branch");
        try {
            String name = new String(SmallFiles.read(disk, file), StandardCharsets.ISO_8859_1);
            if (!name.endsWith("\n") || !HeadFiles.isName(name.substring(0, name.length() - 1))) {
                throw new IllegalArgumentException("not the name of a branch: " + Escapes.brief(name));
            }
            return name.substring(0, name.length() - 1);
        } catch (NoSuchFileException e) {
            return Repository.MAIN;
        } catch (IllegalArgumentException e) {
            throw damaged(
                    "damaged: " + file + ": " + e.getMessage(), "write the name of a branch into it, or remove it", e);
        } catch (IOException e) {
            throw failure("cannot read the current branch", file, e);
        }
    }

    /** Makes a branch the current one. */
    void setCurrent(String branch) {
        checkWritable();
        Path file = folder.resolve("branch");
        try {
            clean();
            SmallFiles.replace(disk, file, (branch + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw failed("cannot make it the current branch", file, e);
        }
    }

    /**
     * What the files of a branch say.
     *
     * @throws RepositoryException if there is no such branch, or they contradict each other
     */
    State read(String branch) {
        State state = readIfPresent(branch);
        if (state.present) {
            return state;
        }
        if (branch.equals(Repository.MAIN)) {
            throw damaged("the head is missing: " + head(branch), WHAT_TO_DO, null);
        }
        throw new RepositoryException(
                RepositoryException.Reason.ABSENT,
                "no branch " + branch + ": " + folder,
                "there are: " + String.join(", ", names()),
                null);
    }

    /** What the files of a branch say, which may not be there. It is without events then. */
    State readIfPresent(String branch) {
        files.checkName(branch);
        for (int look = 1; ; look++) {
            Optional<Head> read = readHead(branch);
            Head head = read.orElse(Head.empty());
            Tail tail = tail(branch, read.isPresent());
            LogEntry last = tail.last;
            if (last == null ? head.isEmpty() : head.equals(last.to())) {
                return new State(read.isPresent(), head, last == null ? 0 : last.generation(), tail.end, tail.size);
            }
            if (last != null && head.equals(last.from())) {
                return new State(read.isPresent(), head, last.generation() - 1, tail.end, tail.size);
            }
            if (look >= LOOKS) {
                throw damaged(
                        "the head does not fit its log: " + head(branch)
                                + (read.isPresent() ? " says " : " is missing: ")
                                + text(head) + ", " + log(branch) + " ends with "
                                + (last == null ? "nothing" : text(last.from()) + " to " + text(last.to())),
                        WHAT_TO_DO,
                        null);
            }
        }
    }

    private static String text(Head head) {
        return head.isEmpty() ? "no events" : head.toString();
    }

    private Optional<Head> readHead(String branch) {
        return files.read(branch);
    }

    private Tail tail(String branch, boolean present) {
        Path file = log(branch);
        try (LogReader reader = LogReader.open(disk, file)) {
            long size = reader.position();
            for (LogReader.Line line = reader.next(); line != null; line = reader.next()) {
                LogEntry entry = line.entry();
                if (entry != null) {
                    return new Tail(entry, line.end(), size);
                }
            }
            return new Tail(null, 0, size);
        } catch (NoSuchFileException e) {
            if (present) {
                throw damaged("the log is missing: " + file, WHAT_TO_DO, e);
            }
            return new Tail(null, 0, -1);
        } catch (IllegalArgumentException e) {
            throw damaged("damaged log: " + file + ": " + e.getMessage(), WHAT_TO_DO, e);
        } catch (IOException e) {
            throw failure("cannot read a log", file, e);
        }
    }

    /** What moved a branch, newest first. Holds the log open until it is closed, or was read to its end. */
    LogEntries entries(String branch) {
        return entries(branch, read(branch));
    }

    /** What moved a branch, also one that was removed, as {@link #entries}. */
    LogEntries anyEntries(String branch) {
        State state = readIfPresent(branch);
        return entries(branch, state.logSize < 0 ? read(branch) : state);
    }

    private LogEntries entries(String branch, State state) {
        return new LogEntries(disk, log(branch), state.head, state.generation);
    }

    /**
     * Moves a branch, which is known to be in this state. What the new head names must be safe.
     *
     * @throws StoreIOException if that failed, and the head is where it was
     * @throws HeadUpdateUncertainException if it may have moved
     */
    LogEntry move(String branch, State state, Head next, String reason) {
        checkWritable();
        String shown = reason.substring(0, Math.min(reason.length(), LogLine.MAX_REASON));
        LogEntry entry = new LogEntry(state.generation + 1, disk.now(), shown, state.head, next);
        byte[] line = LogLine.encode(entry);
        settle(branch, state);
        try (Disk.WritableFile out = disk.append(log(branch))) {
            out.write(line);
            out.force();
        } catch (IOException e) {
            throw failed("cannot write a log", log(branch), e);
        }
        replaceHead(branch, state, next);
        long size = state.logEnd + line.length;
        safe.put(branch, new State(true, next, entry.generation(), size, size));
        return entry;
    }

    /**
     * Removes a branch, which is known to be in this state: moves it to where there are no events, and takes the name away. The
     * log stays, and a branch that is given the name goes on with it.
     *
     * @return what the log says; none, if the branch was without events
     * @throws StoreIOException if that failed; the branch may be without events then
     */
    Optional<LogEntry> remove(String branch, State state) {
        Optional<LogEntry> entry = state.head.isEmpty()
                ? Optional.empty()
                : Optional.of(move(branch, state, Head.empty(), "remove the branch"));
        checkWritable();
        safe.remove(branch);
        try {
            disk.delete(head(branch));
            disk.forceFolder(heads);
        } catch (IOException e) {
            throw failed("cannot remove a branch", head(branch), e);
        }
        return entry;
    }

    /** Creates a branch without events, of which there is nothing but perhaps a log without an entry that counts. */
    void createEmpty(String branch, State state) {
        checkWritable();
        settle(branch, state);
        replaceHead(branch, state, Head.empty());
    }

    /** Puts a file of the repository in the place of another, or removes it, in a folder that is made if it is not there. */
    void write(Path file, byte @Nullable [] bytes) {
        checkWritable();
        Path around = Disk.around(file);
        try {
            clean();
            if (!around.equals(Disk.around(heads))) {
                disk.createFolder(around);
                disk.forceFolder(Disk.around(around));
            }
            if (bytes == null) {
                disk.delete(file);
                disk.forceFolder(around);
            } else {
                SmallFiles.replace(disk, file, bytes);
            }
        } catch (IOException e) {
            throw failed("cannot write a file", file, e);
        }
    }

    void checkWritable() {
        Exception failed = failure;
        if (failed != null) {
            throw new StoreIOException(
                    "nothing is written after a failure, until the repository is opened again",
                    folder.toString(),
                    failed instanceof IOException error ? Disk.reason(error) : String.valueOf(failed.getMessage()),
                    failed);
        }
    }

    /** Sees to it that nothing is written any more, after an error elsewhere. */
    void refuseAfter(StoreIOException error) {
        failure = error;
    }

    /** Whether it is known that this head of a branch would outlast a loss of power. */
    boolean isSafe(Snapshot snapshot) {
        State known = safe.get(snapshot.branch());
        return known != null && known.generation == snapshot.generation() && known.head.equals(snapshot.head());
    }

    /**
     * Makes the state safe that others have left: at most the last line of a log and the name of a head may be lost with the power
     * then, as whoever reads them afterwards takes for granted.
     */
    void settle(String branch, State state) {
        if (state.equals(safe.get(branch))) {
            return;
        }
        Path log = log(branch);
        try {
            clean();
            if (state.logSize < 0) {
                createLog(branch);
            } else if (state.logEnd < state.logSize) {
                disk.truncate(log, state.logEnd);
            } else {
                disk.force(log);
            }
            disk.forceFolder(logs);
            disk.forceFolder(heads);
            if (state.present) {
                safe.put(branch, new State(true, state.head, state.generation, state.logEnd, state.logEnd));
            }
        } catch (IOException e) {
            throw failed("cannot write a log", log, e);
        }
    }

    /** Removes temporary files that writers left behind; nobody else is writing now. */
    private void clean() throws IOException {
        if (cleaned) {
            return;
        }
        Path tags = folder.resolve("tags");
        for (Path each : disk.isFolder(tags) ? List.of(folder, heads, tags) : List.of(folder, heads)) {
            for (Path file : disk.list(each)) {
                if (String.valueOf(file.getFileName()).startsWith(TEMPORARY)) {
                    disk.delete(file);
                }
            }
        }
        cleaned = true;
    }

    private void replaceHead(String branch, State state, Head next) {
        Path file = head(branch);
        Path temporary = heads.resolve(TEMPORARY + UUID.randomUUID());
        try {
            SmallFiles.write(disk, temporary, HeadFiles.bytes(next));
        } catch (IOException e) {
            throw failed("cannot write a head", file, e);
        }
        try {
            disk.rename(temporary, file);
        } catch (IOException e) {
            if (isStill(branch, state)) {
                SmallFiles.deleteQuietly(disk, temporary, e);
                throw failed("cannot replace a head", file, e);
            }
            throw uncertain(branch, state, next, e);
        }
        try {
            disk.forceFolder(heads);
        } catch (IOException e) {
            throw uncertain(branch, state, next, e);
        }
    }

    /** Whether a head is certainly the one before a rename that failed. */
    private boolean isStill(String branch, State state) {
        try {
            Optional<Head> found = readHead(branch);
            return found.isPresent() == state.present
                    && found.orElse(Head.empty()).equals(state.head);
        } catch (RepositoryException | StoreIOException e) {
            return false;
        }
    }

    private HeadUpdateUncertainException uncertain(String branch, State state, Head next, IOException error) {
        failure = error;
        return new HeadUpdateUncertainException(branch, head(branch), state.head, next, Disk.reason(error), error);
    }

    /** An error after which nothing can be known of what was written before: nothing more is. */
    private StoreIOException failed(String what, Path where, IOException error) {
        failure = error;
        return failure(what, where, error);
    }

    static StoreIOException failure(String what, Path where, IOException error) {
        return new StoreIOException(what, where.toString(), Disk.reason(error), error);
    }

    static RepositoryException damaged(String message, String hint, @Nullable Throwable cause) {
        return new RepositoryException(RepositoryException.Reason.DAMAGED, message, hint, cause);
    }
}
