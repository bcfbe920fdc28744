package dev.pail.segment.format;

import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The index of a sealed segment, by the last eight bytes of each CID. They are part of the digest, so as good as random. Rule SEG14.
 */
public final class SealedIndex implements Index {
    private static final int MAGIC = 0x31584449;
    private static final int BEGINNING = 4 + 2 + 2 + 4 + 4 + 4;
    private static final int ENTRY = Long.BYTES + Location.ENCODED;

    /** How often it is guessed where an entry is. */
    private static final int MOST_GUESSES = 8;

    private final int segmentNumber;
    private final long[] keys;

    /** Unsigned: a place in a file of less than 4 GiB. There may be many millions of entries, so each byte counts. */
    private final int[] offsets;

    private final int[] sizes;

    private SealedIndex(int segmentNumber, int count) {
        this.segmentNumber = segmentNumber;
        this.keys = new long[count];
        this.offsets = new int[count];
        this.sizes = new int[count];
    }

    private record Entry(long key, Location location) {}

    public static SealedIndex of(Map<Cid, Location> locations) {
        List<Entry> entries = new ArrayList<>(locations.size());
        locations.forEach((cid, location) -> entries.add(new Entry(key(cid), location)));
        entries.sort((a, b) -> {
            int order = Long.compareUnsigned(a.key, b.key);
            return order != 0 ? order : a.location.compareTo(b.location);
        });
        int segmentNumber = entries.isEmpty() ? 0 : entries.get(0).location.segmentNumber();
        SealedIndex index = new SealedIndex(segmentNumber, entries.size());
        for (int i = 0; i < entries.size(); i++) {
            index.set(i, entries.get(i).key, entries.get(i).location);
        }
        return index;
    }

    private void set(int i, long key, Location location) {
        keys[i] = key ^ Long.MIN_VALUE;
        offsets[i] = (int) location.offset();
        sizes[i] = location.size();
    }

    /** The last eight bytes of a CID, by which entries are found. */
    public static long key(Cid cid) {
        byte[] bytes = cid.toBytes();
        long key = 0;
        for (int i = Math.max(0, bytes.length - Long.BYTES); i < bytes.length; i++) {
            key = (key << 8) | (bytes[i] & 0xff);
        }
        return key;
    }

    @Override
    public @Nullable RecordRef known(Cid cid) {
        return null;
    }

    @Override
    public List<Location> find(Cid cid) {
        long key = key(cid) ^ Long.MIN_VALUE;
        int found = search(key);
        if (found < 0) {
            return List.of();
        }
        while (found > 0 && keys[found - 1] == key) {
            found--;
        }
        List<Location> all = new ArrayList<>(1);
        for (int i = found; i < keys.length && keys[i] == key; i++) {
            all.add(location(i));
        }
        Collections.reverse(all);
        return all;
    }

    private Location location(int entry) {
        return new Location(segmentNumber, Integer.toUnsignedLong(offsets[entry]), sizes[entry]);
    }

    /**
     * The place of an entry with a key; -1 if there is none. Keys are as good as random, so where one is follows from its value, and few
     * entries are looked at: each of them is perhaps not in the caches of the processor. If keys are not random, halves the rest each time.
     */
    private int search(long key) {
        int low = 0;
        int high = keys.length - 1;
        for (int steps = 0; low <= high && keys[low] <= key && key <= keys[high]; steps++) {
            double from = keys[low];
            double to = keys[high];
            int middle = steps < MOST_GUESSES && to > from
                    ? low + (int) ((key - from) / (to - from) * (high - low))
                    : (low + high) >>> 1;
            if (keys[middle] == key) {
                return middle;
            }
            if (keys[middle] < key) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /** Passes the {@link #key} of each entry. */
    public void forEachKey(LongConsumer action) {
        for (long key : keys) {
            action.accept(key ^ Long.MIN_VALUE);
        }
    }

    @Override
    public int count() {
        return keys.length;
    }

    /** The bytes of the index file, with the size and the checksum of its segment. */
    public byte[] toBytes(int ofSegmentNumber, long segmentSize, int segmentChecksum) {
        Output out = new Output(BEGINNING + ENTRY * keys.length + Output.CHECKSUM);
        out.integer(4, MAGIC).integer(4, ofSegmentNumber).integer(4, keys.length);
        out.integer(4, segmentSize).integer(4, segmentChecksum);
        for (int i = 0; i < keys.length; i++) {
            out.integer(8, keys[i] ^ Long.MIN_VALUE);
            new Location(ofSegmentNumber, Integer.toUnsignedLong(offsets[i]), sizes[i]).write(out);
        }
        return out.toCheckedBytes();
    }

    /** The size that the index file of a segment can have at most. */
    public static int mostBytes(long segmentSize) {
        long most = segmentSize / (RecordHeader.START + Output.CHECKSUM) * ENTRY + BEGINNING + Output.CHECKSUM;
        return (int) Math.min(most, Integer.MAX_VALUE - 8);
    }

    /**
     * Reads an index.
     *
     * @throws DamageException if this is not the index of this segment
     */
    public static SealedIndex read(byte[] bytes, int segmentNumber, long segmentSize, int segmentChecksum)
            throws DamageException {
        Input in = Input.ofChecked(bytes, MAGIC);
        boolean isOurs = in.integer() == segmentNumber;
        int count = in.integer();
        isOurs &= in.integer(4) == segmentSize && in.integer() == segmentChecksum;
        if (!isOurs || count < 0 || in.remaining() != (long) ENTRY * count) {
            throw new DamageException("not the index of this segment");
        }
        SealedIndex index = new SealedIndex(segmentNumber, count);
        for (int i = 0; i < count; i++) {
            long key = in.integer(8);
            Location location = Location.read(in);
            index.set(i, key, location);
            if (location.segmentNumber() != segmentNumber || (i > 0 && index.keys[i - 1] > index.keys[i])) {
                throw new DamageException("an index that is not in order");
            }
        }
        return index;
    }
}
