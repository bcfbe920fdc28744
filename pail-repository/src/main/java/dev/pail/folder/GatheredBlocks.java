package dev.pail.folder;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Gathers the blocks of many files, and stores them together: a store makes many blocks durable in the time of one. For several threads. */
final class GatheredBlocks implements BlockStore {
    private static final long MOST = 8 << 20;
    private static final long LEAST = 1 << 20;

    /** Stores have copies of what they write. */
    private static final int PART_OF_HEAP = 32;

    /** In bytes. */
    private final long portionSize =
            Math.max(LEAST, Math.min(MOST, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));

    private final BlockStore blocks;

    @GuardedBy("this")
    private List<Block> gathered = new ArrayList<>();

    @GuardedBy("this")
    private long size;

    GatheredBlocks(BlockStore blocks) {
        this.blocks = blocks;
    }

    @Override
    public void putAll(Collection<Block> all) {
        List<Block> portion;
        synchronized (this) {
            gathered.addAll(all);
            for (Block block : all) {
                size += block.size();
            }
            if (size < portionSize) {
                return;
            }
            portion = taken();
        }
        blocks.putAll(portion);
    }

    /** Stores what is left. */
    void flush() {
        List<Block> portion;
        synchronized (this) {
            portion = taken();
        }
        blocks.putAll(portion);
    }

    @GuardedBy("this")
    private List<Block> taken() {
        List<Block> portion = gathered;
        gathered = new ArrayList<>();
        size = 0;
        return portion;
    }

    /** Files are only written here. */
    @Override
    public Optional<Block> get(Cid cid) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean has(Cid cid) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
