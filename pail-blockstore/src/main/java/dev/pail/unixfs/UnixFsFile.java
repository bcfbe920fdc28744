package dev.pail.unixfs;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.dag.ByteSpan;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file, or of a range of it, from the first to the last. {@link UnixFs#open} opens one.
 *
 * <p>A read loads only blocks that have bytes of the range, and the nodes above these. It checks each block against its CID, and its size
 * against the node above. A stream holds one chunk and the nodes above it, which have at most 32 MiB together. Skipping loads nothing.
 * Closing has no effect.
 *
 * <p>Not for use by several threads at once.
 *
 * <pre>{@code
 * try (UnixFsFile file = UnixFs.open(blocks, value)) {
 *     byte[] last = file.range(Math.max(0, file.size() - 100), 100).readAllBytes(); // the last 100 bytes
 *     file.transferTo(System.out); // all
 * }
 * }</pre>
 */
public final class UnixFsFile extends InputStream {
    /** The most levels of nodes: with two links a node, they reach 2^32 chunks. */
    static final int MOST_LEVELS = 32;

    private static final long MOST_NODE_BYTES = 32 << 20;

    /** The most parts without bytes that are read. Each may be a large block. */
    private static final int MOST_EMPTY = 1024;

    private final BlockStore blocks;
    private final FileNode root;
    private final Deque<Level> levels = new ArrayDeque<>();
    private long nodeBytes;
    private int emptyParts;

    /** Of the file, the next byte that is read, and the one behind the last. */
    private long at;

    private final long end;

    /** A node on the way to the next byte. */
    private static final class Level {
        final FileNode node;
        final FileNode.Parts parts;

        /** Where in the file the bytes of the node's own start. */
        final long start;

        /** The next part, and where in the file it starts. */
        FileNode.@Nullable Part next;

        long nextStart;

        Level(FileNode node, long start) {
            this.node = node;
            this.start = start;
            this.parts = node.parts();
            this.next = parts.next();
            this.nextStart = start + node.own().length();
        }

        void pass(FileNode.Part part) {
            nextStart += part.size();
            next = parts.next();
        }
    }

    /** @throws DamagedFileException if the root cannot be read, or is no file */
    UnixFsFile(BlockStore blocks, Cid cid) {
        this(blocks, Nodes.file(blocks, cid));
    }

    UnixFsFile(BlockStore blocks, FileNode root) {
        this(blocks, root, 0, Long.MAX_VALUE);
    }

    private UnixFsFile(BlockStore blocks, FileNode root, long offset, long length) {
        this.blocks = blocks;
        this.root = root;
        this.at = Math.min(offset, root.size());
        this.end = length > root.size() - at ? root.size() : at + length;
        push(root, 0);
    }

    /** The size of the whole file in bytes. */
    public long size() {
        return root.size();
    }

    /**
     * Returns a stream of a range of the file. The position of this stream does not change. If the range goes beyond the end of the file,
     * the stream ends there.
     *
     * @param offset of the first byte, from the start of the file
     * @param length the number of bytes
     * @throws IllegalArgumentException if one is negative
     */
    @CheckReturnValue
    public UnixFsFile range(long offset, long length) {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException("an offset and a length are not negative: " + offset + ", " + length);
        }
        return new UnixFsFile(blocks, root, offset, length);
    }

    /** @throws DamagedFileException as the other {@code read} */
    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** @throws DamagedFileException if a needed block cannot be read. The next call tries again */
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
        ByteSpan own = level.node.own();
        int skipped = (int) (at - level.start);
        int count = (int) Math.min(Math.min(length, own.length() - skipped), end - at);
        System.arraycopy(own.array(), own.from() + skipped, out, from, count);
        at += count;
        return count;
    }

    @Override
    public long skip(long count) {
        long skipped = Math.max(0, Math.min(count, end - at));
        at += skipped;
        return skipped;
    }

    /** Finds the node whose own bytes have the next byte of the range. */
    private Level nextBytes() {
        while (true) {
            Level level = levels.element();
            FileNode.Part next = level.next;
            if (at < level.start + level.node.own().length()) {
                return level;
            }
            if (next == null) {
                levels.pop();
                nodeBytes -= level.node.weight();
            } else {
                if (at < level.nextStart + next.size()) {
                    enter(next, level.nextStart);
                } else if (next.size() == 0 && at == level.nextStart) {
                    checkEmpty(next);
                }
                level.pass(next);
            }
        }
    }

    /** Other readers take all bytes of a part that has none by the node above, so it must have none. */
    private void checkEmpty(FileNode.Part part) {
        // Those whose bytes are in their CIDs take no more than the node that has these.
        emptyParts += part.cid().hashFunction() == Cid.IDENTITY ? 0 : 1;
        if (emptyParts > MOST_EMPTY) {
            throw DamagedFileException.ofFile(
                    part.cid(), at, "a file has at most " + MOST_EMPTY + " parts without bytes");
        }
        load(part, at);
    }

    private void enter(FileNode.Part part, long start) {
        FileNode node = load(part, start);
        if (levels.size() == MOST_LEVELS) {
            throw DamagedFileException.ofFile(part.cid(), start, "a file has at most " + MOST_LEVELS + " levels");
        }
        if (nodeBytes + node.weight() > MOST_NODE_BYTES) {
            throw DamagedFileException.ofFile(
                    part.cid(), start, "the nodes above a chunk, and the chunk, have at most 32 MiB");
        }
        push(node, start);
    }

    /** Loads a part. Rule FS7. */
    private FileNode load(FileNode.Part part, long start) {
        FileNode node;
        try {
            node = FileNode.of(blocks, part.cid(), Nodes.bytes(blocks, part.cid()));
        } catch (BlockException | MalformedDataException | UnsupportedHashException e) {
            throw DamagedFileException.ofFile(part.cid(), start, e);
        }
        if (node.size() != part.size()) {
            throw DamagedFileException.ofFile(
                    part.cid(), start, "a part of a file has the size that the node above says");
        }
        return node;
    }

    private void push(FileNode node, long start) {
        levels.push(new Level(node, start));
        nodeBytes += node.weight();
    }
}
