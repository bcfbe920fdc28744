package dev.pail.repository.files;

import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.Epoch;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file {@code gc}: the epoch of the garbage collector (Rule REP7). One line with its number, and the time since when log
 * entries were kept.
 */
final class EpochFile {
    private static final String LINE = "([0-9]{1,15}) (\\S{1,40})\n";

    private final RepositoryFolder folder;
    private final Path file;

    EpochFile(RepositoryFolder folder) {
        this.folder = folder;
        this.file = folder.resolve("gc");
    }

    /** The epoch, or {@link Epoch#UNKNOWN} if the file is damaged: that stops no writer (spec rule G17). */
    Epoch read() {
        try {
            return readWhole();
        } catch (RepositoryException e) {
            Trace.swallowed("the file of the garbage collector is damaged, and counts as unknown: " + file, e);
            return Epoch.UNKNOWN;
        }
    }

    /** @throws RepositoryException if the file is damaged */
    Epoch readWhole() {
        try {
            if (folder.disk().status(file).isEmpty()) {
                return Epoch.NONE;
            }
            // Compiles the pattern late: few repositories have the file.
            Matcher line = Pattern.compile(LINE)
                    .matcher(new String(SmallFiles.read(folder.disk(), file), StandardCharsets.ISO_8859_1));
            if (!line.matches()) {
                throw new IllegalArgumentException("not a number and a time");
            }
            return new Epoch(Long.parseLong(line.group(1)), Instant.parse(line.group(2)));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw RepositoryException.damaged(
                    "damaged: " + file + ": " + e.getMessage(),
                    Hint.of("replace it with: ", Hint.Action.COLLECT, ""),
                    e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read what was collected", file, e);
        }
    }

    /**
     * Replaces the epoch. Needs the lock. If the disk has no space, the file becomes empty, which is read as {@link Epoch#UNKNOWN}: then
     * writers check all blocks, so the collector may still delete (Rule G18).
     */
    void write(Epoch epoch) {
        String line = epoch.number() + " " + epoch.logsKeptSince() + "\n";
        folder.writeOrEmpty("cannot write a file", file, line.getBytes(StandardCharsets.US_ASCII));
    }
}
