package dev.pail.bench;

import dev.pail.BlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/**
 * Keeps blocks in memory, and at each put appends as many bytes to a file as segments take for one: what a store must do at least
 * whose puts survive the process.
 */
final class WrittenBlocks implements BlockStore {
    private static final byte[] RECORDS = new byte[600];

    private final MemoryBlockStore blocks;
    private final RandomAccessFile file;

    /** @param file is created, or gone on with */
    WrittenBlocks(MemoryBlockStore blocks, Path file) {
        this.blocks = blocks;
        try {
            this.file = new RandomAccessFile(file.toFile(), "rw");
            this.file.seek(this.file.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return blocks.get(cid);
    }

    @Override
    public boolean has(Cid cid) {
        return blocks.has(cid);
    }

    @Override
    public void putAll(Collection<Block> given) {
        blocks.putAll(given);
        try {
            file.write(RECORDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
