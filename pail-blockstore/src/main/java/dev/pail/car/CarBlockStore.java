package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A read-only store over a CAR file of version 1 or 2. A block is found under every CID with its multihash, as in a {@link
 * dev.pail.blockstore.DirectoryBlockStore}. Opening reads the file once and takes some 16 bytes of memory for each block. The file must
 * not change meanwhile.
 *
 * <p>Each read checks the block against its CID. If the file has a multihash several times, the first one counts. A CID whose hash
 * function is not available here counts as absent. Safe for use by several threads.
 *
 * <p>To open a root that is a shard, use {@link dev.pail.Pail#open}; for an event, {@link dev.pail.clock.ReplicatedPail#open}. If there
 * are several events, first copy the blocks into a store that takes blocks ({@link CarImport}).
 *
 * <pre>{@code
 * try (CarBlockStore car = CarBlockStore.open(file)) {
 *     Pail version = Pail.open(car, car.roots().get(0)); // where the root is that of a pail
 *     Pail next = version.in(blocks).put("title", value); // changes go to another store, which has the shards
 * }
 * }</pre>
 */
public final class CarBlockStore implements BlockStore {
    /** What is read to know the CID of a section: enough for the usual ones. */
    private static final int START = 64;

    private static final int MAX_VARINT = 9;

    /** The bytes in front of a block, at most. */
    private static final int MAX_HEAD = MAX_VARINT + Cid.MAX_BYTES;

    private final Path path;
    private final Disk.ReadableFile file;
    private final List<Cid> roots;
    private final SectionIndex index = new SectionIndex();
    private volatile boolean closed;

    private CarBlockStore(Path path, Disk.ReadableFile file) throws IOException {
        this.path = path;
        this.file = file;
        if (file.size() > SectionIndex.MAX_FILE) {
            throw new IOException("larger than " + SectionIndex.MAX_FILE + " bytes");
        }
        CarReader reader = CarReader.of(new FileInput(file), path.toString());
        this.roots = reader.header().roots();
        reader.forEach(this::add);
    }

    private void add(CarSection section) {
        Cid cid = section.cid();
        // A section whose bytes cannot be compared with its CID is passed over (CAR5).
        if (Block.isVerifiable(cid)) {
            Cid raw = cid.raw();
            // Rule CAR7: the first section of a multihash stays.
            index.add(raw, section.offset(), offset -> find(raw, offset).isPresent());
        }
    }

    /**
     * Opens a file.
     *
     * @throws MalformedDataException if it is no CAR, or is truncated
     * @throws StoreIOException if it cannot be read
     */
    public static CarBlockStore open(Path file) {
        return open(Disk.system(), file);
    }

    /** Opens a file of a disk. */
    public static CarBlockStore open(Disk disk, Path file) {
        try {
            Disk.ReadableFile opened = disk.open(file);
            try {
                return new CarBlockStore(file, opened);
            } catch (IOException | RuntimeException | Error e) {
                opened.close();
                throw e;
            }
        } catch (IOException e) {
            throw new StoreIOException("cannot open a CAR", file.toString(), e);
        }
    }

    /** The roots that the file names, in its order. */
    public List<Cid> roots() {
        return roots;
    }

    /** The file, for messages. */
    public String location() {
        return path.toString();
    }

    /** Returns the number of blocks: of different multihashes in the file whose hash function is available here. */
    public int size() {
        return index.size();
    }

    /** Where the bytes of a block are in the file. */
    private record Span(long from, int size) {}

    /** Where the block of a section is, if the section has the multihash of this raw CID. */
    private Optional<Span> find(Cid raw, long offset) {
        byte[] start = new byte[START];
        return find(raw, offset, start, read(offset, start, START));
    }

    private Optional<Span> find(Cid raw, long offset, byte[] start, int count) {
        int at = 0;
        long length = 0;
        while (at < count && at < MAX_VARINT) {
            length |= (long) (start[at] & 0x7f) << (7 * at);
            if (start[at++] >= 0) {
                break;
            }
        }
        if (length < 0 || length > CarReader.MAX_SECTION) {
            return Optional.empty();
        }
        int end = Math.min(count, at + (int) length);
        try {
            int cidLength = Cid.lengthAt(start, at, end);
            return Cid.fromBytes(start, at, at + cidLength).raw().equals(raw)
                    ? Optional.of(new Span(offset + at + cidLength, (int) length - cidLength))
                    : Optional.empty();
        } catch (MalformedDataException e) {
            if (count < START || start.length > START) {
                return Optional.empty();
            }
            byte[] longer = new byte[MAX_HEAD];
            return find(raw, offset, longer, read(offset, longer, MAX_HEAD));
        }
    }

    private Optional<Span> find(Cid cid) {
        Cid raw = cid.raw();
        return index.find(raw, offset -> find(raw, offset));
    }

    @Override
    public Optional<Block> get(Cid cid) {
        checkOpen();
        return find(cid).map(span -> block(cid, span));
    }

    private Block block(Cid cid, Span span) {
        byte[] bytes = new byte[span.size];
        int count = read(span.from, bytes, span.size);
        if (count < span.size) {
            throw new CorruptBlockException(cid, "cut off after " + count + " bytes, " + place(span));
        }
        try {
            return UnsafeBlocks.verified(cid, bytes);
        } catch (CorruptBlockException e) {
            throw new CorruptBlockException(cid, e.found() + ", " + place(span));
        }
    }

    private String place(Span span) {
        return "at offset " + span.from + " of " + path;
    }

    @Override
    public boolean has(Cid cid) {
        checkOpen();
        return find(cid).isPresent();
    }

    /** @throws StoreIOException unless there are no blocks: this store never writes to a CAR file */
    @Override
    public void putAll(Collection<Block> blocks) {
        checkOpen();
        if (!blocks.isEmpty()) {
            throw new StoreIOException("cannot keep blocks", path.toString(), "a CAR file is only read", null);
        }
    }

    private int read(long position, byte[] target, int length) {
        try {
            return file.read(position, target, 0, length);
        } catch (IOException e) {
            // Another thread may have closed it meanwhile.
            checkOpen();
            throw new StoreIOException("cannot read a block", path.toString(), e);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the block store is closed: " + path);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                file.close();
            } catch (IOException e) {
                throw new StoreIOException("cannot close a CAR", path.toString(), e);
            }
        }
    }
}
