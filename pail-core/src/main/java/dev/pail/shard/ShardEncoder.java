package dev.pail.shard;

import dev.pail.bytes.CborHead;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.unsafe.UnsafeBlocks;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Writes one shard, of a size that is known before: runs of entries as they are in another shard, and single entries. */
public final class ShardEncoder {
    private static final byte ENTRY = (byte) 0x82;
    private static final byte LINK = (byte) 0x81;
    private static final byte LINK_AND_DATA = (byte) 0x82;

    private final byte[] out;
    private final int[] starts;
    private final @Nullable ShardRef @Nullable [] refs;
    private int at;
    private int entry;

    /**
     * @param header what comes before the array of entries
     * @param size the size of the whole in bytes
     * @param trailerLength the size of what comes behind the entries in bytes
     * @param linked whether any entry will link to a shard
     */
    public ShardEncoder(byte[] header, int count, int size, int trailerLength, boolean linked) {
        out = new byte[size];
        starts = new int[count + 1];
        starts[count] = size - trailerLength;
        refs = linked ? new @Nullable ShardRef[count] : null;
        System.arraycopy(header, 0, out, 0, header.length);
        at = CborHead.write(out, header.length, CborHead.ARRAY, count);
    }

    /**
     * Starts a shard of entries of this size.
     *
     * @param entriesSize the sum of their {@link #size}, in bytes
     */
    public static ShardEncoder of(byte[] header, int count, int entriesSize, int trailerLength, boolean linked) {
        int size = header.length + CborHead.length(count) + entriesSize + trailerLength;
        return new ShardEncoder(header, count, size, trailerLength, linked);
    }

    /** Starts with all of a shard, to replace values by others of equal size. */
    public ShardEncoder(Shard base) {
        out = base.bytes.clone();
        starts = base.starts;
        refs = base.copyRefs();
        entry = base.count();
        at = starts[entry];
    }

    /** The size of an encoded entry in bytes. */
    public static int size(KeyBytes key, ShardValue value) {
        int size = 1 + CborHead.length(key.length()) + key.length();
        if (value.shard() != null) {
            size += 1 + ShardRef.ENCODED_LENGTH;
        }
        Cid data = value.data();
        return data == null ? size : size + 2 + CborHead.length(data.byteLength() + 1L) + 1 + data.byteLength();
    }

    /** Writes a value over that of an entry. */
    public void replace(int replaced, int valueStart, ShardValue value) {
        int next = entry;
        entry = replaced;
        at = valueStart;
        writeValue(value);
        entry = next;
        at = starts[entry];
    }

    /** Copies a range of entries. */
    public void copy(Shard from, int first, int end) {
        int start = from.starts[first];
        int length = from.starts[end] - start;
        System.arraycopy(from.bytes, start, out, at, length);
        int shift = at - start;
        for (int i = first; i < end; i++) {
            starts[entry + i - first] = from.starts[i] + shift;
        }
        if (refs != null) {
            from.copyRefs(first, end, refs, entry);
        }
        at += length;
        entry += end - first;
    }

    /** Writes an entry. If it links to a shard, that has a CID. */
    public void write(KeyBytes key, ShardValue value) {
        starts[entry] = at;
        out[at] = ENTRY;
        at = CborHead.write(out, at + 1, CborHead.TEXT, key.length());
        System.arraycopy(key.array, key.from, out, at, key.length());
        at += key.length();
        writeValue(value);
        entry++;
    }

    private void writeValue(ShardValue value) {
        if (value.shard() instanceof ShardRef ref) {
            out[at++] = value.data() == null ? LINK : LINK_AND_DATA;
            link(ref.cid);
            if (refs != null) {
                refs[entry] = ref;
            }
        }
        if (value.data() != null) {
            link(value.data());
        }
    }

    private void link(Cid cid) {
        at = CborHead.write(out, at, CborHead.TAG, CborHead.LINK_TAG);
        at = CborHead.write(out, at, CborHead.BYTES, cid.byteLength() + 1L);
        out[at] = 0;
        at = cid.writeTo(out, at + 1);
    }

    /**
     * The shard, with this behind its entries, and its block.
     *
     * @param midstates of bytes that start with the first {@code same} bytes of these
     * @param origin the shard that this one was made from, if there is one
     * @param sha256 a fresh digest
     */
    public NewShard finish(
            byte[] trailer,
            boolean overlapping,
            Midstates midstates,
            int same,
            @Nullable ShardRef origin,
            MessageDigest sha256) {
        System.arraycopy(trailer, 0, out, at, trailer.length);
        if (entry != starts.length - 1 || at + trailer.length != out.length) {
            throw new IllegalStateException("a shard was written that is not as large as computed");
        }
        Midstates.Hash hash = midstates.hash(out, same, sha256);
        Block block = UnsafeBlocks.of(Cid.DAG_CBOR, out, hash.sha256());
        return new NewShard(
                block, new ShardRef(block.cid()), new Shard(out, starts, refs, overlapping, hash.midstates()), origin);
    }
}
