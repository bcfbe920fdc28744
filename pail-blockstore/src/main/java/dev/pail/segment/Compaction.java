package dev.pail.segment;

import dev.pail.disk.Disk;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.DamageException;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.Manifest;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.RecordRef;
import dev.pail.segment.format.Scan;
import dev.pail.segment.format.SegmentFile;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Removes unwanted records (Rule SEG17): first the segments without a wanted record, which takes no space, then those with some. If
 * there is no space to copy all of these at once, one at a time. A segment for which there is no space stays as it is.
 */
final class Compaction {
    /** A segment that is smaller than the usual size, divided by this, is rewritten together with those behind it. */
    private static final int SMALL = 4;

    private final Disk disk;
    private final Catalog catalog;
    private final CurrentView current;
    private final Blocks blocks;
    private final long segmentSize;
    private final boolean packs;
    private final View view;
    private final Erased erased;

    /** Says whether a record is wanted. A record has the number of records before it in its segment. */
    interface Wanted {
        boolean test(Scan.Entry entry, int record);
    }

    /** A segment from before the compaction. */
    private static final class Source {
        final int segmentNumber;
        final BitSet keep = new BitSet();
        boolean keepsAll;

        /** The numbers of later segments with records that stay and have their bases here. */
        final Set<Integer> dependents = new HashSet<>();

        Source(int segmentNumber) {
            this.segmentNumber = segmentNumber;
        }
    }

    /** In the order of their numbers. A segment that is removed leaves the list. */
    private final List<Source> sources = new ArrayList<>();

    /** The places of records that are bases of records that stay. */
    private final Set<Long> needed = new HashSet<>();

    /** The places of records that stay, and whose bases go: they are copied whole. */
    private final Set<Long> whole = new HashSet<>();

    /** The new locations of bases that were copied, by the old places. */
    private final Map<Long, Location> moved = new HashMap<>();

    /** The new segments that no manifest lists yet. */
    private final List<View.Segment> made = new ArrayList<>();

    /** The greatest number that a segment had so far. */
    private int lastNumber;

    private @Nullable NewSegment target;

    /**
     * @param packs whether the deltas of new segments are packed
     * @param erased the blocks that leave nothing behind
     */
    Compaction(
            Disk disk,
            Catalog catalog,
            CurrentView current,
            Blocks blocks,
            long segmentSize,
            boolean packs,
            Erased erased) {
        this.disk = disk;
        this.catalog = catalog;
        this.current = current;
        this.blocks = blocks;
        this.segmentSize = segmentSize;
        this.packs = packs;
        this.erased = erased;
        this.view = current.get();
    }

    /** Decides which records stay. */
    void mark(Wanted wanted) throws IOException {
        view.checkSound();
        List<View.Segment> segments = view.segments();
        Map<Integer, Source> sourcesByNumber = new HashMap<>();
        segments.forEach(segment -> sourcesByNumber.put(
                segment.file().segmentNumber(), new Source(segment.file().segmentNumber())));
        for (int i = segments.size() - 1; i >= 0; i--) {
            Source source = sourcesByNumber.get(segments.get(i).file().segmentNumber());
            if (source != null) {
                source.keepsAll = mark(segments.get(i), wanted, source.keep, sourcesByNumber);
                sources.add(0, source);
            }
        }
    }

    /** Removes the sealed segments that keep no record. */
    void removeUnwanted() throws IOException {
        View.Tail tail = view.tail();
        removeAll(sources.stream()
                .filter(source -> source.keep.isEmpty())
                .filter(source -> tail == null || source.segmentNumber != tail.file.segmentNumber())
                .toList());
    }

    /** Removes sealed segments, which the caller has looked at. */
    void removeSegments(Set<Integer> segmentNumbers) throws IOException {
        removeAll(segmentNumbers.stream().map(Source::new).toList());
    }

    private void removeAll(List<Source> unwanted) throws IOException {
        View.Tail tail = view.tail();
        if (!unwanted.isEmpty()) {
            lastNumber = tail == null ? current.get().last() : tail.file.segmentNumber() - 1;
            remove(unwanted);
        }
    }

    /** Whether segments must be rewritten. */
    boolean isDue() {
        return first() < sources.size();
    }

