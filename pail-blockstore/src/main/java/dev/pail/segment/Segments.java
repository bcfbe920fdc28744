package dev.pail.segment;

import dev.pail.BlockLocation;
import dev.pail.RowLoc;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The blocks of a folder with segments. For use by several threads at once. */
public final class Segments implements AutoCloseable {
    /** A segment that is larger is sealed, in bytes. */
    public static final long SEGMENT_SIZE = 32 << 20;

    /**
     * The size of the cache of blocks that were read, and of the one of blocks that were written, in bytes: a sixteenth of the heap, 4 to
     * 16 MiB.
     */
    private static final long CACHE_SIZE =
            Math.max(4 << 20, Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 16));

    private final CurrentView current;
    private final Reader reader;
    private final Writer writer;
    private final Path folder;
    private volatile boolean closed;

    private Segments(Disk disk, Path folder, long maxUnsynced, long segmentSize, boolean packs, Duration patience) {
        Catalog catalog = new Catalog(disk, folder);
        this.folder = folder;
        Blocks blocks = new Blocks(catalog, CACHE_SIZE);
        this.current = new CurrentView(disk, catalog);
        this.reader = new Reader(catalog, current, blocks);
        this.writer = new Writer(disk, catalog, current, blocks, CACHE_SIZE, maxUnsynced, segmentSize, packs, patience);
    }

    /**
     * Opens a folder, which need not be there yet.
     *
     * @param maxUnsynced how many bytes may be written and not yet synced, at most; 0: each put is durable when it returns
     * @param segmentSize a segment that is larger is sealed, in bytes
     * @param packs whether new deltas are packed, which version 0.1 cannot read
     * @param patience how long to wait for the lock if another process holds it
     */
    public static Segments open(
            Disk disk, Path folder, long maxUnsynced, long segmentSize, boolean packs, Duration patience) {
        return new Segments(disk, folder, maxUnsynced, segmentSize, packs, patience);
    }

    /** Opens a folder. Its puts do not wait for the lock. */
    static Segments open(Disk disk, Path folder, long maxUnsynced, long segmentSize) {
        return open(disk, folder, maxUnsynced, segmentSize, true, Duration.ZERO);
    }

    /**
     * Checks that this is open.
     *
     * @throws IllegalStateException if this is closed
     */
    public void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the block store is closed: " + folder);
        }
    }

    /** Reads something. If another thread closes the store meanwhile, throws what says so, instead of an I/O error. */
    private <T> T read(Supplier<T> question) {
        checkOpen();
        try {
            return question.get();
        } catch (StoreIOException e) {
            checkOpen();
            throw e;
        }
    }

    public Optional<Block> get(Cid cid) {
        return read(() -> reader.get(cid));
    }

    public boolean has(Cid cid) {
        return read(() -> reader.has(cid));
    }

    public Set<Cid> hasAll(Collection<Cid> cids) {
        return read(() -> reader.hasAll(cids));
    }

    /** Where a block is; empty if it is not here. Valid until the next compaction. */
    public Optional<BlockLocation> locate(Cid cid) {
        return read(() -> reader.locate(cid));
    }

    /** The block in a place; empty if the place is not that of a block that is stored whole. */
    public Optional<Block> read(RowLoc location) {
        return read(() -> reader.read(location));
    }

    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        checkOpen();
        writer.putAll(blocks, origins);
    }

    /**
     * Removes blocks that are not wanted and not bases of wanted ones. Puts wait until it is done.
     *
     * @throws StoreIOException if it fails, or the store is damaged; then no wanted block is lost
     */
    public void compact(Predicate<Cid> wanted) {
        checkOpen();
        writer.compact((entry, record) -> wanted.test(entry.content().cid()));
    }

    /**
     * Copies blocks into new segments, in their order, and removes segments that are of no use then. Puts wait while a segment is written.
     *
     * @param order may read blocks; if it writes to the store, the write throws {@link IllegalStateException}
     * @throws StoreIOException if it fails, or the store is damaged; then no block is lost
     */
    public void copy(Iterator<Cid> order) {
        checkOpen();
        writer.copy(order);
    }

    /**
     * The part of a file that has a block and its base, and that a walk reads as a whole. The number of the next part of the file is greater
     * by one. Empty if the base is in another part, or the store cannot read the block.
     */
    public OptionalLong part(Cid cid) {
        return read(() -> reader.part(cid));
    }

    /**
     * Removes blocks and all traces of them. Puts wait until it is done.
     *
     * @throws StoreIOException if it fails, or the store is damaged; then no other block is lost
     */
    public void erase(Collection<Cid> cids) {
        checkOpen();
        writer.erase(cids);
    }

    /**
     * Deletes records that were condemned long enough ago and still are not needed, and condemns those that are not needed now. Puts wait
     * until it is done.
     *
     * @throws StoreIOException if it fails, or the store is damaged; then no needed block is lost
     */
    public Swept sweep(SweepRule rule) {
        checkOpen();
        return writer.sweep(rule);
    }

    /**
     * Writes a commit that says that all before it is durable. From then on, a bad place before it is damage, and no longer the torn tail
     * that a loss of power leaves.
     *
     * @throws StoreIOException if it fails
     */
    public void confirm() {
        checkOpen();
        writer.confirm();
    }

    /**
     * Makes durable what other processes have put.
     *
     * @throws StoreIOException if it fails
     */
    public void settle() {
        checkOpen();
        writer.settle();
    }

    /** What a sweep would do. Changes nothing. */
    public Swept preview(SweepRule rule) {
        return read(() -> reader.preview(rule));
    }

    /** Loads what other processes have written and removed. */
    public void renew() {
        read(() -> {
            current.renew();
            return folder;
        });
    }

    /**
     * Passes on the blocks of the store in the order in which they were written. Takes memory for the records of one segment. Blocks that
     * are put meanwhile may be left out.
     */
    public Listing forEach(Consumer<StoredBlock> action) {
        return read(() -> reader.forEach(action));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                writer.close();
            } finally {
                closeReader();
            }
        }
    }

    private void closeReader() {
        try {
            reader.close();
        } catch (IOException e) {
            throw new StoreIOException("cannot end reading", folder.toString(), e);
        }
    }
}
