package dev.pail.car;

import dev.pail.CorruptBlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.Arrays;

/**
 * A section of a CAR: a CID and its bytes, which are unverified. {@link #block} verifies them. Immutable.
 *
 * <pre>{@code
 * try (CarReader reader = CarReader.open(file)) {
 *     CarSection section = reader.next().orElseThrow();
 *     blocks.put(section.block()); // or throws CorruptBlockException
 * }
 * }</pre>
 */
public final class CarSection {
    private final String source;
    private final long offset;
    private final Cid cid;
    private final byte[] bytes;
    private final int from;

    /**
     * @param offset of the section
     * @param bytes the CID and what is behind it
     * @param from where the block begins in them
     */
    CarSection(String source, long offset, Cid cid, byte[] bytes, int from) {
        this.source = source;
        this.offset = offset;
        this.cid = cid;
        this.bytes = bytes;
        this.from = from;
    }

    /** The CID. */
    public Cid cid() {
        return cid;
    }

    /** Returns the start of the section, in bytes from the start of the file. */
    public long offset() {
        return offset;
    }

    /** The number of bytes under the CID. */
    public int size() {
        return bytes.length - from;
    }

    /**
     * Verifies the bytes and returns the block. Rule CAR5.
     *
     * @throws CorruptBlockException if the bytes do not match the CID
     * @throws UnsupportedHashException if the hash function of the CID is not available here, or proves nothing, as the identity does
     */
    public Block block() {
        try {
            return UnsafeBlocks.verified(cid, Arrays.copyOfRange(bytes, from, bytes.length));
        } catch (CorruptBlockException e) {
            throw new CorruptBlockException(
                    cid, e.found() + ", at offset " + offset + (source.isEmpty() ? "" : " of " + source));
        }
    }

    /** The bytes behind the CID. */
    byte[] payload() {
        return Arrays.copyOfRange(bytes, from, bytes.length);
    }

    /** The CID, the size and the offset. */
    @Override
    public String toString() {
        return cid + " (" + size() + " bytes at offset " + offset + ")";
    }
}
