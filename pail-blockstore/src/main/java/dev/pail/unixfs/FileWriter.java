package dev.pail.unixfs;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes one file as a balanced tree: chunks first, then nodes over them, level by level, as they are full. Holds the links of one node a
 * level, and at most some 8 MiB of blocks. For one use.
 */
final class FileWriter {
    private final PendingBlocks blocks;
    private final FileLayout layout;

    /** From the chunks up. */
    private final List<Level> levels = new ArrayList<>();

    /** What is not below a node yet, of one height. */
    private static final class Level {
        final List<FileNode.Part> parts = new ArrayList<>();

        /** How many there were in all. */
        long count;
    }

    FileWriter(BlockStore blocks, FileLayout layout) {
        this.blocks = new PendingBlocks(blocks);
        this.layout = layout;
    }

    /** Writes all that a stream gives. A file of one chunk is that chunk. */
    FileNode.Part write(InputStream in) throws IOException {
        byte[] chunk = new byte[layout.chunkSize()];
        int length = in.readNBytes(chunk, 0, chunk.length);
        do {
            Block block = UnsafeBlocks.of(Cid.RAW, Arrays.copyOf(chunk, length));
            blocks.add(block);
            add(0, new FileNode.Part(block.cid(), length, length));
            length = in.readNBytes(chunk, 0, chunk.length);
        } while (length > 0);
        FileNode.Part root = root();
        blocks.flush();
        return root;
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
        Block block = FileNode.block(parts);
        long size = 0;
        long treeSize = block.size();
        for (FileNode.Part part : parts) {
            size += part.size();
            treeSize += part.treeSize();
        }
        parts.clear();
        blocks.add(block);
        add(height + 1, new FileNode.Part(block.cid(), size, treeSize));
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
