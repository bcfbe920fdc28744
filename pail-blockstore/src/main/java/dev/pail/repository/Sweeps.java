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
    private static final String LINE = "([0-9]{1,15}) (\\S{1,40})\n";

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

        /** What a damaged file stands for: a collection may be under way, and may have heeded no log. */
        static final State UNKNOWN = new State(-1, Instant.MAX);

        /** Whether blocks may just be taken away. Then nothing that is seen is sure to stay. */
        boolean isUnderWay() {
            return count % 2 != 0;
        }
    }

    Sweeps(RepositoryFolder folder) {
        this.folder = folder;
        this.file = folder.resolve("gc");
    }

    /** What the file says, or {@link State#UNKNOWN} if it is damaged: that stops no writer (spec rule G17). */
    State read() {
        try {
            return readWhole();
        } catch (RepositoryException e) {
            return State.UNKNOWN;
        }
    }

    /** @throws RepositoryException if the file is damaged */
    State readWhole() {
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
            throw RepositoryException.damaged(
                    "damaged: " + file + ": " + e.getMessage(), "replace it with: pail gc", e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read what was collected", file, e);
        }
    }

    boolean isReadable() {
        return !read().equals(State.UNKNOWN);
    }

    /** From when on logs were heeded; if the file is damaged, the time now: no collection was later. */
    Instant heeded() {
        State now = read();
        return now.equals(State.UNKNOWN) ? folder.disk().now() : now.heeded;
    }

    long count() {
        return read().count;
    }

    /** Replaces a damaged file, as if a collection had just ended. Needs the lock. */
    void replace() {
        write(new State(newCount(), heeded()));
    }

    /** Notes that blocks are going to be taken away. Needs the lock; is safe when it returns. */
    void begin(Instant heeded) {
        State last = read();
        Instant before = heeded();
        Instant latest = before.isAfter(heeded) ? before : heeded;
        long count = last.equals(State.UNKNOWN) ? newCount() : last.count;
        write(new State(count + (count % 2 == 0 ? 1 : 2), latest));
    }

    /** Notes that they were. Needs the lock. */
    void end() {
        State last = read();
        write(new State(last.equals(State.UNKNOWN) ? newCount() : last.count + 1, heeded()));
    }

    /** An even count that no process has seen: collections are far fewer than milliseconds. */
    private long newCount() {
        return 2 * folder.disk().now().toEpochMilli();
    }

    private void write(State state) {
        String line = state.count + " " + state.heeded + "\n";
        folder.write("cannot write a file", file, line.getBytes(StandardCharsets.US_ASCII));
    }
}
