package dev.pail.segment.format;

import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The file of a segment, open for reading records. For use by several threads at once. */
public final class SegmentFile implements AutoCloseable, Windows.Source {
    /** The size of the beginning of a file, in bytes. It has two equal copies, and one intact copy is enough. Rule SEG2. */
    public static final int BEGINNING = 32;

    private static final int MAGIC = 0x31474553;
    private static final int COPY = BEGINNING / 2;

    /** The greatest number of a segment. */
    public static final int MAX_SEGMENT_NUMBER = 0xffffff;

    /** How many bytes in front of a record are read with it: it may copy some of them. */
    private static final int NEAR = 1024;

    /** How many bytes a reader of the whole file reads at once. */
    public static final int WINDOW = 64 * 1024;

    private final Path path;
    private final int segmentNumber;
    private final int salt;
    private final Disk.ReadableFile file;

    /** The identity of the folder: to ask for that of the file would slow down its next sync. See {@link Disk#identity}. */
    private final @Nullable Object identity;

    /** A place in an open file. After the file is opened again, its places are others: the content may have changed. */
    public record Place(Disk.ReadableFile file, long offset) {}

    private SegmentFile(Path path, int segmentNumber, int salt, Disk.ReadableFile file, @Nullable Object identity) {
        this.path = path;
        this.segmentNumber = segmentNumber;
        this.salt = salt;
        this.file = file;
        this.identity = identity;
    }

    /** The beginning of the file of a segment. */
    public static byte[] beginning(int segmentNumber, int salt) {
        Output out = new Output(BEGINNING);
        for (int copy = 0; copy < 2; copy++) {
            int from = out.size();
            out.integer(4, MAGIC).integer(4, segmentNumber).integer(4, salt);
            out.integer(4, out.checksum(0, from));
        }
        return out.toBytes();
    }

