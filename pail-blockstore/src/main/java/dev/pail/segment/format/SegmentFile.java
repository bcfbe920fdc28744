package dev.pail.segment.format;

import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The file of a segment, open for reading records. For use by several threads at once. */
public final class SegmentFile implements AutoCloseable {
    /** The size in bytes of what a file begins with: the same twice, so that damage to one does no harm. Rule SEG2. */
    public static final int BEGINNING = 32;

    private static final int MAGIC = 0x31474553;
    private static final int COPY = BEGINNING / 2;

    /** The greatest number of a segment. */
    public static final int MAX_SEGMENT_NUMBER = 0xffffff;

    /** How much of a file is read at once by whoever reads all of it, in bytes. */
    public static final int WINDOW = 64 * 1024;

    private final Path path;
    private final int segmentNumber;
    private final int salt;
    private final Disk.ReadableFile file;

    /** Of the folder: to ask for that of a file makes the next sync of it take longer. See {@link Disk#identity}. */
    private final @Nullable Object identity;

    /** A place of what was read. Of a file that was opened again, no place is the same: something else may be there. */
    public record Place(Disk.ReadableFile file, long offset) {}

    private SegmentFile(Path path, int segmentNumber, int salt, Disk.ReadableFile file, @Nullable Object identity) {
        this.path = path;
        this.segmentNumber = segmentNumber;
        this.salt = salt;
        this.file = file;
        this.identity = identity;
    }

    /** What the file of a segment begins with. */
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
        // First: if another folder gets the name meanwhile, it is only taken for another one than it is.
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
        int length = read(path, file, 0, bytes, BEGINNING);
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

    /** The same file, after it was given another name. */
    public SegmentFile renamed(Path name) {
        return new SegmentFile(name, segmentNumber, salt, file, identity);
    }

    public Place place(Location location) {
        return new Place(file, location.offset());
    }

    /** Whether there still is a file of a name in the same folder. */
    public boolean isNamed(Disk disk, Path name) throws IOException {
        return identity != null && identity.equals(disk.identity(Disk.parent(name))) && disk.exists(name);
    }

    public Path path() {
        return path;
    }

    public int segmentNumber() {
        return segmentNumber;
    }

    public int salt() {
        return salt;
    }

    public long size() throws IOException {
        return file.size();
    }

    /** Whether something was written at a place: neither the file ends there, nor was what is there only set aside. */
    public boolean isWritten(long at) throws IOException {
        byte[] bytes = new byte[Integer.BYTES];
        return !isZero(bytes, read(at, bytes, bytes.length));
    }

    /** Whether nothing was written from a place on. */
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

    /** Reads up to so many bytes: fewer only where the file ends. */
    public int read(long from, byte[] target, int length) throws IOException {
        return read(path, file, from, target, length);
    }

    private static int read(Path path, Disk.ReadableFile file, long from, byte[] target, int length)
            throws IOException {
        try {
            return file.read(from, target, 0, length);
        } catch (IOException e) {
            // Which of all segments it is, whoever is told has to know.
            FileSystemException named = new FileSystemException(path.toString(), null, StoreIOException.reason(e));
            named.initCause(e);
            throw named;
        }
    }

    public byte[] readAll(long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        if (read(from, bytes, length) < length) {
            throw new DamageException("the file ends within a record").at(path, from);
        }
        return bytes;
    }

    /**
     * The block, or what differs, that is kept in a place, without its payload.
     *
     * @throws DamageException if there is something else
     */
    public RecordHeader header(Location location) throws IOException {
        return header(location, readAll(location.offset(), Math.min(checkedSize(location), RecordHeader.MOST)));
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

    private int checkedSize(Location location) throws DamageException {
        int size = location.size();
        if (size < RecordHeader.START || size > RecordHeader.MOST + Block.MAX_SIZE + Output.CHECKSUM) {
            throw new DamageException("a record of impossible size").at(path, location.offset());
        }
        return size;
    }

    private RecordHeader header(Location location, byte[] bytes) throws DamageException {
        try {
            RecordHeader header = RecordHeader.read(bytes, 0, bytes.length, salt, location.offset());
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
        private final boolean isRight;

        private BlockRecord(RecordHeader.BlockContent content, byte[] payload, boolean isRight) {
            this.content = content;
            this.payload = payload;
            this.isRight = isRight;
        }

        public RecordHeader.BlockContent content() {
            return content;
        }

        public byte[] payload() {
            return payload;
        }

        /** Whether the payload matches its checksum. */
        public boolean isRight() {
            return isRight;
        }
    }

    /**
     * The record in a place.
     *
     * @throws DamageException if there is something else, or its payload does not match its checksum
     */
    public BlockRecord record(Location location) throws IOException {
        BlockRecord record = recordAsItIs(location);
        if (!record.isRight) {
            throw new DamageException("a record with a wrong checksum").at(path, location.offset());
        }
        return record;
    }

    /**
     * The record in a place, right or not.
     *
     * @throws DamageException if there is something else
     */
    public BlockRecord recordAsItIs(Location location) throws IOException {
        byte[] bytes = readAll(location.offset(), checkedSize(location));
        RecordHeader header = header(location, bytes);
        byte[] payload = Arrays.copyOfRange(bytes, header.length(), header.length() + header.payload());
        boolean isRight = payload.length == 0
                || new Input(bytes, header.length() + payload.length, bytes.length).integer()
                        == Output.checksum(0, payload, 0, payload.length);
        return new BlockRecord((RecordHeader.BlockContent) header.content(), payload, isRight);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
