package dev.pail.segment;

import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.DamageException;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.RecordRef;
import dev.pail.segment.format.Scan;
import dev.pail.trace.Trace;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes copies of blocks side by side (Rule SEG21), and finds the segments with copies that later ones replace (Rule SEG22). The caller has
 * the lock of the store.
 */
final class Copies {
    /** How many segments must fit on the disk before one is written. */
    private static final int SPACE = 4;

    private final Disk disk;
    private final Catalog catalog;
    private final CurrentView current;
    private final Blocks blocks;

    Copies(Disk disk, Catalog catalog, CurrentView current, Blocks blocks) {
        this.disk = disk;
        this.catalog = catalog;
        this.current = current;
        this.blocks = blocks;
    }

    /**
     * Writes a new segment with copies of blocks, in their order, until it is full. There must be no active segment. Leaves out blocks that
     * the store does not have, or cannot read: one that was erased meanwhile must not come back.
     *
     * @return the number of the segment; -1 if there was nothing to copy, or no space
     */
    int write(Iterator<Cid> order, long segmentSize) throws IOException {
        View view = current.get();
        NewSegment made = null;
        View.Segment sealed;
        Map<Integer, Instant> mtimes = new HashMap<>();
        try {
            while (order.hasNext() && (made == null || made.end() <= segmentSize)) {
                Cid cid = order.next();
                RecordRef record = blocks.findRecord(view, cid);
                Block block = record == null ? null : readable(view, cid);
                if (record == null || block == null) {
                    continue;
                }
                if (made == null) {
                    int number = catalog.next(view.last());
                    made = new NewSegment(disk, catalog, number, false);
                    made.begin();
                }
                byte[] bytes = UnsafeBlocks.bytes(block);
                made.add(
                        new RecordHeader.BlockContent(cid, null, 0, bytes.length),
                        bytes,
                        mtime(view, record.location(), mtimes));
            }
            sealed = made == null ? null : made.finish();
        } catch (IOException | RuntimeException | Error e) {
            if (made != null) {
                discard(made, e);
            }
            if (e instanceof IOException && !(e instanceof DamageException)) {
                Trace.swallowed("blocks stay where they are, as copies of them cannot be written", e);
                return -1;
            }
            throw e;
        }
        return sealed == null ? -1 : show(view, sealed);
    }

    /** Makes a new segment count. If that fails, it may count already, so it stays. */
    private int show(View view, View.Segment made) throws IOException {
        View next = view.with(made, null);
        try {
            catalog.writeManifest(next);
        } catch (IOException | RuntimeException | Error e) {
            made.close();
            throw e;
        }
        current.show(next);
        return made.file().segmentNumber();
    }

    /** Whether the disk probably has space for one more segment, and for what is put meanwhile. */
    boolean hasSpace(long segmentSize) throws IOException {
        OptionalLong usable = disk.usableBytes(catalog.folder());
        return usable.isEmpty() || usable.getAsLong() > SPACE * segmentSize;
    }

    private static void discard(NewSegment made, Throwable failure) throws IOException {
        try {
            made.discard();
        } catch (IOException e) {
            failure.addSuppressed(e);
            if (failure instanceof IOException first) {
                throw first;
            }
        }
    }

    private @Nullable Block readable(View view, Cid cid) throws IOException {
        try {
            return blocks.find(view, cid);
        } catch (DamageException e) {
            Trace.swallowed("a block that cannot be read is not copied: " + cid, e);
            return null;
        }
    }

    private Instant mtime(View view, Location location, Map<Integer, Instant> mtimes) throws IOException {
        Instant known = mtimes.get(location.segmentNumber());
        View.Segment segment = view.segment(location.segmentNumber());
        if (known == null && segment != null) {
            known = catalog.mtime(segment.file());
            mtimes.put(location.segmentNumber(), known);
        }
        return known == null ? Instant.MIN : known;
    }

    /**
     * The sealed segments in front of new copies that have copies alone: each block has an intact record in an earlier segment, and none is
     * a base.
     *
     * @param first the number of the first segment with new copies
     */
    Set<Integer> superseded(int first) throws IOException {
        View view = current.get();
        view.checkSound();
        Set<Integer> found = new TreeSet<>();
        // The places of bases in segments that were not looked at yet.
        Set<Long> bases = new HashSet<>();
        List<View.Segment> segments = view.segments();
        for (int i = segments.size() - 1; i >= 0; i--) {
            View.Segment segment = segments.get(i);
            int number = segment.file().segmentNumber();
            List<Scan.Entry> entries = segment.soundEntries();
            if (number < first && view.sealed(number) != null && isSuperseded(view, segment, entries, bases)) {
                found.add(number);
                continue;
            }
            for (Scan.Entry entry : entries) {
                Location base = entry.content().base();
                if (base != null) {
                    bases.add(base.place());
                }
            }
        }
        return found;
    }

    private boolean isSuperseded(View view, View.Segment segment, List<Scan.Entry> entries, Set<Long> bases)
            throws IOException {
        int number = segment.file().segmentNumber();
        Set<Integer> others = new HashSet<>();
        for (Scan.Entry entry : entries) {
            Location other = bases.contains(entry.location().place())
                    ? null
                    : blocks.findIntact(view, entry.content().cid(), each -> each < number);
            if (other == null) {
                return false;
            }
            others.add(other.segmentNumber());
        }
        // A put that found a block here relies on its mtime.
        Instant mtime = catalog.mtime(segment.file());
        List<View.Segment> older = new ArrayList<>();
        for (int other : others) {
            View.Segment has = view.segment(other);
            if (has != null && catalog.mtime(has.file()).isBefore(mtime)) {
                older.add(has);
            }
        }
        for (View.Segment has : older) {
            if (!Disk.trySetMtime(disk, has.file().path(), mtime)) {
                return false;
            }
            disk.sync(has.file().path());
        }
        return true;
    }
}
