package dev.pail.segment.format;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes in front of the next record of a segment, as far back as a record may copy from them. A delta repeats much of what was
 * written shortly before: the CID of a block, to which it makes a link, or the entries of the deltas since its base. A
 * {@linkplain PackedDelta packed delta} copies that.
 *
 * <p>For use by one thread at a time.
 */
public final class SlidingWindow {
    private static final int SIZE = PackedDelta.REACH;

    /** The first place and each that is a multiple of this can be found. */
    private static final int STRIDE = 4;

    /** A shorter copy saves next to nothing. In bytes. */
    private static final int SHORTEST = 12;

    private static final int SLOT_BITS = 15;

    /** Has space for twice the window, so that the bytes are moved to its front only now and then. */
    private byte[] bytes = new byte[0];

    private final boolean packs;
    private int length;

    /** The last place of eight bytes, plus 1, by their hash; 0 for none. */
    private int @Nullable [] slots;

    /** Up to where the window can be searched. */
    private int searchable;

    /** @param packs whether deltas are packed */
    public SlidingWindow(boolean packs) {
        this.packs = packs;
    }

    /** The window at a place of a segment. */
    public static SlidingWindow at(SegmentFile file, long end, boolean packs) throws IOException {
        SlidingWindow window = new SlidingWindow(packs);
        if (!packs) {
            return window;
        }
        int count = (int) Math.min(SIZE, end - SegmentFile.BEGINNING);
        window.append(new Output(count).write(file.readAll(end - count, count)), 0);
        return window;
    }

    /** Adds what was written from a place on. */
    public void append(Output written, int from) {
        if (!packs) {
            return;
        }
        int start = Math.max(from, written.size() - SIZE);
        int count = written.size() - start;
        if (length + count > bytes.length) {
            int kept = start > from ? 0 : Math.min(length, SIZE);
            byte[] next = bytes.length == 0 ? new byte[2 * SIZE] : bytes;
            System.arraycopy(bytes, length - kept, next, 0, kept);
            bytes = next;
            length = kept;
            forget();
        }
        written.copy(start, bytes, length, count);
        length += count;
    }

    private void forget() {
        if (slots != null && searchable > 0) {
            Arrays.fill(slots, 0);
        }
        searchable = 0;
    }

    private static int slot(long word) {
        return (int) ((word * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - SLOT_BITS));
    }

    /** The places of the whole window. */
    private int[] searched() {
        int[] places = slots;
        if (places == null) {
            places = new int[1 << SLOT_BITS];
            slots = places;
        }
        int at = searchable;
        for (; at + Long.BYTES <= length; at += STRIDE) {
            places[slot(Delta.word(bytes, at))] = at + 1;
        }
        searchable = at;
        return places;
    }

    /** The packed form of a delta; null if it is not much smaller, so that it is not worth the reads. */
    public byte @Nullable [] pack(byte[] delta) {
        if (!packs) {
            return null;
        }
        int[] places = searched();
        int lowest = Math.max(0, length - SIZE);
        Output out = PackedDelta.begin(delta);
        int start = out.size();
        int written = 0;
        int copied = length;
        for (int at = 0; at + SHORTEST <= delta.length; ) {
            long word = Delta.word(delta, at);
            int found = places[slot(word)] - 1;
            if (found < lowest || Delta.word(bytes, found) != word) {
                at++;
                continue;
            }
            int before = 0;
            while (at - before > written
                    && found - before > lowest
                    && bytes[found - before - 1] == delta[at - before - 1]) {
                before++;
            }
            int most = Math.min(length - found, delta.length - at);
            int differing = Arrays.mismatch(bytes, found, found + most, delta, at, at + most);
            int behind = differing < 0 ? most : differing;
            if (before + behind < SHORTEST) {
                at++;
                continue;
            }
            int literal = at - before - written;
            out.varint(literal).write(delta, written, literal);
            Delta.copy(out, before + behind, found - before - copied);
            copied = found + behind;
            at += behind;
            written = at;
        }
        if (written < delta.length) {
            out.varint(delta.length - written)
                    .write(delta, written, delta.length - written)
                    .varint(0);
        }
        return out.size() <= delta.length * 3 / 4 ? checked(out.toBytes(), start, delta) : null;
    }

    private byte[] checked(byte[] packed, int start, byte[] delta) {
        try {
            Delta.check(bytes, length, packed, start, delta);
            return packed;
        } catch (DamageException e) {
            throw new IllegalStateException("a packed delta does not make the delta that it was made from", e);
        }
    }
}
