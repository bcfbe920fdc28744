package dev.pail.segment;

import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.segment.format.Condemned;
import dev.pail.segment.format.DamageException;
import dev.pail.segment.format.IndexPages;
import dev.pail.segment.format.Manifest;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.Scan;
import dev.pail.segment.format.SealedIndex;
import dev.pail.segment.format.SegmentFile;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The files of a store: their names, and the contents of those that are not segments. Rule SEG1. */
final class Catalog {
    static final String OPEN = ".open";
    static final String SEALED = ".seg";
    static final String INDEX = ".idx";
    static final String TEMPORARY = ".tmp";

    private static final String MANIFEST = "MANIFEST";
    private static final String LOST = "lost";
    private static final String CONDEMNED = "CONDEMNED";

    private final Disk disk;
    private final Path folder;
    private final IndexPages pages = new IndexPages();

    Catalog(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    /** Forgets what is in memory of indexes. */
    void forget() {
        pages.clear();
    }

    Path folder() {
        return folder;
    }

    /** The exception to throw for an I/O error. It names the file if that is known, else the folder. */
    StoreIOException failure(String what, IOException error) {
        String reason = StoreIOException.reason(error);
        String file = error instanceof FileSystemException known ? known.getFile() : null;
        String place = file == null ? folder.toString() : file;
        return error instanceof DamageException
                ? new StoreDamagedException(what, place, reason, error)
                : new StoreIOException(what, place, reason, error);
    }

    /** The number for a new segment behind another: the next one that no file has, even if that file is no segment. */
    int next(int last) throws IOException {
        for (int segmentNumber = last + 1; segmentNumber <= SegmentFile.MAX_SEGMENT_NUMBER; segmentNumber++) {
            if (disk.status(path(segmentNumber, SEALED)).isEmpty()
                    && disk.status(path(segmentNumber, OPEN)).isEmpty()) {
                return segmentNumber;
            }
        }
        throw new IOException("the store has had segments of all numbers up to " + SegmentFile.MAX_SEGMENT_NUMBER);
    }

    Path path(int segmentNumber, String suffix) {
        String number = Integer.toString(segmentNumber);
        return folder.resolve("0".repeat(Math.max(0, 5 - number.length())) + number + suffix);
    }

    /**
     * When a put last wrote to a segment, or found its block in it. Another thread may rename the active segment before it shows the segment
     * under its new name.
     */
    Instant mtime(SegmentFile file) throws IOException {
        Optional<Disk.FileStatus> status = disk.status(file.path());
        return (status.isPresent() ? status : disk.status(path(file.segmentNumber(), SEALED)))
                .orElseThrow(() -> new NoSuchFileException(file.path().toString()))
                .mtime();
    }

    /** The segment number in a file name with this suffix; -1 if it is none. The number has at least five digits. */
    static int segmentNumber(Path file, String suffix) {
        String name = String.valueOf(file.getFileName());
        int digits = name.length() - suffix.length();
        if (digits < 5 || digits > 8 || (digits > 5 && name.charAt(0) == '0') || !name.endsWith(suffix)) {
            return -1;
        }
        int segmentNumber = 0;
        for (int i = 0; i < digits; i++) {
            char digit = name.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            segmentNumber = 10 * segmentNumber + digit - '0';
        }
        return segmentNumber > SegmentFile.MAX_SEGMENT_NUMBER ? -1 : segmentNumber;
    }

    /** The status of a file; empty if it is missing, no regular file, or larger than its format allows. */
    private Optional<Disk.FileStatus> status(Path file, int most) throws IOException {
        return disk.status(file).filter(status -> status.isFile() && status.size() <= most);
    }

    /** The manifest; null if it is missing or damaged. Then all segments count. */
    @Nullable
    Manifest manifest() throws IOException {
        Path file = folder.resolve(MANIFEST);
        if (status(file, Manifest.MOST).isEmpty()) {
            return null;
        }
        byte[] bytes = disk.read(file, Manifest.MOST);
        try {
            return Manifest.read(bytes);
        } catch (DamageException e) {
            Trace.swallowed("the list of segments is damaged, so all segments count: " + file, e);
            return null;
        }
    }

    /** Whether all segments of a view still count: a compaction by another process may have removed some, and written to none. */
    boolean counts(View view) throws IOException {
        Manifest now = manifest();
        return now == null
                || view.segments().stream()
                        .allMatch(segment -> now.counts(segment.file().segmentNumber()));
    }

    /** Replaces the manifest atomically. */
    void writeManifest(Manifest manifest) throws IOException {
        replace(folder.resolve(MANIFEST), manifest.toBytes());
    }

    private void replace(Path file, byte[] bytes) throws IOException {
        Path temporary = folder.resolve(file.getFileName() + TEMPORARY);
        disk.delete(temporary);
        Disk.write(disk, temporary, bytes);
        disk.rename(temporary, file);
        disk.syncDirectory(folder);
    }

    /** Writes a manifest that lists the sealed segments of a view, and also the lost ones: a segment that does not count is deleted. */
    void writeManifest(View view) throws IOException {
        Manifest before = manifest();
        TreeSet<Integer> listed = new TreeSet<>();
        if (before != null) {
            listed.addAll(before.listed());
        }
        int last = before == null ? -1 : before.last();
        View.Tail tail = view.tail();
        for (View.Segment segment : view.segments()) {
            // A damaged segment with others behind it is listed, though it was never sealed.
            if (tail == null || tail.file.segmentNumber() != segment.file().segmentNumber()) {
                listed.add(segment.file().segmentNumber());
                last = Math.max(last, segment.file().segmentNumber());
            }
        }
        for (Scan.Damage lost : view.lost()) {
            listed.add(Math.max(segmentNumber(lost.file(), SEALED), segmentNumber(lost.file(), OPEN)));
        }
        writeManifest(new Manifest(last, listed));
    }

    /** The condemned records; none if the file cannot be read. Then the collector condemns them again. */
    Condemned condemned() throws IOException {
        Path file = folder.resolve(CONDEMNED);
        Optional<Disk.FileStatus> status = status(file, Condemned.MOST);
        if (status.isEmpty()) {
            return Condemned.none();
        }
        try {
            return Condemned.read(disk.read(file, Condemned.MOST), status.get().mtime());
        } catch (DamageException | NoSuchFileException e) {
            return Condemned.none();
        }
    }

    void writeCondemned(Condemned condemned) throws IOException {
        Path file = folder.resolve(CONDEMNED);
        replace(file, condemned.toBytes());
        if (condemned.since().isAfter(Instant.MIN)) {
            disk.setMtime(file, condemned.since());
        }
    }

    /** Writes the index of a sealed segment, and renames its file. Rule SEG13. */
    void publish(Path from, int segmentNumber, SealedIndex index, long segmentSize, int segmentChecksum)
            throws IOException {
        writeIndex(segmentNumber, index, segmentSize, segmentChecksum);
        disk.rename(from, path(segmentNumber, SEALED));
        disk.syncDirectory(folder);
    }

    private void writeIndex(int segmentNumber, SealedIndex index, long segmentSize, int segmentChecksum)
            throws IOException {
        replace(path(segmentNumber, INDEX), index.toBytes(segmentNumber, segmentSize, segmentChecksum));
    }

    /** A segment that was just published. From now on its index is read from the file. */
    View.Segment sealed(SegmentFile file, SealedIndex written) {
        SealedIndex index = written;
        try {
            if (written.count() > 0) {
                index = written.in(source(path(file.segmentNumber(), INDEX)), origin(file), pages);
            }
        } catch (IOException e) {
            Trace.swallowed("an index stays in memory", e);
        }
        return new View.Segment(file, index, List.of());
    }

    private static SealedIndex.Origin origin(SegmentFile file) {
        return () -> Scan.ended(file).index();
    }

    private SealedIndex.Source source(Path index) throws IOException {
        Disk.ReadableFile file = disk.open(index);
        return new SealedIndex.Source() {
            @Override
            public int read(long from, byte[] target, int at, int length) throws IOException {
                return file.read(from, target, at, length);
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }

    /** The index of a sealed segment; null if it is missing, unreadable or damaged: the caller can make it from the segment. */
    @Nullable
    SealedIndex index(SegmentFile file) throws IOException {
        Path path = path(file.segmentNumber(), INDEX);
        long size = file.size();
        Optional<Disk.FileStatus> status = status(path, SealedIndex.mostBytes(size));
        if (size < RecordHeader.SEAL || status.isEmpty()) {
            return null;
        }
        try {
            byte[] end = new byte[RecordHeader.SEAL];
            int read = file.read(size - RecordHeader.SEAL, end, RecordHeader.SEAL);
            RecordHeader header = RecordHeader.read(end, 0, read, file.salt(), size - RecordHeader.SEAL);
            if (!(header.content() instanceof RecordHeader.Seal seal)) {
                return null;
            }
            return index(file, path, status.get().size(), seal);
        } catch (DamageException e) {
            return null;
        }
    }

    private @Nullable SealedIndex index(SegmentFile file, Path path, long size, RecordHeader.Seal seal) {
        try {
            SealedIndex.Source source = source(path);
            try {
                SealedIndex index = SealedIndex.read(
                        source, size, file.segmentNumber(), file.size(), seal.checksum(), origin(file), pages);
                if (index.count() == seal.records()) {
                    return index;
                }
            } catch (IOException | RuntimeException | Error e) {
                source.close();
                throw e;
            }
            source.close();
        } catch (IOException e) {
            Trace.swallowed("an index that is not right is made anew: " + path, e);
        }
        return null;
    }

    /**
     * Whether the file of a tail is still the same, with the last commit that was read from it. If not, the number was given to another
     * segment, or a writer cut off a batch that it could not sync.
     */
    boolean isOpen(View.Tail tail) throws IOException {
        return isThere(tail.file, OPEN, tail.end > SegmentFile.BEGINNING, tail::isIn);
    }

    private interface Check {
        boolean test(SegmentFile now) throws IOException;
    }

    /** Whether the name with this suffix still belongs to a segment, and its file passes a check. */
    private boolean isThere(SegmentFile known, String suffix, boolean isUsed, Check check) throws IOException {
        Path path = path(known.segmentNumber(), suffix);
        try {
            if (isUsed && known.isNamed(disk, path)) {
                // A number in use is not given again, and opening the file is slow.
                return check.test(known);
            }
            if (!disk.exists(path)) {
                return false;
            }
            try (SegmentFile now = SegmentFile.open(disk, path, known.segmentNumber())) {
                return now.salt() == known.salt() && check.test(now);
            }
        } catch (DamageException | NoSuchFileException e) {
            return false;
        }
    }

    /** Whether the last segment of a view is still there. If not, the folder may be another one, or a compaction has rewritten all. */
    boolean isThere(View view) throws IOException {
        List<View.Segment> segments = view.segments();
        if (segments.isEmpty()) {
            return true;
        }
        SegmentFile last = segments.get(segments.size() - 1).file();
        return isThere(last, SEALED, false, any -> true) || isThere(last, OPEN, false, any -> true);
    }

    /** Deletes segments that no longer count, and unfinished files. For the writer only. */
    void clean(View view) throws IOException {
        Manifest manifest = manifest();
        List<Path> files = disk.list(folder);
        List<Path> useless = new ArrayList<>();
        for (int i = files.size() - 1; i >= 0; i--) {
            Path file = files.get(i);
            int segmentNumber = Math.max(segmentNumber(file, SEALED), segmentNumber(file, INDEX));
            boolean dead = segmentNumber >= 0 && manifest != null && !manifest.counts(segmentNumber);
            int open = segmentNumber(file, OPEN);
            boolean unfinished = open >= 0
                    && view.file(open) == null
                    && view.lost().stream().noneMatch(damage -> damage.file().equals(file));
            if (dead || unfinished || String.valueOf(file.getFileName()).endsWith(TEMPORARY)) {
                useless.add(file);
            }
        }
        if (!useless.isEmpty()) {
            // The sync after the manifest was replaced may have failed.
            disk.syncDirectory(folder);
            for (Path file : useless) {
                disk.delete(file);
            }
        }
    }

    /** Deletes the ends of files that were copied to the folder for lost bytes. None was ever reported as durable. Rule ER8. */
    void removeLost() throws IOException {
        Path lost = folder.resolve(LOST);
        if (disk.isDirectory(lost)) {
            for (Path file : disk.list(lost)) {
                disk.delete(file);
            }
            disk.syncDirectory(lost);
        }
        disk.syncDirectory(folder);
    }

    /** Copies the end of a file to the folder for lost bytes, before the writer cuts it off. */
    void keepLost(SegmentFile file, long from, long end) throws IOException {
        Path lost = folder.resolve(LOST);
        disk.createDirectory(lost);
        String name = file.path().getFileName() + "-" + from + "-" + disk.now().toEpochMilli();
        Path copy = lost.resolve(name);
        disk.delete(copy);
        try (Disk.WritableFile out = disk.create(copy)) {
            byte[] bytes = new byte[SegmentFile.WINDOW];
            for (long at = from; at < end; ) {
                int length = file.read(at, bytes, (int) Math.min(bytes.length, end - at));
                if (length == 0) {
                    break;
                }
                out.write(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
                at += length;
            }
            out.sync();
        } catch (IOException e) {
            // Each attempt of a writer has another name, so partial copies would fill the disk.
            Disk.deleteQuietly(disk, copy, e);
            throw e;
        }
        disk.syncDirectory(lost);
        disk.syncDirectory(folder);
    }
}