    /** The index of the first segment that must be rewritten. */
    private int first() {
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get(i);
            View.Segment segment = current.get().segment(source.segmentNumber);
            boolean small = i < sources.size() - 1 && segment != null && size(segment) < segmentSize / SMALL;
            if (!source.keepsAll || small) {
                return i;
            }
        }
        return sources.size();
    }

    private static long size(View.Segment segment) {
        try {
            return segment.file().size();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * Rewrites segments. There must be no active one.
     *
     * @throws IOException if an unwanted record could not be removed. No wanted one is lost
     */
    void rewrite() throws IOException {
        // The active segment was removed if it was empty.
        sources.removeIf(source -> current.get().segment(source.segmentNumber) == null);
        lastNumber = current.get().last();
        List<Source> due = new ArrayList<>(sources.subList(first(), sources.size()));
        try {
            for (Source source : due) {
                copy(source, false);
            }
            finish();
        } catch (DamageException | RuntimeException | Error e) {
            discard(e);
            throw e;
        } catch (IOException e) {
            discard(e);
            rewriteEach(due, e);
            return;
        }
        remove(due);
    }

    /**
     * Rewrites one segment after the other, the last ones first, each without bases in other segments. So each can be removed before the
     * next one is copied.
     */
    private void rewriteEach(List<Source> due, IOException tooMuch) throws IOException {
        boolean freed = true;
        while (freed) {
            freed = false;
            Set<Integer> staying = new HashSet<>();
            for (int i = due.size() - 1; i >= 0; i--) {
                Source source = due.get(i);
                if (Collections.disjoint(source.dependents, staying) && rewrite(source, tooMuch)) {
                    due.remove(i);
                    freed = true;
                } else {
                    staying.add(source.segmentNumber);
                }
            }
        }
        if (sources.stream().anyMatch(source -> !source.keepsAll)) {
            throw tooMuch;
        }
    }

    private boolean rewrite(Source source, IOException tooMuch) throws IOException {
        try {
            moved.clear();
            copy(source, true);
            finish();
        } catch (DamageException | RuntimeException | Error e) {
            discard(e);
            throw e;
        } catch (IOException e) {
            discard(e);
            tooMuch.addSuppressed(e);
            return false;
        }
        remove(List.of(source));
        return true;
    }

    /** Removes the new segments, the last ones first, as they may need the earlier ones. The old segments still have all records. */
    private void discard(Throwable failure) throws IOException {
        try {
            closeMade();
            NewSegment unfinished = target;
            target = null;
            if (unfinished != null) {
                unfinished.discard();
            }
            for (int i = made.size() - 1; i >= 0; i--) {
                // Else a loss of power may bring back the segment that was removed before, without the bases that are
                // removed now.
                disk.syncDirectory(catalog.folder());
                SegmentFile file = made.get(i).file();
                disk.delete(file.path());
                disk.delete(catalog.path(file.segmentNumber(), Catalog.INDEX));
            }
            made.clear();
        } catch (IOException e) {
            failure.addSuppressed(e);
            if (failure instanceof IOException first) {
                throw first;
            }
        }
    }

    private void closeMade() throws IOException {
        for (View.Segment segment : made) {
            segment.close();
        }
    }

    /** Notes which records of a segment stay, and says whether all do. Later segments were marked before. */
    private boolean mark(View.Segment segment, Wanted wanted, BitSet keep, Map<Integer, Source> sourcesByNumber)
            throws IOException {
        List<Scan.Entry> entries = segment.soundEntries();
        boolean keepsAll = true;
        for (int i = entries.size() - 1; i >= 0; i--) {
            Scan.Entry entry = entries.get(i);
            Location location = entry.location();
            boolean isErased = erased.has(entry.content().cid());
            if (!isErased && (needed.contains(location.place()) || (wanted.test(entry, i) && counts(entry)))) {
                keep.set(i);
                Location base = entry.content().base();
                if (base != null
                        && !erased.isEmpty()
                        && erased.has(blocks.content(view, base).cid())) {
                    whole.add(location.place());
                    keepsAll = false;
                } else if (base != null) {
                    // Throws if the base cannot be read: then this record must not replace an earlier one that can.
                    blocks.checkFile(view, base);
                    needed.add(base.place());
                    Source source = sourcesByNumber.get(base.segmentNumber());
                    if (source != null && base.segmentNumber() != location.segmentNumber()) {
                        source.dependents.add(location.segmentNumber());
                    }
                }
            }
        }
        return keepsAll && keep.cardinality() == entries.size();
    }

    /**
     * Whether a record is the last one of its block, so that it counts.
     *
     * @throws DamageException if that record is corrupt, and an earlier one is not, which would be lost
     */
    private boolean counts(Scan.Entry entry) throws IOException {
        Cid cid = entry.content().cid();
        RecordRef last = blocks.findRecord(view, cid);
        boolean isLast = last != null && last.location().equals(entry.location());
        if (isLast && entry.isCorrupt() && blocks.isIntact(view, cid)) {
            throw new DamageException("the last record of block " + cid + " does not match its checksum")
                    .at(
                            catalog.path(entry.location().segmentNumber(), Catalog.SEALED),
                            entry.location().offset());
        }
        return isLast;
    }

    /** @param alone whether the copies must have no bases in other segments */
    private void copy(Source source, boolean alone) throws IOException {
        View now = current.get();
        View.Segment segment = Objects.requireNonNull(now.segment(source.segmentNumber));
        List<Scan.Entry> entries = segment.soundEntries();
        SegmentFile file = segment.file();
        Instant mtime = catalog.mtime(file);
        for (int i = source.keep.nextSetBit(0); i >= 0; i = source.keep.nextSetBit(i + 1)) {
            Location from = entries.get(i).location();
            SegmentFile.BlockRecord record = file.recordAsItIs(from);
            RecordHeader.BlockContent content = record.content();
            byte[] payload = record.payload();
            Location base = content.base();
            boolean isFar = base != null && alone && base.segmentNumber() != source.segmentNumber;
            if (whole.contains(from.place()) && !record.isRight()) {
                // It stays corrupt, but needs no base.
                content = new RecordHeader.BlockContent(content.cid(), null, 0, payload.length);
            } else if ((isFar && record.isRight()) || whole.contains(from.place())) {
                payload = blocks.read(now, from).bytes();
                content = new RecordHeader.BlockContent(content.cid(), null, 0, payload.length);
            } else if (base != null) {
                content = new RecordHeader.BlockContent(
                        content.cid(), moved.getOrDefault(base.place(), base), content.generation(), content.size());
            }
            NewSegment to = target();
            Location location = to.add(content, payload, mtime);
            if (!record.isRight()) {
                // Else the new checksum would match the corrupt block.
                to.spoilLast();
            }
            if (needed.contains(from.place())) {
                moved.put(from.place(), location);
            }
        }
    }

    private NewSegment target() throws IOException {
        NewSegment now = target;
        if (now != null && now.end() > segmentSize) {
            finish();
            now = null;
        }
        if (now == null) {
            lastNumber = catalog.next(lastNumber);
            now = new NewSegment(disk, catalog, lastNumber, packs);
            target = now;
            now.begin();
        }
        return now;
    }

    private void finish() throws IOException {
        NewSegment last = target;
        if (last != null) {
            made.add(last.finish());
            target = null;
        }
    }

    /** Writes a manifest with the new segments and without some old ones, and deletes the old ones. */
    private void remove(List<Source> old) throws IOException {
        View before = current.get();
        Set<Integer> removed = new TreeSet<>(Comparator.reverseOrder());
        old.forEach(source -> removed.add(source.segmentNumber));
        for (int each : removed) {
            // Makes space for the manifest. An index can be made from its segment.
            disk.delete(catalog.path(each, Catalog.INDEX));
        }
        List<View.Segment> count = new ArrayList<>();
        for (View.Segment segment : before.segments()) {
            if (!removed.contains(segment.file().segmentNumber())) {
                count.add(segment);
            }
        }
        // The active segment has the greatest number; if there is one, no segments are new.
        count.addAll(made);
        Set<Integer> listed = new TreeSet<>();
        View.Tail tail = before.tail();
        count.stream()
                .map(segment -> segment.file().segmentNumber())
                .filter(each -> tail == null || each != tail.file.segmentNumber())
                .forEach(listed::add);
        try {
            catalog.writeManifest(new Manifest(lastNumber, listed));
        } catch (IOException | RuntimeException | Error e) {
            // The new segments may count already, so they stay.
            closeMade();
            throw e;
        }
        made.clear();
        View next = new View(List.copyOf(count), tail, List.of(), Math.max(before.last(), lastNumber));
        current.show(next);
        before.closeFilesNotIn(next);
        for (int each : removed) {
            disk.delete(catalog.path(each, Catalog.SEALED));
        }
        sources.removeAll(old);
    }
}
