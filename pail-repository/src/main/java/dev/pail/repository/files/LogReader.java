package dev.pail.repository.files;

import dev.pail.disk.Disk;
import dev.pail.repository.model.LogEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a file, the last one first, and holds little more of it than a line. Not for several threads. */
final class LogReader implements AutoCloseable {
    /** More than a line can have with two heads of 1,000 events. */
    static final int MAX_LINE = 1 << 20;

    private static final int CHUNK = 4096;

    /** Fewer bytes than this are read line by line. */
    private static final int NEAR = 1 << 14;

    /** How often reading is begun again where the file has become shorter. */
    private static final int LOOKS = 100;

    /**
     * A line.
     *
     * @param from where it begins in the file
     * @param end where the next one begins
     * @param entry what it says; null if it is torn or damaged
     */
    record Line(long from, long end, @Nullable LogEntry entry) {}

    /** There is less of the file than there was. */
    private static final class CutException extends IOException {
        private static final long serialVersionUID = 1;

        CutException() {
            super("it has become shorter");
        }
    }

    private final Disk.ReadableFile file;

    /** Whether a whole line was read: no writer truncates the log before it. */
    private boolean begun;

    /** Where what is held begins in the file. */
    private long from;

    private byte[] held = new byte[0];

    /** How many of the bytes that are held were not given yet. */
    private int left;

    private LogReader(Disk.ReadableFile file, long size) {
        this.file = file;
        this.from = size;
    }

    static LogReader open(Disk disk, Path path) throws IOException {
        Disk.ReadableFile file = disk.open(path);
        try {
            return new LogReader(file, file.size());
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    /** How large the file is, as far as it was not read yet. */
    long position() {
        return from + left;
    }

    /**
     * The line before the one that was given last; null if that was the first of the file. Where a writer cuts off what is torn at the
     * end meanwhile, lines without an entry may be given from there first.
     */
    @Nullable
    Line next() throws IOException {
        for (int look = 1; ; look++) {
            try {
                Line line = read();
                begun |= line != null && line.entry != null;
                return line;
            } catch (CutException e) {
                if (begun || look >= LOOKS) {
                    throw e;
                }
                from = file.size();
                held = new byte[0];
                left = 0;
            }
        }
    }

    private @Nullable Line read() throws IOException {
        if (position() == 0) {
            return null;
        }
        if (left == 0) {
            readMore(CHUNK);
        }
        boolean whole = held[left - 1] == '\n';
        int end = whole ? left - 1 : left;
        int start = end;
        while (true) {
            while (start > 0 && held[start - 1] != '\n') {
                start--;
            }
            if (end - start > MAX_LINE) {
                throw new IllegalArgumentException("a line of more than " + MAX_LINE + " bytes");
            }
            if (start > 0 || from == 0) {
                break;
            }
            int more = readMore(Math.max(left, CHUNK));
            start += more;
            end += more;
        }
        left = start;
        LogEntry entry = whole ? LogLine.parse(Arrays.copyOfRange(held, start, end)) : null;
        return new Line(from + start, from + end + 1, entry);
    }

    /** Reads up to that many bytes before those in memory, and returns how many. */
    private int readMore(int wanted) throws IOException {
        int more = (int) Math.min(from, wanted);
        byte[] bytes = new byte[more + left];
        if (file.read(from - more, bytes, 0, more) != more) {
            throw new CutException();
        }
        System.arraycopy(held, 0, bytes, more, left);
        held = bytes;
        left += more;
        from -= more;
        return more;
    }

    /**
     * Passes over lines of greater generations than a given one, without reading most of them: generations rise in a log. A line that is
     * not whole ends that early.
     */
    void passOver(long generation) throws IOException {
        long low = 0;
        long high = position();
        while (high - low > NEAR) {
            Line line = lineAfter(low + (high - low) / 2, high);
            if (line == null || line.entry == null) {
                break;
            }
            if (line.entry.generation() > generation) {
                high = line.from;
            } else {
                low = line.end;
            }
        }
        if (high < position()) {
            from = high;
            held = new byte[0];
            left = 0;
        }
    }

    /** The first line that begins behind a position; null, if it does not end before another one. */
    private @Nullable Line lineAfter(long position, long before) throws IOException {
        for (int size = CHUNK; size <= 2 * MAX_LINE; size *= 2) {
            byte[] bytes = new byte[(int) Math.min(size, before - position)];
            int count = file.read(position, bytes, 0, bytes.length);
            int start = endOfLine(bytes, 0, count);
            int end = endOfLine(bytes, start, count);
            if (end > 0) {
                return new Line(
                        position + start, position + end, LogLine.parse(Arrays.copyOfRange(bytes, start, end - 1)));
            }
            if (count < size) {
                return null;
            }
        }
        return null;
    }

    /** Where the line behind the next line feed begins; -1, if there is none, or the start is negative. */
    private static int endOfLine(byte[] bytes, int start, int count) {
        for (int i = start; i >= 0 && i < count; i++) {
            if (bytes[i] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    /** The number of the line that begins at a position of a file, from 1. */
    static long number(Disk disk, Path path, long position) throws IOException {
        byte[] chunk = new byte[1 << 16];
        long number = 1;
        try (Disk.ReadableFile file = disk.open(path)) {
            long at = 0;
            while (at < position) {
                int count = file.read(at, chunk, 0, (int) Math.min(chunk.length, position - at));
                if (count <= 0) {
                    break;
                }
                for (int i = 0; i < count; i++) {
                    number += chunk[i] == '\n' ? 1 : 0;
                }
                at += count;
            }
        }
        return number;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
