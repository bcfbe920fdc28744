package dev.pail.cli;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.unixfs.DamagedFileException;
import dev.pail.unixfs.NodeKind;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.UnixFsFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** The bytes of a value: those of a UnixFS file, those of its block, or those that the CID has itself. */
final class ValueBytes implements AutoCloseable {
    private final InputStream in;
    private final long size;

    private ValueBytes(InputStream in, long size) {
        this.in = in;
        this.size = size;
    }

    private static ValueBytes of(byte[] bytes) {
        return new ValueBytes(new ByteArrayInputStream(bytes), bytes.length);
    }

    /** The value is a folder or a link of UnixFS, which has no bytes. */
    static final class NoFileException extends RuntimeException {
        private final NodeKind kind;

        NoFileException(NodeKind kind) {
            this.kind = kind;
        }

        NodeKind kind() {
            return kind;
        }
    }

    /** @throws Failure.Found if the block is not here, or the value is a folder */
    static ValueBytes open(Command.Call call, BlockStore blocks, String key, Cid value) {
        try {
            return open(blocks, value).orElseThrow(() -> absent(call, blocks, value, key));
        } catch (NoFileException e) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-file",
                    (e.kind() == NodeKind.FOLDER ? "a folder, not a file: " : "a symbolic link, not a file: ") + value
                            + ", the value of " + Escapes.brief(key),
                    e.kind() == NodeKind.FOLDER
                            ? "make keys of the files in it: pail import FILE.car --files PREFIX"
                            : null);
        }
    }

    /** The bytes of a value; empty if its first block is not here. */
    static Optional<ValueBytes> open(BlockStore blocks, Cid value) {
        byte[] inlined = Values.inlined(value).orElse(null);
        if (inlined != null) {
            return Optional.of(of(inlined));
        }
        Block block = blocks.getChecked(value).orElse(null);
        if (block == null) {
            return Optional.empty();
        }
        if (value.codec() != Cid.DAG_PB) {
            return Optional.of(of(block.bytes()));
        }
        NodeKind kind;
        try {
            kind = UnixFs.node(blocks, value).kind();
        } catch (DamagedFileException e) {
            // Data of dag-pb that are no UnixFS: the block is all there is.
            return Optional.of(of(block.bytes()));
        }
        if (kind != NodeKind.FILE) {
            throw new NoFileException(kind);
        }
        UnixFsFile file = UnixFs.open(blocks, value);
        return Optional.of(new ValueBytes(file, file.size()));
    }

    private static RuntimeException absent(Command.Call call, BlockStore blocks, Cid value, String key) {
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
    long size() {
        return size;
    }

    /** All bytes, from the first on. */
    InputStream all() {
        return in;
    }

    /** The bytes of a range, as far as there are any. Before anything else is read. */
    InputStream range(long offset, long length) {
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
