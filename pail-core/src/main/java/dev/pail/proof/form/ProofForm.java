package dev.pail.proof.form;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bytes of a proof, as a CAR of version 1 in its one canonical form. Rule PF1. */
public final class ProofForm {
    /** No header of one or two roots is larger, with its length before it. */
    public static final int MAX_HEADER = 128;

    /** A version, or two that are compared. */
    private static final int MOST_ROOTS = 2;

    private static final int CID_LENGTH = 36;

    /** A varint has at most this many bits, in groups of seven: what fits an {@code int}. */
    private static final int VARINT_BITS = 35;

    private final byte[] bytes;
    private int at;

    /**
     * What the bytes of a proof have.
     *
     * @param blocks in their order, not compared with their CIDs
     */
    public record Content(List<Cid> roots, Map<Cid, byte[]> blocks) {}

    private ProofForm(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The size of the section of a block of this size. */
    public static int sectionSize(int blockSize) {
        int length = CID_LENGTH + blockSize;
        return varintSize(length) + length;
    }

    private static int varintSize(int value) {
        return Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(value) + 6) / 7);
    }

    /** The bytes of a proof with these blocks, in their order. */
    public static byte[] encode(List<Cid> roots, Map<Cid, byte[]> blocks) {
        DagCborWriter writer = new DagCborWriter().map(2).text("roots").array(roots.size());
        roots.forEach(writer::link);
        byte[] header = writer.text("version").integer(1).toByteArray();
        int size = varintSize(header.length) + header.length;
        for (byte[] block : blocks.values()) {
            size += sectionSize(block.length);
        }
        ProofForm out = new ProofForm(new byte[size]);
        out.writeVarint(header.length);
        out.write(header);
        blocks.forEach((cid, block) -> {
            out.writeVarint(CID_LENGTH + block.length);
            out.at = cid.writeTo(out.bytes, out.at);
            out.write(block);
        });
        return out.bytes;
    }

    private void writeVarint(int value) {
        int rest = value;
        for (; rest >= 0x80; rest >>>= 7) {
            bytes[at++] = (byte) (rest | 0x80);
        }
        bytes[at++] = (byte) rest;
    }

    private void write(byte[] part) {
        System.arraycopy(part, 0, bytes, at, part.length);
        at += part.length;
    }

    /**
     * Reads the bytes of a proof.
     *
     * @throws MalformedDataException if they do not have this form, or are too many
     */
    public static Content decode(byte[] bytes, int mostBytes, int mostBlocks) {
        if (bytes.length > mostBytes) {
            throw MalformedDataException.ofProof(0, "a proof has at most " + mostBytes + " bytes (PF12)");
        }
        ProofForm in = new ProofForm(bytes);
        List<Cid> roots = in.readRoots();
        Map<Cid, byte[]> blocks = new LinkedHashMap<>();
        while (in.at < bytes.length) {
            int start = in.at;
            if (blocks.size() == mostBlocks) {
                throw MalformedDataException.ofProof(start, "a proof has at most " + mostBlocks + " blocks (PF12)");
            }
            in.readSection(blocks);
        }
        return new Content(roots, blocks);
    }

    /** Rule PF2. */
    private List<Cid> readRoots() {
        int end = readLength(1, MAX_HEADER);
        DagCborReader header = new DagCborReader(bytes, at, end);
        List<Cid> roots = new ArrayList<>();
        try {
            demand(header.readMap() == 2 && header.readText().equals("roots"), header);
            int count = header.readArray();
            demand(count >= 1 && count <= MOST_ROOTS, header);
            for (int i = 0; i < count; i++) {
                Cid root = header.readLink();
                demand(root.isShardLink() && !roots.contains(root), header);
                roots.add(root);
            }
            demand(header.readText().equals("version") && header.readLong() == 1, header);
            header.end();
        } catch (MalformedDataException e) {
            throw MalformedDataException.ofProof(e.offset(), e.rule());
        }
        at = end;
        return roots;
    }

    private static void demand(boolean kept, DagCborReader header) {
        if (!kept) {
            throw MalformedDataException.ofProof(
                    header.position(), "the header has one or two different roots of pails, and version 1 (PF2)");
        }
    }

    /** Rule PF3. */
    private void readSection(Map<Cid, byte[]> blocks) {
        int start = at;
        int end = readLength(CID_LENGTH + 1, CID_LENGTH + Block.MAX_SIZE);
        int block = at + CID_LENGTH;
        if (!Cid.isShardLink(bytes, at, block)) {
            throw MalformedDataException.ofProof(
                    at, "a block of a proof is a shard: dag-cbor, named by SHA2-256 (PF3)");
        }
        Cid cid = Cid.fromBytes(bytes, at, block);
        if (blocks.put(cid, Arrays.copyOfRange(bytes, block, end)) != null) {
            throw MalformedDataException.ofProof(
                    start, "a proof has each block once (PF3), and this one again: " + cid);
        }
        at = end;
    }

    /** Reads a length, and returns where what has it ends. */
    private int readLength(int least, int most) {
        int start = at;
        long value = 0;
        int shift = 0;
        for (boolean more = true; more; shift += 7) {
            if (at == bytes.length || shift == VARINT_BITS) {
                throw MalformedDataException.ofProof(start, "a length is a varint of at most five bytes (PF1)");
            }
            more = bytes[at] < 0;
            value |= (long) (bytes[at++] & 0x7f) << shift;
        }
        if (shift > 7 && bytes[at - 1] == 0) {
            throw MalformedDataException.ofProof(start, "a length is in its shortest form (PF1)");
        }
        if (value < least || value > most || value > bytes.length - at) {
            throw MalformedDataException.ofProof(
                    start, "a length is from " + least + " to " + most + ", and within the proof (PF1)");
        }
        return at + (int) value;
    }
}
