package dev.pail.repository.files;

import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The folder of the logs, each in a file that has the name of its branch, and stays when the branch is removed. */
record LogFiles(Disk disk, Path folder) {
    /**
     * The end of a log.
     *
     * @param last the last entry; null if there is none
     * @param end where the next entry belongs
     * @param size how large the log is; more than {@code end}, if something torn is there; -1 if there is no log
     */
    record Tail(@Nullable LogEntry last, long end, long size) {
        static final Tail ABSENT = new Tail(null, 0, -1);
    }

    Path file(String branch) {
        return folder.resolve(HeadFiles.fileName(branch));
    }

    /** The names of all branches that have a log, in order. */
    List<String> names() {
        return names(name -> true);
    }

    /** The names that match a condition. Looks at the files of these only. */
    List<String> names(Predicate<String> condition) {
        return HeadFiles.names(disk, folder).stream()
                .filter(condition)
                .filter(RefName::isValid)
                .filter(name -> !disk.isDirectory(file(name)))
                .toList();
    }

    /** Makes a log without entries, if it is not there. */
    void create(String branch) throws IOException {
        try (Disk.WritableFile out = disk.append(file(branch))) {
            out.sync();
        }
        disk.syncDirectory(folder);
    }

    /** Appends a line to a log, and syncs it. */
    void append(String branch, byte[] line) throws IOException {
        try (Disk.WritableFile out = disk.append(file(branch))) {
            out.write(line);
            out.sync();
        }
    }

    /**
     * Writes the last line of a log again, and syncs it. Another process may have left it after a failed sync. The system may then mark the
     * page as clean, and a sync alone would report success without writing it.
     */
    void writeAgain(String branch) throws IOException {
        Path file = file(branch);
        try (LogReader lines = LogReader.open(disk, file);
                Disk.ReadableFile in = disk.open(file);
                Disk.WritableFile out = disk.append(file)) {
            LogReader.Line last = lines.next();
            if (last != null) {
                byte[] bytes = new byte[(int) (last.end() - last.from())];
                if (in.read(last.from(), bytes, 0, bytes.length) < bytes.length) {
                    throw new EOFException("it has become shorter");
                }
                out.seek(last.from());
                out.write(bytes);
            }
            out.sync();
        }
    }

    /** @throws NoSuchFileException if there is no such log */
    Tail tail(String branch) throws NoSuchFileException {
        Path file = file(branch);
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
            throw e;
        } catch (IllegalArgumentException e) {
            throw RepositoryException.damaged("damaged log: " + file + ": " + e.getMessage(), hint(branch), e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read a log", file, e);
        }
    }

    /** The size of a log and the checksum of its last line. */
    String end(String branch) throws IOException {
        try (Disk.ReadableFile file = disk.open(file(branch))) {
            long size = file.size();
            byte[] last = new byte[LogLine.CHECKSUM];
            int count = file.read(Math.max(0, size - last.length), last, 0, last.length);
            return size + new String(last, 0, Math.max(0, count), StandardCharsets.ISO_8859_1);
        }
    }

    /** What to do if a log is damaged. Without a log, the head of its branch gets a new one (spec rule REP20). */
    private static Hint hint(String branch) {
        String words =
                "restore it from a copy; or move it elsewhere, which gives up versions that only it leads to, and if the"
                        + " branch exists, run: ";
        return Hint.of(words, Hint.Action.RECOVER, branch);
    }

    /** The entries that lead to a head, newest first. Holds the log open until it is closed, or was read to its end. */
    LogEntries entries(String branch, Head head, long generation) {
        return new LogEntries(disk, file(branch), hint(branch), head, generation);
    }
}
