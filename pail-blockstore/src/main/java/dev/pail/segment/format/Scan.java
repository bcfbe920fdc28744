package dev.pail.segment.format;

import dev.pail.ipld.Cid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a segment from its beginning, or from a commit on. Tells committed records from a torn tail, and a torn tail from damage.
 * Rule SEG12. Takes memory for one entry a record, and little more.
 */
public final class Scan {
    /**
     * A block or a delta, and where it is.
     *
     * @param isCorrupt whether the payload does not match its checksum
     */
    public record Entry(RecordHeader.BlockContent content, Location location, boolean isCorrupt) {}

    /** A place that is damaged. */
    public record Damage(Path file, long offset, String what) {
        @Override
        public String toString() {
            return what + ", in " + file + " at offset " + offset;
        }
    }

    /** The bytes that a disk writes all or none of. */
    private static final int SECTOR = 512;

    private final SegmentFile file;
    private final long size;
    private final byte[] window;
    private long windowStart;
    private int windowLength;

    private final List<Entry> entries = new ArrayList<>();
    private final List<Damage> damages = new ArrayList<>();

    /** The places of payloads that do not match their checksums, and whose CIDs are known. */
    private final List<Damage> corrupt = new ArrayList<>();

    private RecordHeader.@Nullable Commit lastCommit;
    private long lastCommitOffset;
    private long end;
    private RecordHeader.@Nullable Seal seal;

    /** The records since the last commit. */
    private final List<Entry> since = new ArrayList<>();

    /** The first bad place since the last commit. */
    private @Nullable Damage suspect;

    /** The first bad place whose record is not known. */
    private @Nullable Damage unknown;

    /** Whether the segment must have a seal. If not, a seal is ignored. */
    private final boolean ended;

    private Scan(SegmentFile file, long size, long from, boolean ended) {
        this.file = file;
        this.size = size;
        this.window = new byte[(int) Math.min(SegmentFile.WINDOW, Math.max(size, RecordHeader.MOST))];
        this.end = from;
        this.ended = ended;
    }

    /** Reads the active segment up to its current end. */
    public static Scan open(SegmentFile file) throws IOException {
        return from(file, SegmentFile.BEGINNING, 0);
    }

    /** The result for an empty segment. */
    public static Scan ofNothing(SegmentFile file) {
        return new Scan(file, SegmentFile.BEGINNING, SegmentFile.BEGINNING, true);
    }

    /** Reads a sealed segment: each bad place is damage. */
    public static Scan ended(SegmentFile file) throws IOException {
        Scan scan = new Scan(file, file.size(), SegmentFile.BEGINNING, true);
        scan.run();
        if (scan.seal == null) {
            if (scan.unknown == null) {
                scan.unknown = new Damage(file.path(), scan.size, "the file ends before the segment does");
            }
            scan.accept();
        }
        return scan;
    }

    /**
     * Reads the records behind a commit.
     *
     * @param from behind the commit
     * @param commitOffset where the commit is, or 0
     */
    public static Scan from(SegmentFile file, long from, long commitOffset) throws IOException {
        Scan last = null;
        while (true) {
            Scan scan = new Scan(file, file.size(), from, false);
            scan.lastCommitOffset = commitOffset;
            scan.run();
            // A writer may write between two reads: then the place that was read first looks damaged. So read it again.
            boolean isSound = scan.damages.isEmpty() && scan.corrupt.isEmpty();
            if (isSound || (last != null && last.damages.equals(scan.damages) && last.corrupt.equals(scan.corrupt))) {
                return scan;
            }
            last = scan;
        }
    }

    /** The committed records; in a damaged segment, all that are left. */
    public List<Entry> entries() {
        return entries;
    }

    /** The index of these records, in memory. */
    public SealedIndex index() {
        Map<Cid, Location> locations = new HashMap<>();
        entries.forEach(entry -> locations.put(entry.content().cid().raw(), entry.location()));
        return SealedIndex.of(locations);
    }

    /** The places of damage: records may be lost there. */
    public List<Damage> damages() {
        return damages;
    }

    /** The places of corrupt blocks. */
    public List<Damage> corrupt() {
        return corrupt;
    }

    /** The end of the last commit. */
    public long end() {
        return end;
    }

    long size() {
        return size;
    }

    public long lastCommitOffset() {
        return lastCommitOffset;
    }

    public RecordHeader.@Nullable Commit lastCommit() {
        return lastCommit;
    }

    /** Adds the bytes between two places of a segment to a checksum. */
    public static void addTo(CRC32C checksum, SegmentFile file, long from, long end) throws IOException {
        byte[] bytes = new byte[SegmentFile.WINDOW];
        for (long at = from; at < end; at += SegmentFile.WINDOW) {
            checksum.update(bytes, 0, file.read(at, bytes, (int) Math.min(SegmentFile.WINDOW, end - at)));
        }
    }

