package dev.pail.repository;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file {@code gc}: what a garbage collector has left behind (spec rule REP7). A line with the number of times that blocks were
 * taken away, and how far back the logs were heeded in that.
 */
final class Sweeps {
    private static final String LINE = "([0-9]{1,18}) (\\S{1,40})\n";

    private final RepositoryFolder folder;
    private final Path file;

    /**
     * What the file says.
     *
     * @param count raised before blocks are taken away, and again when they are; so it is odd while that is under way, or if it came to no end
     * @param heeded entries of logs from this time on were heeded each time: what they lead to is there
     */
    record State(long count, Instant heeded) {
        static final State NONE = new State(0, Instant.MIN);

        /** Whether blocks may just be taken away. Then nothing that is seen is sure to stay. */
        boolean isUnderWay() {
            return count % 2 != 0;
        }
    }

    Sweeps(RepositoryFolder folder) {
        this.folder = folder;
        this.file = folder.resolve("gc");
    }

    State read() {
        try {
            if (folder.disk().facts(file).isEmpty()) {
                return State.NONE;
            }
            // Few repositories have the file, so there is no pattern before it is needed.
            Matcher line = Pattern.compile(LINE)
                    .matcher(new String(SmallFiles.read(folder.disk(), file), StandardCharsets.ISO_8859_1));
            if (!line.matches()) {
                throw new IllegalArgumentException("not a number and a time");
            }
            return new State(Long.parseLong(line.group(1)), Instant.parse(line.group(2)));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw RepositoryException.damaged("damaged: " + file + ": " + e.getMessage(), "restore it from a copy", e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read what was collected", file, e);
        }
    }

    /** The count; -1 if that cannot be known, which only those who write need. */
    long count() {
        try {
            return read().count;
        } catch (RepositoryException e) {
            return -1;
        }
    }

    /** Notes that blocks are going to be taken away. Needs the lock; is safe when it returns. */
    void begin(Instant heeded) {
        State last = read();
        Instant latest = last.heeded.isAfter(heeded) ? last.heeded : heeded;
        write(new State(last.count + (last.isUnderWay() ? 2 : 1), latest));
    }

    /** Notes that they were. Needs the lock. */
    void end() {
        State last = read();
        write(new State(last.count + 1, last.heeded));
    }

    private void write(State state) {
        String line = state.count + " " + state.heeded + "\n";
        folder.write("cannot write a file", file, line.getBytes(StandardCharsets.US_ASCII));
    }
}
