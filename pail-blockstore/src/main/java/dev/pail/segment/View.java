package dev.pail.segment;

import dev.pail.segment.format.DamageException;
import dev.pail.segment.format.Index;
import dev.pail.segment.format.OpenIndex;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.RecordRef;
import dev.pail.segment.format.Scan;
import dev.pail.segment.format.SealedIndex;
import dev.pail.segment.format.SegmentFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a store at one time. They stay readable until a compaction closes their files.
 *
 * @param segments in the order of their numbers
 * @param tail the last of them, if it is being written
 * @param lost the segments that are missing, or cannot be read at all
 * @param last the greatest number that a segment ever had, or -1
 */
record View(List<Segment> segments, @Nullable Tail tail, List<Scan.Damage> lost, int last) {
    /**
     * A segment that is open for reading.
     *
     * @param damages what is known to be damaged in it
     */
    record Segment(SegmentFile file, Index index, List<Scan.Damage> damages) {
        /** Closes the files of the segment and its index. */
        void close() throws IOException {
            try (file) {
                if (index instanceof SealedIndex sealed) {
                    sealed.close();
                }
            }
        }

        /** Whether the segment is sealed and empty: then its file need not be open. */
        boolean isEmpty() {
            return index instanceof SealedIndex && index.count() == 0 && damages.isEmpty();
        }

        /** Reads the file up to its current end. */
        Scan scan() throws IOException {
            if (isEmpty()) {
                return Scan.ofNothing(file);
            }
            return index instanceof SealedIndex ? Scan.ended(file) : Scan.open(file);
        }

        /** @throws DamageException if any of it is damaged */
        List<Scan.Entry> soundEntries() throws IOException {
            Scan scan = scan();
            requireNone(scan.damages());
            return scan.entries();
        }
    }

    private static void requireNone(List<Scan.Damage> damages) throws DamageException {
        if (!damages.isEmpty()) {
            throw new DamageException("the store is damaged: " + damages.get(0));
        }
    }

    /** @throws DamageException if something is known to be damaged */
    void checkSound() throws DamageException {
        requireNone(damages());
    }

    /** The known damages. */
    List<Scan.Damage> damages() {
        List<Scan.Damage> all = new ArrayList<>(lost);
        segments.forEach(segment -> all.addAll(segment.damages));
        return all;
    }

    /** No segments. */
    static final View NONE = new View(List.of(), null, List.of(), -1);

    /** The end of a segment: if it is the same as before, the segment has no new records. */
    record Extent(int segmentNumber, boolean sealed, long end) {}

    List<Extent> extents() {
        List<Extent> extents = new ArrayList<>();
        Tail open = tail;
        for (Segment segment : segments) {
            int segmentNumber = segment.file.segmentNumber();
            long end = open != null && open.file.segmentNumber() == segmentNumber ? open.end : segment.index.count();
            extents.add(new Extent(segmentNumber, segment.index instanceof SealedIndex, end));
        }
        return extents;
    }

    /**
     * The active segment. One thread changes it: the one that writes a batch, or, while other processes may write, the one with the monitor
     * of {@link CurrentView}. Readers take no lock and read only the index, {@link #end} and the damages.
     */
    static final class Tail {
        final SegmentFile file;
        final OpenIndex index = new OpenIndex();

        final List<Scan.Damage> damages = new CopyOnWriteArrayList<>();

        /** The end of the last commit. */
        volatile long end = SegmentFile.BEGINNING;

        /** The offset of the last commit, or 0. */
        long commitOffset;

        long sequence;

        /** Up to where the segment is durable, as the last commit says. */
        long durableEnd;

        Tail(SegmentFile file) {
            this.file = file;
        }

        Segment segment() {
            return new Segment(file, index, damages);
        }

        /** Whether a file has the last commit that this object knows. */
        boolean isIn(SegmentFile now) throws IOException {
            return commitOffset == 0 || now.commit(commitOffset).sequence() == sequence;
        }

        /** Adds what was read behind the last commit. */
        void follow(Scan scan) {
            scan.entries().forEach(entry -> index.add(new RecordRef(entry.location(), entry.content())));
            RecordHeader.Commit commit = scan.lastCommit();
            if (commit != null) {
                sequence = commit.sequence();
                durableEnd = commit.durableEnd();
                commitOffset = scan.lastCommitOffset();
            }
            damages.addAll(scan.damages());
            end = scan.end();
        }
    }

    /** This view with one more segment, which replaces the one of the same number. */
    View with(Segment segment, @Nullable Tail open) {
        List<Segment> next = new ArrayList<>(segments);
        int segmentNumber = segment.file.segmentNumber();
        next.removeIf(old -> old.file.segmentNumber() == segmentNumber);
        next.add(segment);
        return new View(List.copyOf(next), open, lost, Math.max(last, segmentNumber));
    }

    /** This view without the active segment. */
    View without(Tail open) {
        int segmentNumber = open.file.segmentNumber();
        return new View(
                segments.stream()
                        .filter(old -> old.file.segmentNumber() != segmentNumber)
                        .toList(),
                null,
                lost,
                segmentNumber);
    }

    @SuppressWarnings("ReferenceEquality") // A file may have been opened again.
    boolean shows(SegmentFile file) {
        return file(file.segmentNumber()) == file;
    }

    /** Closes the files that no other view shows. A thread that reads them starts again with the current view. */
    void closeFilesNotIn(View... others) throws IOException {
        List<Segment> hidden = segments.stream()
                .filter(segment -> Arrays.stream(others).noneMatch(other -> other.shows(segment.file)))
                .toList();
        IOException failed = null;
        for (Segment segment : hidden) {
            try {
                segment.close();
            } catch (IOException e) {
                if (failed == null) {
                    failed = e;
                } else {
                    failed.addSuppressed(e);
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    /** The file of a segment, if there is one of this number. */
    @Nullable
    SegmentFile file(int segmentNumber) {
        Segment found = segment(segmentNumber);
        return found == null ? null : found.file;
    }

    /** The segment of this number that is not being written, if there is one. */
    @Nullable
    Segment sealed(int segmentNumber) {
        Segment found = segment(segmentNumber);
        return found != null && found.index instanceof SealedIndex ? found : null;
    }

    /** The segment of this number, if there is one. */
    @Nullable
    Segment segment(int segmentNumber) {
        int low = 0;
        int high = segments.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Segment segment = segments.get(middle);
            int found = segment.file.segmentNumber();
            if (found == segmentNumber) {
                return segment;
            }
            if (found < segmentNumber) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }
}
