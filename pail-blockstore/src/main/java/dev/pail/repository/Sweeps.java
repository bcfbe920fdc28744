package dev.pail.repository;

import dev.pail.disk.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file {@code gc}: what a garbage collector has left behind. A line with the number of times that blocks were taken away, and
 * how far back the logs were heeded in that.
 */
final class Sweeps {
    private static final Pattern LINE = Pattern.compile("([0-9]{1,18}) (\\S{1,40})\n");

    private final Disk disk;
    private final Path file;
    private final Branches branches;

    /**
     * What the file says.
     *
     * @param count how often blocks were taken away, a portion at a time
     * @param heeded entries of logs from this time on were heeded each time: what they lead to is there
     */
    record State(long count, Instant heeded) {
        static final State NONE = new State(0, Instant.MIN);
    }

    Sweeps(Disk disk, Path folder, Branches branches) {
        this.disk = disk;
        this.file = folder.resolve("gc");
        this.branches = branches;
    }

    State read() {
        try {
            if (disk.facts(file).isEmpty()) {
                return State.NONE;
            }
            Matcher line = LINE.matcher(new String(SmallFiles.read(disk, file), StandardCharsets.ISO_8859_1));
            if (!line.matches()) {
                throw new IllegalArgumentException("not a number and a time");
            }
            return new State(Long.parseLong(line.group(1)), Instant.parse(line.group(2)));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw Branches.damaged("damaged: " + file + ": " + e.getMessage(), "restore it from a copy", e);
        } catch (IOException e) {
            throw Branches.failure("cannot read what was collected", file, e);
        }
    }

    /** How often blocks were taken away; -1 if that cannot be known, which only those who write need. */
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
        String line = (last.count + 1) + " " + latest + "\n";
        branches.write(file, line.getBytes(StandardCharsets.US_ASCII));
    }
}
