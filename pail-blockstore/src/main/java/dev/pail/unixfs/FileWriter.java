package dev.pail.unixfs;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.threads.TaskThread;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;

/**
 * Writes one file as a balanced tree: chunks first, then nodes over them, level by level, as they are full. While one portion of chunks is
 * stored, the common pool hashes the next one. Holds two portions of chunks, and the links of one node a level. For one use. Rule FS8.
 */
final class FileWriter {
    /** How many chunks a portion has at most. */
    private static final int PORTION_CHUNKS = 1024;

    /** How much is read before a whole chunk is allocated: most files are small. */
    private static final int FIRST_BYTES = 8 << 10;

    private final PendingBlocks blocks;
    private final FileLayout layout;
    private final InputStream in;

    /** From the chunks up. */
    private final List<Level> levels = new ArrayList<>();

    /** What is not below a node yet, of one height. */
    private static final class Level {
        final List<FileNode.Part> parts = new ArrayList<>();

        /** How many there were in all. */
        long count;
    }

    private final OptionalInt mode;
    private final Optional<Instant> mtime;

    /** The parts of the last node, which is stored when it is known not to be the root. */
    private List<FileNode.Part> last = List.of();

    private FileWriter(
            BlockStore blocks, FileLayout layout, InputStream in, OptionalInt mode, Optional<Instant> mtime) {
        this.mode = mode;
        this.mtime = mtime;
        this.blocks = new PendingBlocks(blocks);
        this.layout = layout;
        this.in = in;
    }

    /** Writes all that a stream gives. A file of one chunk is that chunk. */
    static FileNode.Part write(BlockStore blocks, FileLayout layout, InputStream in) throws IOException {
        return write(blocks, layout, in, OptionalInt.empty(), Optional.empty());
    }

    /** The same, with permissions and a time in the root, which is a node then. */
    static FileNode.Part write(
            BlockStore blocks, FileLayout layout, InputStream in, OptionalInt mode, Optional<Instant> mtime)
            throws IOException {
        return new FileWriter(blocks, layout, in, mode, mtime).write();
    }

    private FileNode.Part write() throws IOException {
        List<FutureTask<Block>> portion = read();
        if (portion.isEmpty()) {
            portion.add(hashing(new byte[0]));
        }
        while (!portion.isEmpty()) {
            List<FutureTask<Block>> next = read();
            store(portion);
            portion = next;
        }
        FileNode.Part root = described(root());
        blocks.flush();
        return root;
    }

    /** Reads the next portion of chunks, and lets the pool hash those that are whole. */
    private List<FutureTask<Block>> read() throws IOException {
        List<FutureTask<Block>> portion = new ArrayList<>();
        int most = Math.max(1, Math.min(PORTION_CHUNKS, PendingBlocks.portion() / layout.chunkSize()));
        byte[] chunk;
        do {
            chunk = readChunk();
            if (chunk.length > 0) {
                FutureTask<Block> hashing = hashing(chunk);
                portion.add(hashing);
                if (chunk.length == layout.chunkSize() && TaskThread.threads() > 1) {
                    ForkJoinPool.commonPool().execute(hashing);
                }
            }
        } while (chunk.length == layout.chunkSize() && portion.size() < most);
        return portion;
    }

    private byte[] readChunk() throws IOException {
        byte[] start = in.readNBytes(Math.min(FIRST_BYTES, layout.chunkSize()));
        if (start.length < FIRST_BYTES) {
            return start;
        }
        byte[] chunk = Arrays.copyOf(start, layout.chunkSize());
        int length = start.length + in.readNBytes(chunk, start.length, chunk.length - start.length);
        return length == chunk.length ? chunk : Arrays.copyOf(chunk, length);
    }

    private static FutureTask<Block> hashing(byte[] chunk) {
        return new FutureTask<>(() -> UnsafeBlocks.of(Cid.RAW, chunk));
    }

    private void store(List<FutureTask<Block>> portion) {
        // Hashes what the pool has not begun: it may have other work, or no threads.
        portion.forEach(FutureTask::run);
        for (FutureTask<Block> hashed : portion) {
            Block chunk = await(hashed);
            blocks.add(chunk);
            add(0, new FileNode.Part(chunk.cid(), chunk.size(), chunk.size()));
        }
    }

    private static Block await(FutureTask<Block> hashed) {
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    return hashed.get();
                } catch (InterruptedException e) {
                    // Another thread is hashing it, which takes a few milliseconds.
                    wasInterrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof Error error) {
                        throw error;
                    }
                    throw new IllegalStateException("cannot hash a chunk", e.getCause());
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void add(int height, FileNode.Part part) {
        if (height == levels.size()) {
            levels.add(new Level());
        }
        Level level = levels.get(height);
        level.parts.add(part);
        level.count++;
        if (level.parts.size() == layout.links()) {
            close(height);
        }
    }

    /** Puts a node over what waits on a level. */
    private void close(int height) {
        List<FileNode.Part> parts = levels.get(height).parts;
        storeLast();
        last = List.copyOf(parts);
        FileNode.Part node = node(FileNode.block(parts), parts);
        parts.clear();
        add(height + 1, node);
    }

    private void storeLast() {
        if (!last.isEmpty()) {
            blocks.add(FileNode.block(last));
            last = List.of();
        }
    }

    /** The root, with permissions and a time if there are some. */
    private FileNode.Part described(FileNode.Part root) {
        if (mode.isEmpty() && mtime.isEmpty()) {
            storeLast();
            return root;
        }
        List<FileNode.Part> parts = last.isEmpty() ? List.of(root) : last;
        Block block = FileNode.block(parts, mode, mtime);
        blocks.add(block);
        return node(block, parts);
    }

    private static FileNode.Part node(Block block, List<FileNode.Part> parts) {
        long size = 0;
        long treeSize = block.size();
        for (FileNode.Part part : parts) {
            size += part.size();
            treeSize += part.treeSize();
        }
        return new FileNode.Part(block.cid(), size, treeSize);
    }

    private FileNode.Part root() {
        for (int height = 0; ; height++) {
            Level level = levels.get(height);
            if (level.count == 1) {
                return level.parts.get(0);
            }
            if (!level.parts.isEmpty()) {
                close(height);
            }
        }
    }
}
