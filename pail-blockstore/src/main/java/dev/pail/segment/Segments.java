package dev.pail.segment;

import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** The blocks of a folder with segments. For use by several threads at once. */
public final class Segments implements AutoCloseable {
    /** See {@link Tails}. */
    public static final long SEGMENT_SIZE = 32 << 20;

    /** What is held of blocks that were made lately, in bytes. */
    private static final long CACHE_SIZE = 16 << 20;

    private final Reader reader;
    private final Writer writer;
    private final Path folder;
    private volatile boolean closed;

    private Segments(Disk disk, Path folder, long mostUnsafe, long segmentSize) {
        Catalog catalog = new Catalog(disk, folder);
        this.folder = folder;
        this.reader = new Reader(catalog, CACHE_SIZE);
        this.writer = new Writer(disk, catalog, reader, mostUnsafe, segmentSize);
    }

    /**
     * Opens a folder, which need not be there yet.
     *
     * @param mostUnsafe so many bytes are written before they are made safe from a loss of power
     * @param segmentSize a segment that is larger is ended, in bytes
     */
    public static Segments open(Disk disk, Path folder, long mostUnsafe, long segmentSize) {
        return new Segments(disk, folder, mostUnsafe, segmentSize);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the block store is closed: " + folder);
        }
    }

    public Optional<Block> get(Cid cid) {
        checkOpen();
        return reader.get(cid);
    }

    public boolean has(Cid cid) {
        checkOpen();
        return reader.has(cid);
    }

    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        checkOpen();
        writer.putAll(blocks, origins);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try (writer) {
                reader.close();
            } catch (IOException e) {
                throw new StoreIOException("cannot end reading", folder.toString(), Disk.reason(e), e);
            }
        }
    }
}
