package dev.pail.unixfs;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.dag.Span;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/**
 * Reads a file, or a range of it, from its beginning to its end. Holds one node a level and one chunk, and reads no block that has no byte
 * of the range. Each block is compared with its CID, and has as many bytes of the file as the node above says.
 *
 * <p>Not for use by several threads at once.
 */
final class FileReader extends InputStream {
    /** The most levels of nodes: with two links a node, they reach 2^32 chunks. */
    private static final int MOST_LEVELS = 32;

    private final BlockStore blocks;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final long size;

    /** Of the file, the next byte that is read, and the one behind the last. */
    private long at;

    private long end;

    /** A node on the way to the next byte. */
    private static final class Level {
        final FileNode node;

        /** Where in the file the next part starts; before the first one, where the bytes of the node's own do. */
        long start;

        /** How many parts are behind. */
        int next;

        /** Whether the bytes of its own are behind. */
        boolean passed;

        Level(FileNode node, long start) {
            this.node = node;
            this.start = start;
        }
    }

    /**
     * The file of a root, to be read as a whole.
     *
     * @throws DamagedFileException if the root cannot be read, or is no file
     */
    FileReader(BlockStore blocks, Cid root) {
        this.blocks = blocks;
        FileNode node = node(root, 0);
        this.size = node.size();
        this.end = size;
        levels.push(new Level(node, 0));
    }

    /** The size of the file in bytes. */
    long size() {
        return size;
    }

    /**
     * Goes to a range, before anything was read. Of a range that goes beyond the end, this reads what there is.
     *
     * @throws IllegalArgumentException if one is negative
     */
    FileReader range(long offset, long length) {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException("an offset and a length are not negative: " + offset + ", " + length);
        }
        at = Math.min(offset, size);
        end = length > size - at ? size : at + length;
        return this;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** @throws DamagedFileException if a block on the way cannot be read. The next call tries it again */
    @Override
    public int read(byte[] out, int from, int length) {
        Objects.checkFromIndexSize(from, length, out.length);
        if (length == 0) {
            return 0;
        }
        if (at == end) {
            return -1;
        }
        Level level = nextBytes();
        Span own = level.node.own();
        int skipped = (int) (at - level.start);
        int count = (int) Math.min(Math.min(length, own.length() - skipped), end - at);
        System.arraycopy(own.array(), own.from() + skipped, out, from, count);
        at += count;
        return count;
    }

    /** Goes on to the node whose own bytes have the next byte of the range. */
    private Level nextBytes() {
        while (true) {
            Level level = levels.element();
            FileNode node = level.node;
            if (!level.passed) {
                if (at < level.start + node.own().length()) {
                    return level;
                }
                level.passed = true;
                level.start += node.own().length();
            } else if (level.next == node.parts().size()) {
                levels.pop();
            } else {
                FileNode.Part part = node.parts().get(level.next);
                if (at < level.start + part.size()) {
                    enter(part, level.start);
                }
                level.next++;
                level.start += part.size();
            }
        }
    }

    private void enter(FileNode.Part part, long start) {
        FileNode node = node(part.cid(), start);
        if (node.size() != part.size()) {
            throw DamagedFileException.malformed(
                    part.cid(), start, "a part of a file has the size that the node above says");
        }
        if (levels.size() == MOST_LEVELS) {
            throw DamagedFileException.malformed(part.cid(), start, "a file has at most " + MOST_LEVELS + " levels");
        }
        levels.push(new Level(node, start));
    }

    private FileNode node(Cid cid, long start) {
        try {
            return FileNode.of(blocks.require(cid));
        } catch (BlockException | MalformedDataException e) {
            throw new DamagedFileException(cid, start, e);
        }
    }
}
