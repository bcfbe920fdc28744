package dev.pail.cli.text;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.function.Supplier;

/** A value that a key is to be given: a CID, or bytes that become a block together with the change. */
public interface NewValue {
    /** How many bytes a file may have to be one block. */
    int MAX_BLOCK = FileLayout.V1_2025.chunkSize();

    /** Above this size, other IPFS programs do not take a block. */
    int MAX_EXCHANGED = 2 << 20;

    /** How many bytes a value may have that is in its CID: as many as other IPFS programs read. */
    int MAX_INLINE = 128;

    /** Gives it to a key. */
    void put(Batch batch, String key);

    /** Stores its bytes, if they are not stored yet, and returns its CID. */
    Cid stored(BlockStore blocks);

    static NewValue of(Cid cid) {
        return new OfCid(cid);
    }

    static NewValue of(byte[] bytes) {
        return new Bytes(bytes);
    }

    /** A value of few bytes without a block: its CID has them. */
    static NewValue inline(byte[] bytes) {
        if (bytes.length > MAX_INLINE) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "bad-value",
                    "too large for a CID: the value has more than " + MAX_INLINE + " bytes",
                    "without --inline, it is stored as a block");
        }
        return of(Cid.ofIdentity(Cid.RAW, bytes));
    }

    /** How many bytes it keeps in memory until then, beside a CID. */
    default long size() {
        return 0;
    }

    /** A CID. */
    record OfCid(Cid cid) implements NewValue {
        @Override
        public void put(Batch batch, String key) {
            batch.put(key, cid);
        }

        @Override
        public Cid stored(BlockStore blocks) {
            return cid;
        }
    }

    /** Bytes that become a block. */
    @SuppressWarnings("ArrayRecordComponent") // No one compares these.
    record Bytes(byte[] bytes) implements NewValue {
        @Override
        public void put(Batch batch, String key) {
            batch.putBytes(key, bytes);
        }

        @Override
        public Cid stored(BlockStore blocks) {
            if (bytes.length > Block.MAX_SIZE) {
                throw new IllegalArgumentException(
                        "a block has at most " + Block.MAX_SIZE + " bytes, not " + bytes.length);
            }
            Block block = Block.of(Cid.RAW, bytes);
            blocks.put(block);
            return block.cid();
        }

        @Override
        public long size() {
            return bytes.length;
        }
    }

    /**
     * Reads a file. One of more than {@link #MAX_BLOCK} bytes is stored here and now, in blocks of a UnixFS file.
     *
     * @param blocks is asked for a store only then
     */
    static NewValue ofFile(InputStream in, Supplier<BlockStore> blocks) throws IOException {
        byte[] begin = in.readNBytes(MAX_BLOCK + 1);
        return begin.length <= MAX_BLOCK
                ? of(begin)
                : of(UnixFs.write(blocks.get(), new SequenceInputStream(new ByteArrayInputStream(begin), in)));
    }

    /** Reads a file that is to be one block. */
    static NewValue ofBlock(InputStream in, String name, Terminal terminal) throws IOException {
        byte[] bytes = in.readNBytes(Block.MAX_SIZE + 1);
        if (bytes.length > Block.MAX_SIZE) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "bad-value",
                    "too large for a block: " + Escapes.printable(name) + ": more than " + Block.MAX_SIZE + " bytes",
                    "without --raw, the file is stored in blocks of 1 MiB");
        }
        if (bytes.length > MAX_EXCHANGED) {
            terminal.warn(
                    "a block of " + bytes.length
                            + " bytes: IPFS programs take no block over 2 MiB from each other; without --raw, the file is stored in blocks of 1 MiB");
        }
        return of(bytes);
    }
}
