package dev.pail.repository.files;

import dev.pail.repository.Epoch;
import dev.pail.repository.Hint;
import dev.pail.repository.RepositoryException;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file {@code gc}: what a garbage collector has left behind (Rule REP7). A line with the number of times that blocks were
 * taken away, and how far back the logs were heeded in that.
 */
final class Sweeps {
    private static final String LINE = "([0-9]{1,15}) (\\S{1,40})\n";

    private final RepositoryFolder folder;
    private final Path file;

    Sweeps(RepositoryFolder folder) {
        this.folder = folder;
        this.file = folder.resolve("gc");
    }

    /** What the file says, or {@link Epoch#UNKNOWN} if it is damaged: that stops no writer (spec rule G17). */
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
            // Few repositories have the file, so there is no pattern before it is needed.
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
     * Replaces what the file says. Needs the lock. On a disk without space for it the file becomes empty, which is read as {@link
     * Epoch#UNKNOWN}: writers trust nothing, so blocks may be taken away all the same. Rule G18.
     */
    void write(Epoch epoch) {
        String line = epoch.number() + " " + epoch.logsKeptSince() + "\n";
        folder.writeOrEmpty("cannot write a file", file, line.getBytes(StandardCharsets.US_ASCII));
    }
}
