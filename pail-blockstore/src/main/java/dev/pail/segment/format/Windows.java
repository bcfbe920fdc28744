package dev.pail.segment.format;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Parts of sealed segments in memory, for readers that go from record to record: a walk over a map reads neighbours, and one read of
 * 64 KiB takes less time than a few of a record. A part is read as a whole when a number of reads of it follow each other, and none of the
 * part that has its slot: so reads all over a store read hardly more than they need. A sealed segment does not change, so neither do its
 * parts.
 *
 * <p>For use by several threads at once, which do not wait for each other. Takes at most 2.5 MiB.
 */
public final class Windows {
    /** The bytes of a part. */
    public static final int SIZE = 64 << 10;

    /** How many bytes behind a part are read with it: a record that begins in the part may end there. */
    private static final int BEHIND = 16 << 10;

    private static final int SLOTS = 32;

    /** This number of reads of records takes about as long as to read the whole part. */
    private static final int READS_BEFORE = 8;

    /** Each part has one slot where it can be. */
    private final AtomicReferenceArray<@Nullable Window> slots = new AtomicReferenceArray<>(SLOTS);

    /** For each slot, the part that was last looked for in it and was not there. */
    private final AtomicReferenceArray<@Nullable Wanted> wanted = new AtomicReferenceArray<>(SLOTS);

    /** A file to read from. */
    public interface Source {
        int segmentNumber();

        long size() throws IOException;

        /** Reads bytes: fewer than asked for only at the end of the file. */
        int read(long from, byte[] target, int length) throws IOException;
    }

    /**
     * A part of a file.
     *
     * @param number how many parts of the file come before
     */
    @SuppressWarnings("ArrayRecordComponent") // No one compares these.
    private record Window(Source file, long number, byte[] bytes) {
        boolean isOf(Source other, long part) {
            return isSame(file, other) && number == part;
        }
    }

    /** A part that is not in memory, and how many reads of it followed each other. */
    private record Wanted(Source file, long number, int reads) {
        boolean isOf(Source other, long part) {
            return isSame(file, other) && number == part;
        }
    }

    @SuppressWarnings("ReferenceEquality") // A file may have been opened again.
    private static boolean isSame(Source one, Source other) {
        return one == other;
    }

    /**
     * Some bytes of a file.
     *
     * @param at where the ones that were asked for begin
     */
    @SuppressWarnings("ArrayRecordComponent") // No one compares these.
    record Span(byte[] bytes, int at) {}

    /** The bytes of a record, and all before it in its part; null if the part is not worth reading, or ends before the record does. */
    @Nullable
    Span find(Source file, long offset, int size) throws IOException {
        long number = offset / SIZE;
        int slot = slot(file, number);
        Window there = slots.get(slot);
        Wanted before = wanted.get(slot);
        if (there != null && there.isOf(file, number)) {
            if (before != null) {
                wanted.set(slot, null);
            }
            return span(there, offset, size);
        }
        int reads = 1 + (before != null && before.isOf(file, number) ? before.reads : 0);
        if (reads > READS_BEFORE) {
            return span(read(slot, file, number), offset, size);
        }
        wanted.set(slot, new Wanted(file, number, reads));
        return null;
    }

    /** As {@link #find}, for a record behind one that was read before. If that was in the part before, reads the part of this one. */
    @Nullable
    Span findNext(Source file, long offset, int size) throws IOException {
        long number = offset / SIZE;
        Window here = held(file, number);
        if (here == null && offset % SIZE < BEHIND && held(file, number - 1) != null) {
            here = read(slot(file, number), file, number);
        }
        return here == null ? null : span(here, offset, size);
    }

    /** Whether the byte in a place is in memory. */
    public boolean holds(Source file, long offset) {
        return held(file, offset / SIZE) != null;
    }

    private @Nullable Window held(Source file, long number) {
        Window there = slots.get(slot(file, number));
        return there != null && there.isOf(file, number) ? there : null;
    }

    private static int slot(Source file, long number) {
        return (int) (number + file.segmentNumber() * 7L) & (SLOTS - 1);
    }

    private Window read(int slot, Source file, long number) throws IOException {
        long from = number * SIZE;
        byte[] bytes = new byte[(int) Math.max(0, Math.min(SIZE + BEHIND, file.size() - from))];
        Window made =
                new Window(file, number, file.read(from, bytes, bytes.length) < bytes.length ? new byte[0] : bytes);
        slots.set(slot, made);
        wanted.set(slot, null);
        return made;
    }

    private static @Nullable Span span(Window window, long offset, int size) {
        byte[] bytes = window.bytes;
        int at = (int) (offset - window.number * SIZE);
        return bytes.length - at < size ? null : new Span(bytes, at);
    }

    /** Forgets all. */
    public void clear() {
        for (int slot = 0; slot < SLOTS; slot++) {
            slots.set(slot, null);
            wanted.set(slot, null);
        }
    }
}
