package dev.pail.values;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.unixfs.NodeKind;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.UnixFsFile;
import dev.pail.unixfs.UnixFsNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/** The bytes of a value: those of a UnixFS file, those of its block, or those that the CID has itself. */
public final class ValueBytes implements AutoCloseable {
    private final InputStream in;
    private final long size;
    private final OptionalInt mode;
    private final Optional<Instant> mtime;

    private ValueBytes(InputStream in, long size) {
        this.in = in;
        this.size = size;
        this.mode = OptionalInt.empty();
        this.mtime = Optional.empty();
    }

    private ValueBytes(UnixFsFile file, long size, UnixFsNode node) {
        this.in = file;
        this.size = size;
        this.mode = node.mode();
        this.mtime = node.mtime();
    }

    private static ValueBytes of(byte[] bytes) {
        return new ValueBytes(new ByteArrayInputStream(bytes), bytes.length);
    }

    /** The value is a folder or a link of UnixFS, which has no bytes. */
    public static final class NoFileException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final NodeKind kind;

        NoFileException(NodeKind kind) {
            this.kind = kind;
        }

        /** What it is. */
        public NodeKind kind() {
            return kind;
        }
    }

    /** The bytes of a value; empty if its first block is not here. */
    public static Optional<ValueBytes> open(BlockStore blocks, Cid value) {
        if (value.codec() != Cid.DAG_PB) {
            return block(blocks, value);
        }
        if (inlined(value).isEmpty() && blocks.getChecked(value).isEmpty()) {
            return Optional.empty();
        }
        UnixFsNode node = UnixFs.value(blocks, value);
        if (node.kind() != NodeKind.FILE) {
            throw new NoFileException(node.kind());
        }
        UnixFsFile file = UnixFs.openValue(blocks, value);
        return Optional.of(new ValueBytes(file, file.size(), node));
    }

    /** The bytes of the block of a value, as they are; empty if it is not here. */
    public static Optional<ValueBytes> block(BlockStore blocks, Cid value) {
        return inlined(value)
                .or(() -> blocks.getChecked(value).map(Block::bytes))
                .map(ValueBytes::of);
    }

    /** Whether a value is a folder that can be listed. */
    public static boolean isFolder(BlockStore blocks, Cid value) {
        try {
            return value.codec() == Cid.DAG_PB && UnixFs.value(blocks, value).kind() == NodeKind.FOLDER;
        } catch (BlockException | UnsupportedHashException e) {
            return false;
        }
    }

    /** The bytes that a CID has itself, in the place of their hash: no store has a block of them. */
    public static Optional<byte[]> inlined(Cid cid) {
        return cid.hashFunction() == Cid.IDENTITY ? Optional.of(cid.digest()) : Optional.empty();
    }

    /** In bytes. */
    public long size() {
        return size;
    }

    /** The permissions, if the value has some. */
    public OptionalInt mode() {
        return mode;
    }

    /** The time of the last modification, if the value has one. */
    public Optional<Instant> mtime() {
        return mtime;
    }

    /** All bytes, from the first on. */
    public InputStream all() {
        return in;
    }

    /** The bytes of a range, as far as there are any. Before anything else is read. */
    public InputStream range(long offset, long length) {
        if (in instanceof UnixFsFile file) {
            return file.range(offset, length);
        }
        try {
            byte[] bytes = in.readAllBytes();
            int from = (int) Math.min(offset, bytes.length);
            return new ByteArrayInputStream(
                    Arrays.copyOfRange(bytes, from, from + (int) Math.min(length, bytes.length - from)));
        } catch (IOException e) {
            throw new IllegalStateException("a block in memory can be read", e);
        }
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new IllegalStateException("streams over blocks hold nothing open", e);
        }
    }
}