    private void run() throws IOException {
        long at = end;
        while (at < size && seal == null && !isEnd(at)) {
            long next = step(at);
            at = next > at ? next : nextMagic(at + 1);
        }
        if (seal != null && at < size) {
            damages.add(new Damage(file.path(), at, "something behind the end of a segment"));
        }
    }

    /** Whether only zeros follow, which were set aside for later records. */
    private boolean isEnd(long at) throws IOException {
        return !ended && fill(at, 1) > 0 && window[(int) (at - windowStart)] == 0 && file.isUnused(at);
    }

    /** Reads a record. Returns where the next one starts, or the same place if that is not known. */
    private long step(long at) throws IOException {
        long next = at;
        try {
            int available = fill(at, RecordHeader.MOST);
            int from = (int) (at - windowStart);
            RecordHeader header = RecordHeader.read(window, from, from + available, file.salt(), at);
            if (at + header.recordSize() > size) {
                throw new DamageException("the file ends within a record");
            }
            next = at + header.recordSize();
            take(header, at, checkPayload(header, at));
        } catch (DamageException e) {
            Damage found = new Damage(file.path(), at, String.valueOf(e.getMessage()));
            suspect = suspect == null ? found : suspect;
            unknown = unknown == null ? found : unknown;
        }
        return next;
    }

    private void take(RecordHeader header, long at, boolean isRight) throws DamageException {
        if (header.content() instanceof RecordHeader.BlockContent content) {
            since.add(new Entry(content, new Location(file.segmentNumber(), at, header.recordSize()), !isRight));
        } else if (header.content() instanceof RecordHeader.Commit commit) {
            commit(commit, at);
        } else if (header.content() instanceof RecordHeader.Seal sealed && ended) {
            accept();
            seal = sealed;
            end = at + header.recordSize();
        }
    }

    private void commit(RecordHeader.Commit commit, long at) throws DamageException {
        Damage first = suspect;
        if (first == null && (commit.records() != since.size() || commit.previous() != lastCommitOffset)) {
            throw new DamageException("a commit of other records");
        }
        if (first != null) {
            if (commit.durableEnd() <= first.offset) {
                // No commit says that the bad place was ever durable.
                return;
            }
            suspect = null;
        }
        accept();
        lastCommit = commit;
        lastCommitOffset = at;
        end = at + RecordHeader.COMMIT;
    }

    /** Accepts the records since the last commit. */
    private void accept() {
        if (unknown != null) {
            damages.add(unknown);
            unknown = null;
        }
        for (Entry entry : since) {
            if (entry.isCorrupt) {
                String what = "block " + entry.content.cid() + " does not match its checksum";
                corrupt.add(new Damage(file.path(), entry.location.offset(), what));
            }
        }
        entries.addAll(since);
        since.clear();
    }

    /** Whether the payload of a record matches its checksum. If a sector was perhaps never written, notes a suspect place. */
    private boolean checkPayload(RecordHeader header, long at) throws IOException {
        if (header.payload() == 0) {
            return true;
        }
        long from = at + header.length();
        long end = from + header.payload();
        CRC32C crc = new CRC32C();
        crc.update(new byte[Integer.BYTES]);
        boolean hasUnwritten = false;
        for (long place = from; place < end; ) {
            // Sector by sector: a loss of power leaves whole sectors unwritten.
            int length = (int) Math.min(SECTOR - place % SECTOR, end - place);
            if (fill(place, length) < length) {
                throw new DamageException("the file ends within a record");
            }
            int in = (int) (place - windowStart);
            hasUnwritten |= length == SECTOR && isZero(in, length);
            crc.update(window, in, length);
            place += length;
        }
        int available = fill(end, Output.CHECKSUM);
        int in = (int) (end - windowStart);
        if (new Input(window, in, in + Math.min(available, Output.CHECKSUM)).integer() == (int) crc.getValue()) {
            return true;
        }
        if (hasUnwritten && suspect == null) {
            suspect = new Damage(file.path(), at, "a payload that may never have been written");
        }
        return false;
    }

    private boolean isZero(int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (window[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Makes sure that the window has these bytes. Returns how many there are: fewer only at the end of the file. */
    private int fill(long at, int length) throws IOException {
        if (at < windowStart || at + length > windowStart + windowLength) {
            windowStart = at;
            windowLength = file.read(at, window, (int) Math.min(SegmentFile.WINDOW, size - at));
        }
        return (int) (windowStart + windowLength - at);
    }

    /** The next place where a record may start. */
    private long nextMagic(long from) throws IOException {
        for (long at = from; at + RecordHeader.START <= size; at++) {
            if (fill(at, RecordHeader.START) < RecordHeader.START) {
                return size;
            }
            if (RecordHeader.isMagic(window, (int) (at - windowStart))) {
                return at;
            }
        }
        return size;
    }
}
