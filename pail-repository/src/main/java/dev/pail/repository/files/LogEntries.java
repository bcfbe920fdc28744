package dev.pail.repository.files;

import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.RefLog;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a log that lead to a head (Rule REP11), newest first, without those of moves that did not happen. Not for
 * several threads.
 */
final class LogEntries implements RefLog {
    private final Disk disk;
    private final Path file;

    /** What to do if the log is damaged. */
    private final Hint hint;

    private Head head;
    private long generation;
    private @Nullable LogReader reader;
    private boolean over;

    /** Whether a line was read that is whole: one before it that is not is damaged, not torn. */
    private boolean within;

    /** Whether entries that are newer than the head were passed over. */
    private boolean passedOver;

    /** Whether an entry was given. */
    private boolean begun;

    LogEntries(Disk disk, Path file, Hint hint, Head head, long generation) {
        this.disk = disk;
        this.file = file;
        this.hint = hint;
        this.head = head;
        this.generation = generation;
    }

    @Override
    public @Nullable LogEntry next() {
        if (over) {
            return null;
        }
        try {
            return read();
        } catch (IllegalArgumentException e) {
            throw RepositoryException.damaged("damaged log: " + file + ": " + e.getMessage(), hint, e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read a log", file, e);
        }
    }

    private @Nullable LogEntry read() throws IOException {
        LogReader open = reader;
        if (open == null) {
            open = LogReader.open(disk, file);
            reader = open;
        }
        for (LogReader.Line line = open.next(); line != null; line = open.next()) {
            LogEntry entry = line.entry();
            if (entry == null) {
                if (within) {
                    throw damaged(line, "damaged");
                }
                continue;
            }
            within = true;
            if (!begun && entry.generation() - 1 > generation && !passedOver) {
                passedOver = true;
                open.passOver(generation);
                continue;
            }
            if (entry.generation() == generation && entry.to().equals(head)) {
                head = entry.from();
                generation--;
                begun = true;
                return entry;
            }
            // Before the first, there may be moves that are newer than the head; then only those that did not happen.
            if (entry.generation() <= generation || (begun && entry.generation() != generation + 1)) {
                throw damaged(line, "not what the next line follows");
            }
        }
        if (generation != 0 || !head.isEmpty()) {
            throw new IllegalArgumentException(
                    "its beginning is missing: there is nothing before generation " + (generation + 1));
        }
        close();
        return null;
    }

    private IllegalArgumentException damaged(LogReader.Line line, String how) throws IOException {
        return new IllegalArgumentException("line " + LogReader.number(disk, file, line.from()) + " is " + how);
    }

    @Override
    public void close() {
        over = true;
        LogReader open = reader;
        reader = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw RepositoryFolder.failure("cannot close a log", file, e);
            }
        }
    }
}
