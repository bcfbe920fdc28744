package dev.pail.car;

import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;

/**
 * A writer of a CAR of version 1 (Rule CAR10): the roots, then the blocks in the order of the calls. A block that is
 * written twice is in the file twice.
 *
 * <p>All methods throw {@link StoreIOException} if writing failed. For one thread at a time.
 *
 * <pre>{@code
 * try (CarWriter writer = CarWriter.of(Files.newOutputStream(file), file.toString(), List.of(pail.root()))) {
 *     writer.write(blocks.require(pail.root())); // CarExport writes all that the root reaches
 * }
 * }</pre>
 */
public final class CarWriter implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final int MAX_VARINT = 9;

    private final OutputStream out;
    private final String target;
    private long blocks;
    private long size;
    private boolean closed;

    private CarWriter(OutputStream out, String target) {
        this.out = new BufferedOutputStream(out, BUFFER);
        this.target = target;
    }

    /**
     * Starts a CAR in a stream, which is closed with this writer.
     *
     * @param target the file or address, for messages; may be empty
     * @throws IllegalArgumentException if there are more than {@link CarHeader#MAX_ROOTS} roots
     */
    public static CarWriter of(OutputStream out, String target, List<Cid> roots) {
        Objects.requireNonNull(out, "out");
        Objects.requireNonNull(target, "target");
        CarHeader named = new CarHeader(1, roots);
        if (named.roots().size() > CarHeader.MAX_ROOTS) {
            throw new IllegalArgumentException("a CAR has at most " + CarHeader.MAX_ROOTS + " roots, not "
                    + named.roots().size());
        }
        CarWriter writer = new CarWriter(out, target);
        byte[] header = named.encode();
        writer.writeVarint(header.length);
        writer.write(header);
        return writer;
    }

    /**
     * Writes a block.
     *
     * @throws IllegalArgumentException if it is larger than {@link Block#MAX_SIZE}, which no reader would accept. None of it is written
     * @throws IllegalStateException if the writer is closed
     */
    public void write(Block block) {
        if (closed) {
            throw new IllegalStateException("the writer of a CAR is closed: " + target);
        }
        if (block.size() > Block.MAX_SIZE) {
            throw new IllegalArgumentException(
                    "a block has at most " + Block.MAX_SIZE + " bytes (CAR4), and this more: " + block);
        }
        writeVarint((long) block.cid().byteLength() + block.size());
        write(block.cid().toBytes());
        write(UnsafeBlocks.bytes(block));
        blocks++;
    }

    /**
     * Writes a block as a delta to another one.
     *
     * @param delta as SEG9 has it, behind the size of the block
     */
    void writeDelta(Cid block, Cid base, byte[] delta) {
        byte[] name = DeltaSections.name(block, base).toBytes();
        writeVarint((long) name.length + delta.length);
        write(name);
        write(delta);
        blocks++;
    }

    /** Writes a section with an identity CID, which is no block. */
    void writeIdentity(Cid cid) {
        byte[] digest = cid.digest();
        writeVarint((long) cid.byteLength() + digest.length);
        write(cid.toBytes());
        write(digest);
    }

    /** The number of blocks that were written. */
    public long blocks() {
        return blocks;
    }

    /** The number of bytes that were written. */
    public long size() {
        return size;
    }

    private void writeVarint(long value) {
        byte[] bytes = new byte[MAX_VARINT];
        int length = 0;
        long rest = value;
        for (; rest >= 0x80; rest >>>= 7) {
            bytes[length++] = (byte) (rest | 0x80);
        }
        bytes[length++] = (byte) rest;
        write(bytes, length);
    }

    private void write(byte[] bytes) {
        write(bytes, bytes.length);
    }

    private void write(byte[] bytes, int length) {
        try {
            out.write(bytes, 0, length);
            size += length;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Writes the buffered bytes to the stream and flushes it. */
    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Writes the buffered bytes and closes the stream. May be called twice. */
    @Override
    public void close() {
        closed = true;
        try {
            out.close();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private StoreIOException failure(IOException error) {
        return new StoreIOException("cannot write a CAR", target, error);
    }
}
