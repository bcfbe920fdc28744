package dev.pail;

import dev.pail.bytes.CborHead;
import dev.pail.ipld.Cid;
import org.jspecify.annotations.Nullable;

/** Writes one shard, of a size that is known before: runs of entries as they are in another shard, and single entries. */
final class ShardEncoder {
    private static final byte ENTRY = (byte) 0x82;
    private static final byte LINK = (byte) 0x81;
    private static final byte LINK_AND_DATA = (byte) 0x82;

    private final byte[] out;
    private final int[] starts;
    private final @Nullable ShardRef @Nullable [] refs;
    private int at;
    private int entry;

    /**
     * @param head what comes before the array of entries
     * @param size the size of the whole in bytes
     * @param linked whether any entry will link to a shard
     */
    ShardEncoder(byte[] head, int count, int size, boolean linked) {
        out = new byte[size];
        starts = new int[count + 1];
        refs = linked ? new @Nullable ShardRef[count] : null;
        System.arraycopy(head, 0, out, 0, head.length);
        at = CborHead.write(out, head.length, CborHead.ARRAY, count);
    }

    /** Copies a range of entries. */
    void copy(Shard from, int first, int end) {
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
    void write(KeyBytes key, ShardValue value) {
        starts[entry] = at;
        out[at] = ENTRY;
        at = CborHead.write(out, at + 1, CborHead.TEXT, key.length());
        System.arraycopy(key.array, key.from, out, at, key.length());
        at += key.length();
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
        entry++;
    }

    private void link(Cid cid) {
        at = CborHead.write(out, at, CborHead.TAG, CborHead.LINK_TAG);
        at = CborHead.write(out, at, CborHead.BYTES, cid.byteLength() + 1L);
        out[at] = 0;
        at = cid.writeTo(out, at + 1);
    }

    /** The shard, with this behind its entries. */
    Shard finish(byte[] tail, boolean overlapping) {
        starts[entry] = at;
        System.arraycopy(tail, 0, out, at, tail.length);
        if (entry != starts.length - 1 || at + tail.length != out.length) {
            throw new IllegalStateException("a shard was written that is not as large as computed");
        }
        return new Shard(out, starts, refs, overlapping);
    }
}
