package dev.pail.segment;

import dev.pail.disk.Disk;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is wanted to new segments, and then removes the old ones (spec rule SEG17). There must be no segment that is being
 * written.
 */
final class Compaction {
    private static final int BUFFER = 1 << 20;

    /** A segment of less than this part of the usual size is written anew with those behind it. */
    private static final int SMALL = 4;

    private final Disk disk;
    private final Catalog catalog;
    private final CurrentView current;
    private final Blocks blocks;
    private final long segmentSize;
    private final View view;

    /** Says of each record, and how many stand before it in its segment, whether it is wanted. */
    interface Wanted {
        boolean test(Scan.Entry entry, int record);
    }

    /** The records that are bases of what is kept, by place. */
    private final Set<Long> needed = new HashSet<>();

    /** Where these are now, if they were moved. */
    private final Map<Long, Location> moved = new HashMap<>();

    private final List<View.Segment> made = new ArrayList<>();
    private int section;
    private @Nullable Target target;

    Compaction(Disk disk, Catalog catalog, CurrentView current, Blocks blocks, long segmentSize) {
        this.disk = disk;
        this.catalog = catalog;
        this.current = current;
        this.blocks = blocks;
        this.segmentSize = segmentSize;
        this.view = current.get();
        this.section = view.last();
    }

    void run(Wanted wanted) throws IOException {
        view.checkSound();
        List<View.Segment> segments = view.segments();
        List<BitSet> kept = new ArrayList<>();
        int first = segments.size();
        for (int i = segments.size() - 1; i >= 0; i--) {
            BitSet keep = new BitSet();
            boolean all = mark(segments.get(i), wanted, keep);
            kept.add(0, keep);
            boolean small = segments.get(i).file().size() < segmentSize / SMALL && i < segments.size() - 1;
            first = all && !small ? first : i;
        }
        if (first == segments.size()) {
            return;
        }
        try {
            for (int i = first; i < segments.size(); i++) {
                copy(segments.get(i), kept.get(i));
            }
            finish();
        } catch (IOException | RuntimeException | Error e) {
            discard(e);
            throw e;
        }
        replace(segments, first);
    }

