package dev.pail.cli.command;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.text.Values;
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
    static final class NoFileException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final NodeKind kind;

        NoFileException(NodeKind kind) {
            this.kind = kind;
        }

        public NodeKind kind() {
            return kind;
        }
    }

    /**
     * Opens the bytes of the value of a key.
     *
     * @throws Failure.Found if the block is not here, or the value is a folder
     */
    public static ValueBytes open(Call call, BlockStore blocks, String key, Cid value) {
        try {
            return open(blocks, value).orElseThrow(() -> absent(call, blocks, value, key));
        } catch (NoFileException e) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-file",
                    (e.kind() == NodeKind.FOLDER ? "a folder, not a file: " : "a symbolic link, not a file: ") + value
                            + ", the value of " + Escapes.brief(key),
                    e.kind() == NodeKind.FOLDER ? "write the files in it with: pail restore KEY --to DIR" : null);
        }
    }

    /** The bytes of a value; empty if its first block is not here. */
    public static Optional<ValueBytes> open(BlockStore blocks, Cid value) {
        if (value.codec() != Cid.DAG_PB) {
            return block(blocks, value);
        }
        if (Values.inlined(value).isEmpty() && blocks.getChecked(value).isEmpty()) {
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
        return Values.inlined(value)
                .or(() -> blocks.getChecked(value).map(Block::bytes))
                .map(ValueBytes::of);
    }

    /**
     * Opens the block of the value of a key, as it is.
     *
     * @throws Failure.Found if it is not here
     */
    public static ValueBytes block(Call call, BlockStore blocks, String key, Cid value) {
        return block(blocks, value).orElseThrow(() -> absent(call, blocks, value, key));
    }

    /** Whether a value is a folder that can be listed. */
    public static boolean isFolder(BlockStore blocks, Cid value) {
        try {
            return value.codec() == Cid.DAG_PB && UnixFs.value(blocks, value).kind() == NodeKind.FOLDER;
        } catch (BlockException | UnsupportedHashException e) {
            return false;
        }
    }

    private static RuntimeException absent(Call call, BlockStore blocks, Cid value, String key) {
        if (blocks.isErased(value)) {
            return new Failure.Found(
                    Exit.DAMAGED,
                    "erased-block",
                    "erased: " + value + ", the value of " + Escapes.brief(key),
                    "it was removed on purpose; see when and why with: pail erase");
        }
        return Block.isVerifiable(value)
                ? new Failure.Found(
                        Exit.DAMAGED,
                        "missing-block",
                        "not here: " + value + ", the value of " + Escapes.brief(key),
                        call.misnamed(value)
                                .orElse("fetch it with an IPFS tool, such as: ipfs dag export " + value
                                        + " | pail import -"))
                : new UnsupportedHashException(value);
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
