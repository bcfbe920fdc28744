package dev.pail.cli.command.map;

import dev.pail.bytes.Utf8;
import dev.pail.cli.text.TemporaryFile;
import dev.pail.ipld.Cid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/** Puts that do not fit into the memory: sorted runs of them in a temporary file, which are merged at the end. For one use. */
final class SortedRuns implements AutoCloseable {
    /** How many bytes of a run are read or written at once, where the memory allows it. */
    private static final int BUFFER = 1 << 16;

    private static final int LEAST_BUFFER = 512;

    /** The length of a key, of a value, and the number of a line. */
    private static final int FRAME = Integer.BYTES + Integer.BYTES + Long.BYTES;

    private final TemporaryFile file = new TemporaryFile();

    /** Where each run ends in the file. */
    private final List<Long> ends = new ArrayList<>();

    private ByteBuffer out = ByteBuffer.allocate(BUFFER);

    /** Takes puts. */
    interface Target {
        void put(String key, Cid value, long line);
    }

    /** Adds a put to the run that {@link #endRun} ends. Its key is not less than that of the put before. */
    void add(String key, Cid value, long line) {
        byte[] keyBytes = Utf8.encode(key);
        byte[] valueBytes = value.toBytes();
        int length = FRAME + keyBytes.length + valueBytes.length;
        if (out.remaining() < length) {
            write();
            out = out.capacity() < length ? ByteBuffer.allocate(length) : out;
        }
        out.putInt(keyBytes.length).putInt(valueBytes.length).putLong(line);
        out.put(keyBytes).put(valueBytes);
    }

    private void write() {
        file.append(out.flip());
        out.clear();
    }

    void endRun() {
        write();
        ends.add(file.size());
    }

    /**
     * Gives all puts to a target, in the order of their keys, and those of one key in the order in which they came.
     *
     * @param memory how many bytes buffers may take, if there are not too many runs
     */
    void merge(long memory, Target target) {
        int buffer = (int) Math.max(LEAST_BUFFER, Math.min(BUFFER, memory / Math.max(1, ends.size())));
        PriorityQueue<Run> runs = new PriorityQueue<>();
        for (int i = 0; i < ends.size(); i++) {
            Run run = new Run(i, buffer);
            if (run.next()) {
                runs.add(run);
            }
        }
        for (Run first = runs.poll(); first != null; first = runs.poll()) {
            target.put(first.key, first.value(), first.line);
            if (first.next()) {
                runs.add(first);
            }
        }
    }

    /** A run, at one of its puts. */
    private final class Run implements Comparable<Run> {
        private final int number;
        private final long end;
        private long position;
        private ByteBuffer in;
        private String key = "";
        private int valueLength;
        private long line;

        Run(int number, int buffer) {
            this.number = number;
            this.position = number == 0 ? 0 : ends.get(number - 1);
            this.end = ends.get(number);
            this.in = ByteBuffer.allocate(buffer).limit(0);
        }

        /** Goes to the next put, if there is one. */
        boolean next() {
            if (position == end && !in.hasRemaining()) {
                return false;
            }
            fill(FRAME);
            int keyLength = in.getInt();
            valueLength = in.getInt();
            line = in.getLong();
            fill(keyLength + valueLength);
            key = Utf8.decode(in.array(), in.position(), in.position() + keyLength);
            in.position(in.position() + keyLength);
            return true;
        }

        /** The value of this put. Reads it once. */
        Cid value() {
            int from = in.position();
            in.position(from + valueLength);
            return Cid.fromBytes(in.array(), from, from + valueLength);
        }

        /** Reads until a number of bytes is there. */
        private void fill(int count) {
            if (in.remaining() >= count) {
                return;
            }
            ByteBuffer next = in.capacity() < count ? ByteBuffer.allocate(count).put(in) : in.compact();
            next.limit((int) Math.min(next.capacity(), next.position() + end - position));
            while (next.hasRemaining()) {
                int read = file.read(next, position);
                if (read < 0) {
                    throw new IllegalStateException("the temporary file was cut");
                }
                position += read;
            }
            in = next.flip();
        }

        @Override
        public int compareTo(Run other) {
            int order = key.compareTo(other.key);
            return order == 0 ? Integer.compare(number, other.number) : order;
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