    /** Removes what was made, those first that others may be needed for: all that is in it still is in the old segments. */
    private void discard(Throwable failure) {
        try {
            closeMade();
            Target unfinished = target;
            if (unfinished != null) {
                unfinished.discard();
            }
            for (int i = made.size() - 1; i >= 0; i--) {
                // Else a loss of power may bring back what was removed before, without the bases that are removed now.
                disk.forceFolder(catalog.folder());
                SegmentFile file = made.get(i).file();
                disk.delete(file.path());
                disk.delete(catalog.path(file.section(), Catalog.INDEX));
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private void closeMade() throws IOException {
        for (View.Segment segment : made) {
            segment.file().close();
        }
    }

    /** Notes which records of a segment are kept, and says whether all are. What is behind it was marked before. */
    private boolean mark(View.Segment segment, Wanted wanted, BitSet keep) throws IOException {
        List<Scan.Entry> entries = segment.soundEntries();
        for (int i = entries.size() - 1; i >= 0; i--) {
            Scan.Entry entry = entries.get(i);
            Location location = entry.location();
            if (needed.contains(location.place()) || (wanted.test(entry, i) && counts(entry))) {
                keep.set(i);
                Location base = entry.kept().base();
                if (base != null) {
                    // Else what is made of it cannot be read, and must not be kept in the place of an earlier record
                    // that can.
                    blocks.checkFile(view, base);
                    needed.add(base.place());
                }
            }
        }
        return keep.cardinality() == entries.size();
    }

    /**
     * Whether a record is the last one of its block.
     *
     * @throws DamageException if that is corrupt, and an earlier one is not, which would not be kept
     */
    private boolean counts(Scan.Entry entry) throws IOException {
        Cid cid = entry.kept().cid();
        Stored last = blocks.stored(view, cid);
        boolean isLast = last != null && last.location.equals(entry.location());
        if (isLast && entry.isCorrupt() && blocks.isIntact(view, cid)) {
            throw new DamageException("the last record of block " + cid + " does not match its checksum")
                    .at(
                            catalog.path(entry.location().section(), Catalog.SEALED),
                            entry.location().offset());
        }
        return isLast;
    }

    private void copy(View.Segment segment, BitSet keep) throws IOException {
        List<Scan.Entry> entries = segment.soundEntries();
        SegmentFile file = segment.file();
        Instant stamp = catalog.stamp(file);
        for (int i = keep.nextSetBit(0); i >= 0; i = keep.nextSetBit(i + 1)) {
            Location from = entries.get(i).location();
            SegmentFile.BlockRecord record = file.recordAsItIs(from);
            Location base = record.content.base();
            Location newBase = base == null ? null : moved.getOrDefault(base.place(), base);
            RecordHead.Kept content = new RecordHead.Kept(
                    record.content.cid(), newBase, record.content.generation(), record.content.size());
            Target now = target();
            Location to = now.add(content, record.payload, stamp);
            if (!record.isRight) {
                // Else a corrupt block would match its new checksum.
                now.spoilLast();
            }
            if (needed.contains(from.place())) {
                moved.put(from.place(), to);
            }
        }
    }

    private Target target() throws IOException {
        Target now = target;
        if (now != null && now.end() > segmentSize) {
            finish();
            now = null;
        }
        if (now == null) {
            section++;
            if (section > Catalog.MOST_SECTIONS) {
                throw new IOException("the store has had " + section + " segments, which is all that it can");
            }
            now = new Target(section);
            target = now;
            now.begin();
        }
        return now;
    }

    private void finish() throws IOException {
        Target last = target;
        if (last != null) {
            made.add(last.finish());
            target = null;
        }
    }

    /** Lets the new segments count in the place of the old ones, and removes these. */
    private void replace(List<View.Segment> segments, int first) throws IOException {
        List<View.Segment> count = new ArrayList<>(segments.subList(0, first));
        count.addAll(made);
        Set<Integer> listed = new TreeSet<>();
        count.forEach(segment -> listed.add(segment.file().section()));
        try {
            catalog.writeManifest(new Manifest(section, listed));
        } catch (IOException | RuntimeException | Error e) {
            // What was made may count already.
            closeMade();
            throw e;
        }
        View next = new View(List.copyOf(count), null, List.of(), section);
        current.show(next);
        CurrentView.closeWithout(view, next);
        for (int i = segments.size() - 1; i >= first; i--) {
            int old = segments.get(i).file().section();
            disk.delete(catalog.path(old, Catalog.SEALED));
            disk.delete(catalog.path(old, Catalog.INDEX));
        }
    }

    /** A segment that is being made. */
    private final class Target {
        private final int number;
        private final int salt = Tails.salt();
        private final Path path;
        private final Disk.WritableFile out;
        private final CRC32C checksum = new CRC32C();
        private final OpenIndex index = new OpenIndex();
        private int records;
        private Group group;

        /** That of the segments from which records come: what is unneeded in them gets no younger by being moved. */
        private Instant stamp = Instant.MIN;

        Target(int number) throws IOException {
            this.number = number;
            this.path = catalog.path(number, Catalog.TEMPORARY);
            this.group = new Group(number, salt, SegmentFile.BEGINNING, 0);
            disk.delete(path);
            this.out = disk.create(path);
        }

        void begin() throws IOException {
            write(SegmentFile.beginning(number, salt));
        }

        long end() {
            return group.end();
        }

        /** Removes what there is of it, under whichever name. */
        void discard() throws IOException {
            out.close();
            disk.delete(path);
            disk.delete(catalog.path(number, Catalog.SEALED));
            disk.delete(catalog.path(number, Catalog.INDEX));
        }

        private void write(byte[] bytes) throws IOException {
            out.write(bytes);
            checksum.update(bytes);
        }

        private void flush() throws IOException {
            write(group.out.toBytes());
            group = new Group(number, salt, group.end(), 0);
        }

        Location add(RecordHead.Kept content, byte[] payload, Instant time) throws IOException {
            if (group.out.size() > BUFFER) {
                flush();
            }
            stamp = time.isAfter(stamp) ? time : stamp;
            Location location = group.add(content, payload);
            index.add(new Stored(location, content));
            records++;
            return location;
        }

        /** Gives the record that was added last a checksum that its payload does not match. */
        void spoilLast() {
            group.out.invertLast();
        }

        View.Segment finish() throws IOException {
            group.add(new RecordHead.Commit(1, 0, records, SegmentFile.BEGINNING), new byte[0]);
            flush();
            RecordHead.Seal seal = new RecordHead.Seal(index.count(), (int) checksum.getValue());
            group.add(seal, new byte[0]);
            flush();
            out.force();
            out.close();
            disk.touch(path, stamp);
            SealedIndex sealed = index.sealed();
            catalog.publish(path, number, sealed, group.end(), seal.checksum());
            SegmentFile file = SegmentFile.open(disk, catalog.path(number, Catalog.SEALED), number);
            return new View.Segment(file, sealed, List.of());
        }
    }
}
