package dev.pail.segment;

import dev.pail.disk.Disk;
import dev.pail.segment.format.Output;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.Scan;
import dev.pail.segment.format.SealedIndex;
import dev.pail.segment.format.SegmentFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The segment that is being written: begins it, appends batches, repairs it after a loss of power, seals it.
 *
 * <p>Only the writer uses it, one thread at a time: either the thread that has the writer's lock while no batch is being written, or the
 * one thread that writes a batch, which has let go of the lock. The lock makes the changes of one visible to the next.
 */
final class ActiveSegment {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** How many bytes of zeros to set aside behind the last batch at once. */
    private static final int SET_ASIDE = 256 * 1024;

    /** A batch of more bytes takes longer to write than to sync. */
    private static final int LARGE = 1 << 20;

    /** The fewest bytes that are worth setting aside. */
    private static final int LEAST_ASIDE = 4 * 1024;

    /** How many batches must have made the file larger before space is set aside: a writer of a few blocks gains nothing from it. */
    private static final int GROWN_BEFORE = 4;

    private static final int MOST_SKIPPED = 1 << 24;

    private final Disk disk;
    private final Catalog catalog;
    private final CurrentView current;

    /** How many bytes may be written and not yet synced, at most. */
    private final long maxUnsynced;

    /** A segment that is larger after a batch is sealed, in bytes. */
    private final long mostSize;

    private View.@Nullable Tail tail;
    private Disk.@Nullable WritableFile out;

    /** The checksum of the segment up to {@link #summed}. */
    private CRC32C checksum = new CRC32C();

    private long summed;

    /** Up to where the segment is durable. */
    private long durableEnd;

    /** The size of the file, with the zeros that are set aside behind the last batch. */
    private long ready;

    /** How many bytes to set aside at once in this segment: fewer after the disk had no space for more. */
    private int aside = SET_ASIDE;

    /** By how much the sequence number of the next commit is greater than that of the last. */
    private int step = 1;

    /** How many batches have made the file larger since {@link #recover}. */
    private int grown;

    ActiveSegment(Disk disk, Catalog catalog, CurrentView current, long maxUnsynced, long mostSize) {
        this.disk = disk;
        this.catalog = catalog;
        this.current = current;
        this.maxUnsynced = maxUnsynced;
        this.mostSize = mostSize;
    }

    static int salt() {
        return RANDOM.nextInt();
    }

    /** The segment that is being written. There must be one. */
    View.Tail tail() {
        return Objects.requireNonNull(tail, "tail");
    }

    boolean isFull(long end) {
        return end > mostSize;
    }

    /**
     * Whether the segment still ends where this object left it, and all others are still there, so that the writer can append to it. If the
     * current view shows another tail, the folder was away for a while: then the file of this one is closed, and the view may lack segments.
     */
    @SuppressWarnings("ReferenceEquality") // Another tail may have the same content.
    boolean isUntouched(long end) throws IOException {
        View.Tail now = tail;
        return now != null
                && now == current.get().tail()
                && now.end == end
                && catalog.isOpen(now)
                && !now.file.isWritten(end)
                && catalog.counts(current.get());
    }

    /** Opens the newest segment, and cuts off what is behind its last commit; or begins a first segment. */
    void recover() throws IOException {
        close(false);
        View view = current.own();
        catalog.clean(view);
        View.Tail found = view.tail();
        if (found == null) {
            begin(catalog.next(view.last()), salt());
            return;
        }
        SegmentFile file = found.file;
        if (!found.damages.isEmpty()) {
            // The writer appends nothing behind damage, and leaves the file as it is.
            try (Disk.WritableFile opened = disk.append(file.path())) {
                writeAgain(found, opened);
            }
            begin(catalog.next(view.last()), salt());
            return;
        }
        ready = file.size();
        boolean torn = !file.isUnused(found.end);
        if (torn) {
            catalog.keepLost(file, found.end, ready);
        }
        if (torn || (ready > found.end && !setsAside())) {
            disk.truncate(file.path(), found.end);
            ready = found.end;
        }
        grown = 0;
        Disk.WritableFile opened = disk.append(file.path());
        out = opened;
        writeAgain(found, opened);
        disk.syncDirectory(catalog.folder());
        sum(found);
        durableEnd = found.end;
    }

    /**
     * Writes again what may not be durable, and syncs it. After a failed sync the system may take the pages for written: a later sync leaves
     * them out unless they are written again.
     */
    private void writeAgain(View.Tail found, Disk.WritableFile opened) throws IOException {
        SegmentFile file = found.file;
        Instant mtime = catalog.mtime(file);
        for (long at = Math.max(0, found.durableEnd); at < found.end; ) {
            byte[] bytes = file.readAll(at, (int) Math.min(SET_ASIDE, found.end - at));
            opened.seek(at);
            opened.write(bytes);
            at += bytes.length;
        }
        opened.sync();
        // Nothing was put, so the mtime stays.
        Disk.trySetMtime(disk, file.path(), mtime);
    }

    /** Makes a segment the active one, and computes the checksum of what is in it. */
    @SuppressWarnings("ReferenceEquality") // Only for the same object the checksum is known already.
    private void sum(View.Tail found) throws IOException {
        if (found != tail) {
            tail = found;
            checksum = new CRC32C();
            summed = 0;
        }
        Scan.addTo(checksum, found.file, summed, found.end);
        summed = found.end;
    }

    /**
     * Lets the next commit have a random sequence number. So commits of several processes differ, even if one stands in the place of
     * another that was cut off.
     */
    void skip() {
        step = 1 + RANDOM.nextInt(MOST_SKIPPED);
    }