    /**
     * Opens the file of a segment.
     *
     * @throws DamageException if the file does not begin as that of this segment
     */
    public static SegmentFile open(Disk disk, Path path, int segmentNumber) throws IOException {
        // Before the file is opened: if the folder is replaced meanwhile, isNamed answers false, which is harmless.
        Object identity = disk.identity(Disk.parent(path));
        Disk.ReadableFile file = disk.open(path);
        try {
            return new SegmentFile(path, segmentNumber, salt(path, file, segmentNumber), file, identity);
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    private static int salt(Path path, Disk.ReadableFile file, int segmentNumber) throws IOException {
        byte[] bytes = new byte[BEGINNING];
        int length = read(path, file, 0, bytes, 0, BEGINNING);
        for (int from = 0; from + COPY <= length; from += COPY) {
            Input in = new Input(bytes, from, from + COPY);
            boolean isOurs = in.integer() == MAGIC && in.integer() == segmentNumber;
            int salt = in.integer();
            if (isOurs && in.integer() == Output.checksum(0, bytes, from, COPY - Output.CHECKSUM)) {
                return salt;
            }
        }
        throw new DamageException("no segment of this number").at(path, 0);
    }

    /** The same open file under another name. */
    public SegmentFile renamed(Path name) {
        return new SegmentFile(name, segmentNumber, salt, file, identity);
    }

    public Place place(Location location) {
        return new Place(file, location.offset());
    }

    /** Whether the same folder still has a file of this name. */
    public boolean isNamed(Disk disk, Path name) throws IOException {
        return identity != null && identity.equals(disk.identity(Disk.parent(name))) && disk.exists(name);
    }

    public Path path() {
        return path;
    }

    @Override
    public int segmentNumber() {
        return segmentNumber;
    }

    public int salt() {
        return salt;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    /** Whether something was written at a place: the file does not end there, and its next four bytes are not all zero. */
    public boolean isWritten(long at) throws IOException {
        byte[] bytes = new byte[Integer.BYTES];
        return !isZero(bytes, read(at, bytes, bytes.length));
    }

    /** Whether only zeros follow, or nothing. */
    public boolean isUnused(long from) throws IOException {
        byte[] window = new byte[WINDOW];
        int length = window.length;
        for (long at = from; length == window.length; at += length) {
            length = read(at, window, window.length);
            if (!isZero(window, length)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZero(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int read(long from, byte[] target, int length) throws IOException {
        return read(path, file, from, target, 0, length);
    }

    private static int read(Path path, Disk.ReadableFile file, long from, byte[] target, int at, int length)
            throws IOException {
        try {
            return file.read(from, target, at, length);
        } catch (IOException e) {
            // The message must say which segment it is.
            FileSystemException named = new FileSystemException(path.toString(), null, StoreIOException.reason(e));
            named.initCause(e);
            throw named;
        }
    }

    public byte[] readAll(long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        if (read(from, bytes, length) < length) {
            throw endsWithin(from);
        }
        return bytes;
    }

    private DamageException endsWithin(long at) {
        return new DamageException("the file ends within a record").at(path, at);
    }

    /**
     * The header of the record of a block.
     *
     * @throws DamageException if something else is there
     */
    public RecordHeader header(Location location) throws IOException {
        return header(location, readAll(location.offset(), Math.min(checkedSize(location), RecordHeader.MOST)), 0);
    }

    /**
     * The commit in a place.
     *
     * @throws DamageException if there is none
     */
    public RecordHeader.Commit commit(long offset) throws IOException {
        RecordHeader header =
                RecordHeader.read(readAll(offset, RecordHeader.COMMIT), 0, RecordHeader.COMMIT, salt, offset);
        if (header.content() instanceof RecordHeader.Commit commit) {
            return commit;
        }
        throw new DamageException("another record than a commit").at(path, offset);
    }

    /** The record of a whole block whose payload is in a place; null if the bytes in front of it are no such header. */
    public @Nullable Location wholeRecord(long payloadOffset, long payloadSize) throws IOException {
        int near = (int) Math.min(RecordHeader.MOST, payloadOffset - BEGINNING);
        if (near < RecordHeader.START || payloadSize > Block.MAX_SIZE) {
            return null;
        }
        byte[] bytes = new byte[near];
        if (read(payloadOffset - near, bytes, near) < near) {
            return null;
        }
        for (int from = near - RecordHeader.START; from >= 0; from--) {
            if (!RecordHeader.isMagic(bytes, from)) {
                continue;
            }
            long offset = payloadOffset - near + from;
            try {
                RecordHeader header = RecordHeader.read(bytes, from, near, salt, offset);
                boolean isWhole = header.content() instanceof RecordHeader.BlockContent block && block.base() == null;
                return isWhole && from + header.length() == near && header.payload() == payloadSize
                        ? new Location(segmentNumber, offset, header.recordSize())
                        : null;
            } catch (DamageException e) {
                Trace.swallowed("no header where a CID may have the same bytes", e);
            }
        }
        return null;
    }

    private int checkedSize(Location location) throws DamageException {
        int size = location.size();
        if (size < RecordHeader.START || size > RecordHeader.MOST + Block.MAX_SIZE + Output.CHECKSUM) {
            throw new DamageException("a record of impossible size").at(path, location.offset());
        }
        return size;
    }

    private RecordHeader header(Location location, byte[] bytes, int from) throws DamageException {
        try {
            RecordHeader header = RecordHeader.read(bytes, from, bytes.length, salt, location.offset());
            if (!(header.content() instanceof RecordHeader.BlockContent) || header.recordSize() != location.size()) {
                throw new DamageException("another record than was to be there");
            }
            return header;
        } catch (DamageException e) {
            throw e.at(path, location.offset());
        }
    }

    /** The record of a block, with its payload. */
    public static final class BlockRecord {
        private final RecordHeader.BlockContent content;
        private final byte[] payload;
        private final @Nullable String wrong;

        private BlockRecord(RecordHeader.BlockContent content, byte[] payload, @Nullable String wrong) {
            this.content = content;
            this.payload = payload;
            this.wrong = wrong;
        }

        public RecordHeader.BlockContent content() {
            return content;
        }

        /** The block or the delta. If it is not right, what is there in its place. */
        public byte[] payload() {
            return payload;
        }

        /** Whether the payload matches its checksum, and what it copies is as it was. */
        public boolean isRight() {
            return wrong == null;
        }
    }

    /**
     * The record in a place.
     *
     * @throws DamageException if there is something else, or it is not right
     */
    public BlockRecord record(Location location) throws IOException {
        return right(location, recordAsItIs(location));
    }

    /**
     * As {@link #record(Location)}, of a sealed segment.
     *
     * @param windows parts of the file that are in memory
     */
    public BlockRecord record(Location location, Windows windows) throws IOException {
        Windows.Span span = windows.find(this, location.offset(), checkedSize(location));
        return span == null ? record(location) : right(location, parse(location, span));
    }

    /**
     * What is in a place of a sealed segment where a walk may find its next block: behind a record that it has read before.
     *
     * @return null if no record is there
     */
    public @Nullable Expected expected(long offset, Cid cid, Windows windows) throws IOException {
        int least = RecordHeader.START + cid.byteLength() + Output.CHECKSUM;
        Windows.Span span = windows.findNext(this, offset, least);
        int size = span == null ? 0 : RecordHeader.likelySize(span.bytes(), span.at());
        if (span == null || size == 0) {
            return null;
        }
        long end = offset + size;
        if (!RecordHeader.isLikelyWhole(span.bytes(), span.at(), cid) || span.bytes().length - span.at() < size) {
            return new Expected(null, end);
        }
        try {
            return new Expected(parse(new Location(segmentNumber, offset, size), span), end);
        } catch (DamageException e) {
            Trace.swallowed("no record where the next block may be", e);
            return null;
        }
    }

    /**
     * A record that a walk may want next.
     *
     * @param record null if it is not the whole block that is wanted
     * @param end where the next record is
     */
    public record Expected(@Nullable BlockRecord record, long end) {}

    private BlockRecord right(Location location, BlockRecord record) throws DamageException {
        if (record.wrong != null) {
            throw new DamageException(record.wrong).at(path, location.offset());
        }
        return record;
    }

    /**
     * The record in a place, even if it is not right.
     *
     * @throws DamageException if something else is there
     */
    public BlockRecord recordAsItIs(Location location) throws IOException {
        int near = (int) Math.max(0, Math.min(NEAR, location.offset() - BEGINNING));
        byte[] bytes = new byte[near + checkedSize(location)];
        if (read(location.offset() - near, bytes, bytes.length) < bytes.length) {
            throw endsWithin(location.offset());
        }
        return parse(location, new Windows.Span(bytes, near));
    }

    /** @param span the bytes of the record, and some in front of it */
    private BlockRecord parse(Location location, Windows.Span span) throws IOException {
        byte[] bytes = span.bytes();
        int near = span.at();
        RecordHeader header = header(location, bytes, near);
        int from = near + header.length();
        byte[] payload = Arrays.copyOfRange(bytes, from, from + header.payload());
        RecordHeader.BlockContent content = (RecordHeader.BlockContent) header.content();
        if (payload.length > 0
                && new Input(bytes, from + payload.length, bytes.length).integer()
                        != Output.checksum(0, payload, 0, payload.length)) {
            return new BlockRecord(content, payload, "a record with a wrong checksum");
        }
        String wrong = null;
        if (header.isPacked()) {
            try {
                payload = PackedDelta.unpack(
                        payload, location.offset() - BEGINNING, new BytesInFront(location.offset(), bytes, near));
            } catch (DamageException e) {
                wrong = String.valueOf(e.getMessage());
            }
        }
        return new BlockRecord(content, payload, wrong);
    }

    /** What is in front of a record. Some of it was read together with the record. */
    private final class BytesInFront implements PackedDelta.Front {
        private final long offset;
        private byte[] read;
        private int length;

        BytesInFront(long offset, byte[] read, int length) {
            this.offset = offset;
            this.read = read;
            this.length = length;
        }

        @Override
        public void prepare(int distance) throws IOException {
            if (distance > length) {
                read = readAll(offset - distance, distance);
                length = distance;
            }
        }

        @Override
        public void read(int distance, byte[] target, int at, int count) throws IOException {
            if (distance <= length) {
                System.arraycopy(read, length - distance, target, at, count);
            } else if (SegmentFile.read(path, file, offset - distance, target, at, count) < count) {
                throw endsWithin(offset - distance);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
