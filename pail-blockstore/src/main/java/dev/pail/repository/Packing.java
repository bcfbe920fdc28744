package dev.pail.repository;

import dev.pail.StoreIOException;
import dev.pail.lock.WriterLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Moves blocks between files of their own and segments: {@link Repository#packing}. Every block is readable all the time; it is taken away
 * from one place when it is safe in the other. Others may read and write meanwhile.
 *
 * <p>Immutable. Safe for use by several threads.
 */
public final class Packing {
    private final RepositoryBlocks blocks;
    private final WriterLock lock;
    private final RepositoryFolder folder;
    private final LongConsumer progress;

    Packing(RepositoryBlocks blocks, WriterLock lock, RepositoryFolder folder) {
        this(blocks, lock, folder, bytes -> {});
    }

    private Packing(RepositoryBlocks blocks, WriterLock lock, RepositoryFolder folder, LongConsumer progress) {
        this.blocks = blocks;
        this.lock = lock;
        this.folder = folder;
        this.progress = progress;
    }

    /** This, which tells of each block that was moved, with its size in bytes. */
    public Packing withProgress(LongConsumer step) {
        return new Packing(blocks, lock, folder, step);
    }

    /**
     * What was moved.
     *
     * @param blocks how many blocks
     * @param bytes the size of these
     * @param physicalBefore what all blocks of the repository took, in bytes
     * @param physicalAfter what they take now
     */
    public record Moved(long blocks, long bytes, long physicalBefore, long physicalAfter) {}

    /**
     * Moves all blocks that have files of their own to segments, in the order in which they were written, so that of most shards only what
     * differs from the one before is kept. The trash stays as it is.
     *
     * @throws dev.pail.CorruptBlockException if a file is damaged: that block, and those behind it, stay where they are
     * @throws dev.pail.StoreLockedException if a writer holds the lock for longer than there is patience
     * @throws dev.pail.StoreIOException if reading or writing failed. Every block is where it was, or in segments
     */
    public Moved pack() {
        return move(() -> blocks.pack(lock, progress));
    }

    /**
     * Moves all blocks that are in segments to files of their own.
     *
     * @throws dev.pail.CorruptBlockException if a segment is damaged; then all blocks stay there
     * @throws dev.pail.StoreLockedException if a writer holds the lock for longer than there is patience
     * @throws dev.pail.StoreIOException if reading or writing failed. Every block is where it was, or has a file
     */
    public Moved unpack() {
        return move(() -> blocks.unpack(lock, progress));
    }

    private Moved move(Supplier<RepositoryBlocks.Sum> work) {
        folder.checkWritable();
        long before = blocks.physicalBytes();
        try {
            RepositoryBlocks.Sum sum = work.get();
            return new Moved(sum.blocks(), sum.bytes(), before, blocks.physicalBytes());
        } catch (StoreIOException e) {
            folder.refuseAfter(e);
            throw e;
        }
    }
}