    /** The number of the segment behind another. */
    int next(int segmentNumber) throws IOException {
        return catalog.next(segmentNumber);
    }

    /** Begins a segment. */
    void begin(int segmentNumber, int salt) throws IOException {
        Path path = catalog.path(segmentNumber, Catalog.OPEN);
        byte[] beginning = SegmentFile.beginning(segmentNumber, salt);
        Disk.WritableFile created = disk.create(path);
        out = created;
        created.write(beginning);
        created.sync();
        disk.syncDirectory(catalog.folder());
        View.Tail begun = new View.Tail(SegmentFile.open(disk, path, segmentNumber));
        checksum = new CRC32C();
        checksum.update(beginning);
        summed = beginning.length;
        durableEnd = beginning.length;
        ready = beginning.length;
        aside = SET_ASIDE;
        tail = begun;
        current.show(current.get().with(begun.segment(), begun));
    }

    /** The commit of a batch. */
    RecordHeader.Commit commit(WriteBatch batch) {
        View.Tail now = tail();
        return new RecordHeader.Commit(now.sequence + step, now.commitOffset, batch.staged.size(), durableEnd);
    }

    /** Writes a batch, whose last record is its commit, and lets readers see it. */
    void write(View.Tail to, WriteBatch batch) throws IOException {
        byte[] bytes = batch.out.toBytes();
        long durableBefore = durableEnd;
        Disk.WritableFile file = Objects.requireNonNull(out, "out");
        try {
            if (setsAside()) {
                setAside(file, batch.end());
                file.writeDurably(batch.start, bytes);
                durableEnd = batch.end();
            } else {
                file.write(bytes);
                if (batch.end() - durableEnd > maxUnsynced) {
                    file.sync();
                    durableEnd = batch.end();
                }
            }
        } catch (IOException e) {
            cutOff(to, e);
            throw e;
        }
        checksum.update(bytes);
        summed = batch.end();
        batch.staged.forEach(to.index::add);
        to.sequence += step;
        step = 1;
        to.commitOffset = batch.end() - RecordHeader.COMMIT;
        to.durableEnd = durableBefore;
        to.end = batch.end();
    }

    /** Whether to set space aside: each batch has its own sync, which takes less time if the file does not grow. */
    private boolean setsAside() {
        return maxUnsynced == 0;
    }

    /**
     * Sets space aside for a batch and for later ones, if none is left and enough batches have made the file larger. A large batch is not
     * worth it: its bytes would be written twice. This comes before the batch: if it fails, no reader has seen a commit that is cut off again.
     */
    private void setAside(Disk.WritableFile file, long end) throws IOException {
        if (end <= ready) {
            return;
        }
        grown++;
        if (grown > GROWN_BEFORE && end - ready <= LARGE && !isFull(end)) {
            for (; aside >= LEAST_ASIDE; aside /= 4) {
                long next = end + Math.min(aside, mostSize - end);
                try {
                    file.writeDurably(ready, new byte[(int) (next - ready)]);
                    ready = next;
                    return;
                } catch (IOException e) {
                    // The disk may have space for the batch, but not for this much. Give back what was written.
                    disk.truncate(tail().file.path(), ready);
                }
            }
        }
        ready = end;
    }

    /** Gives back the space behind the last batch. A collector on a full disk may need it. */
    void giveBack() throws IOException {
        View.Tail last = tail;
        if (last != null && last.file.size() > last.end) {
            disk.truncate(last.file.path(), last.end);
            ready = last.end;
        }
    }

    /** Cuts off what is behind the last acknowledged batch. If that fails, the next writer does it. */
    private void cutOff(View.Tail from, IOException error) {
        try {
            disk.truncate(from.file.path(), from.end);
        } catch (IOException e) {
            error.addSuppressed(e);
        }
    }

    /** Seals the segment, or removes it if it is empty. Then there is no active segment. */
    void seal() throws IOException {
        View.Tail ended = tail();
        if (ended.end == SegmentFile.BEGINNING) {
            tail = null;
            current.show(current.get().without(ended));
            close(false);
            ended.file.close();
            disk.delete(ended.file.path());
            return;
        }
        Output seal = new Output(RecordHeader.SEAL);
        RecordHeader.Seal content = new RecordHeader.Seal(ended.index.count(), (int) checksum.getValue());
        RecordHeader.write(seal, content, new byte[0], ended.file.salt(), ended.end);
        // Another process may have set space aside, and been killed.
        if (ended.file.size() > ended.end) {
            disk.truncate(ended.file.path(), ended.end);
        }
        Disk.WritableFile file = Objects.requireNonNull(out, "out");
        file.seek(ended.end);
        file.write(seal.toBytes());
        file.sync();
        out = null;
        file.close();
        int segmentNumber = ended.file.segmentNumber();
        SealedIndex index = ended.index.sealed();
        catalog.publish(ended.file.path(), segmentNumber, index, ended.end + RecordHeader.SEAL, content.checksum());
        Path sealed = catalog.path(segmentNumber, Catalog.SEALED);
        tail = null;
        SegmentFile renamed = ended.file.renamed(sealed);
        View view = current.get();
        catalog.writeManifest(view.with(new View.Segment(renamed, index, List.of()), null));
        current.show(view.with(catalog.sealed(renamed, index), null));
    }

    /** @param sync whether to sync what was written */
    void close(boolean sync) throws IOException {
        Disk.WritableFile file = out;
        if (file != null) {
            out = null;
            try (file) {
                View.Tail written = tail;
                if (sync && written != null && written.end > durableEnd) {
                    file.sync();
                }
            }
        }
    }
}
