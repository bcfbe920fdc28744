package dev.pail.segment;

import dev.pail.disk.Disk;
import dev.pail.segment.format.DamageException;
import dev.pail.segment.format.Manifest;
import dev.pail.segment.format.Scan;
import dev.pail.segment.format.SealedIndex;
import dev.pail.segment.format.SegmentFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes a view of the files of a store: opens the segments that count, and takes over from the view before
 * what is unchanged. For one load.
 */
final class ViewLoader {
    /** How often a load begins again because another process changed the files meanwhile. */
    private static final int MOST_ATTEMPTS = 100;

    private final Disk disk;
    private final Catalog catalog;
    private final View before;
    private final @Nullable Manifest manifest;

    private final List<View.Segment> segments = new ArrayList<>();
    private final List<Scan.Damage> lost = new ArrayList<>();

    /** The numbers of files that are not segments. */
    private final Set<Integer> unreadable = new HashSet<>();

    /** The last segment, if it is being written. */
    private View.@Nullable Tail tail;

    private ViewLoader(Disk disk, Catalog catalog, View before, @Nullable Manifest manifest) {
        this.disk = disk;
        this.catalog = catalog;
        this.before = before;
        this.manifest = manifest;
    }

    /** Loads the segments that are there now, and takes over from the view before what is unchanged. */
    static View load(Disk disk, Catalog catalog, View before) throws IOException {
        View known = catalog.isThere(before) ? before : View.NONE;
        View seen = known;
        for (int attempt = 1; ; attempt++) {
            try {
                Manifest manifest = catalog.manifest();
                View next = new ViewLoader(disk, catalog, seen, manifest).run();
                seen.closeFilesNotIn(next, known);
                seen = next;
                // A compaction may have replaced the manifest meanwhile: then new segments count, and old ones are
                // gone.
                if (attempt == MOST_ATTEMPTS || Objects.equals(manifest, catalog.manifest())) {
                    return seen;
                }
            } catch (NoSuchFileException e) {
                if (attempt == MOST_ATTEMPTS) {
                    seen.closeFilesNotIn(known);
                    throw e;
                }
            } catch (IOException | RuntimeException | Error e) {
                seen.closeFilesNotIn(known);
                throw e;
            }
        }
    }

    private View run() throws IOException {
        if (!disk.isDirectory(catalog.folder())) {
            return View.NONE;
        }
        SortedMap<Integer, Found> found = find(disk.list(catalog.folder()));
        try {
            for (Map.Entry<Integer, Found> each : found.entrySet()) {
                if (manifest == null || manifest.counts(each.getKey())) {
                    open(each.getKey(), each.getValue().sealed);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            closeOpened();
            throw e;
        }
        int last = -1;
        for (int segmentNumber : found.keySet()) {
            last = unreadable.contains(segmentNumber) ? last : Math.max(last, segmentNumber);
        }
        if (manifest != null) {
            noteMissing(manifest, found);
            last = Math.max(manifest.last(), last);
        }
        return new View(List.copyOf(segments), tail, List.copyOf(lost), last);
    }

    private void closeOpened() throws IOException {
        new View(segments, null, List.of(), -1).closeFilesNotIn(before);
    }

    /** Which files of a segment are there. */
    private record Found(boolean sealed, boolean open) {}

    private static SortedMap<Integer, Found> find(List<Path> files) {
        SortedMap<Integer, Found> found = new TreeMap<>();
        for (Path file : files) {
            int sealed = Catalog.segmentNumber(file, Catalog.SEALED);
            int open = Catalog.segmentNumber(file, Catalog.OPEN);
            if (sealed >= 0) {
                found.merge(sealed, new Found(true, false), (a, b) -> new Found(true, a.open));
            } else if (open >= 0) {
                found.merge(open, new Found(false, true), (a, b) -> new Found(a.sealed, true));
            }
        }
        return found;
    }

    /** Opens the next segment. */
    private void open(int segmentNumber, boolean sealed) throws IOException {
        try {
            if (sealed) {
                View.Segment known = before.sealed(segmentNumber);
                View.Segment opened = known != null ? known : openSealed(segmentNumber);
                if (opened.isEmpty()) {
                    opened.close();
                }
                segments.add(opened);
                tail = null;
            } else {
                openTail(segmentNumber);
            }
        } catch (DamageException e) {
            // The number of a file that is no segment says nothing about the others.
            unreadable.add(segmentNumber);
            lost.add(new Scan.Damage(
                    catalog.path(segmentNumber, sealed ? Catalog.SEALED : Catalog.OPEN), 0, "no segment"));
        }
    }

    private void noteMissing(Manifest listing, SortedMap<Integer, Found> found) {
        for (int segmentNumber : listing.listed()) {
            if (!found.containsKey(segmentNumber)) {
                unreadable.add(segmentNumber);
                lost.add(
                        new Scan.Damage(catalog.path(segmentNumber, Catalog.SEALED), 0, "a segment that is not there"));
            }
        }
    }

    private void openTail(int segmentNumber) throws IOException {
        View.Tail opened = follow(segmentNumber);
        if (opened == null) {
            return;
        }
        View.Tail previous = tail;
        if (previous != null && previous.end == SegmentFile.BEGINNING) {
            // The writer removed it before it began this one, and the power was lost before the removal was durable.
            segments.remove(segments.size() - 1);
            if (!before.shows(previous.file)) {
                previous.file.close();
            }
        }
        segments.add(opened.segment());
        tail = opened;
    }

    private View.@Nullable Tail follow(int segmentNumber) throws IOException {
        View.Tail known = before.tail();
        if (known != null && known.file.segmentNumber() == segmentNumber && catalog.isOpen(known)) {
            known.follow(Scan.from(known.file, known.end, known.commitOffset));
            return known;
        }
        Path path = catalog.path(segmentNumber, Catalog.OPEN);
        SegmentFile file;
        try {
            file = SegmentFile.open(disk, path, segmentNumber);
        } catch (DamageException e) {
            if (disk.status(path).map(Disk.FileStatus::size).orElse(0L) <= SegmentFile.BEGINNING) {
                // A writer that began the file did not get as far as a record.
                return null;
            }
            throw e;
        }
        try {
            if (file.size() < SegmentFile.BEGINNING) {
                file.close();
                return null;
            }
            View.Tail opened = new View.Tail(file);
            opened.follow(Scan.open(file));
            return opened;
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    private View.Segment openSealed(int segmentNumber) throws IOException {
        SegmentFile file = SegmentFile.open(disk, catalog.path(segmentNumber, Catalog.SEALED), segmentNumber);
        try {
            SealedIndex index = catalog.index(file);
            if (index != null) {
                return new View.Segment(file, index, List.of());
            }
            Scan scan = Scan.ended(file);
            return new View.Segment(file, scan.index(), scan.damages());
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }
}
