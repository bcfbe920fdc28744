package dev.pail.segment.format;

import dev.pail.ipld.Cid;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The index of a sealed segment, by the last eight bytes of each CID. They are part of the digest, so as good as random. Rule SEG14.
 *
 * <p>The entries stay in the file of the index. In memory are the first key and the checksum of each page of 128 entries, 12 bytes, so a
 * lookup reads one page, seldom two. Some pages are in memory, too. If a page cannot be read, or is another than it was, the index is made anew from the segment, and then
 * held in memory. For use by several threads at once.
 */
public final class SealedIndex implements Index, AutoCloseable {
    private static final int MAGIC = 0x31584449;
    private static final int BEGINNING = 4 + 2 + 2 + 4 + 4 + 4;
    private static final int ENTRY = Long.BYTES + Location.ENCODED;

    /** The entries of a page. */
    private static final int PAGE = 128;

    /** How many pages are read at once where all are. */
    private static final int PAGES = 64;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final int segmentNumber;
    private final int count;
    private final Source source;
    private final Origin origin;

    /** Pages of this and other indexes; null if this one is in memory. */
    private final @Nullable IndexPages held;

    /** The first key of each page. */
    private final long[] fences;

    /** The CRC32C of each page. */
    private final int[] checksums;

    /** What takes the place of this, after a page could not be read. */
    private volatile @Nullable SealedIndex instead;

    /** The bytes of an index, which do not change. */
    public interface Source extends AutoCloseable {
        /** Reads bytes: fewer than asked for only at the end. */
        int read(long from, byte[] target, int at, int length) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Makes an index from its segment. */
    public interface Origin {
        SealedIndex read() throws IOException;
    }

    private SealedIndex(
            int segmentNumber,
            int count,
            Source source,
            Origin origin,
            @Nullable IndexPages held,
            long[] fences,
            int[] checksums) {
        this.segmentNumber = segmentNumber;
        this.count = count;
        this.source = source;
        this.origin = origin;
        this.held = held;
        this.fences = fences;
        this.checksums = checksums;
    }

    /** An index file in memory. */
    @SuppressWarnings("ArrayRecordComponent") // No one compares these.
    private record Bytes(byte[] bytes) implements Source {
        @Override
        public int read(long from, byte[] target, int at, int length) {
            int found = (int) Math.max(0, Math.min(length, bytes.length - from));
            System.arraycopy(bytes, (int) from, target, at, found);
            return found;
        }

        @Override
        public void close() {
            // There is no file.
        }
    }

    private record Entry(long key, Location location) {}

    /** The index of a segment, in memory. */
    public static SealedIndex of(Map<Cid, Location> locations) {
        List<Entry> entries = new ArrayList<>(locations.size());
        locations.forEach((cid, location) -> entries.add(new Entry(key(cid), location)));
        entries.sort((a, b) -> {
            int order = Long.compareUnsigned(a.key, b.key);
            return order != 0 ? order : a.location.compareTo(b.location);
        });
        int segmentNumber = entries.isEmpty() ? 0 : entries.get(0).location.segmentNumber();
        Output out = new Output(BEGINNING + ENTRY * entries.size());
        out.write(new byte[BEGINNING]);
        for (Entry entry : entries) {
            out.integer(8, entry.key);
            entry.location.write(out);
        }
        try {
            return new Pages(segmentNumber, entries.size(), new Bytes(out.toBytes()))
                    .index(
                            () -> {
                                throw new IllegalStateException("memory can be read");
                            },
                            null);
        } catch (IOException e) {
            throw new IllegalStateException("memory can be read", e);
        }
    }

    /** This index, read from its file. */
    public SealedIndex in(Source file, Origin from, IndexPages pages) throws IOException {
        for (int page = 0; page < fences.length; page++) {
            pages.put(file, segmentNumber, page, page(page));
        }
        return new SealedIndex(segmentNumber, count, file, from, pages, fences, checksums);
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

    private interface Reading<T> {
        T from(SealedIndex index) throws IOException;
    }

    /** Reads from the file, or from what takes its place. */
    private <T> T read(Reading<T> reading) throws IOException {
        SealedIndex there = instead;
        if (there == null) {
            try {
                return reading.from(this);
            } catch (IOException e) {
                Trace.swallowed("an index is made anew from segment " + segmentNumber, e);
                there = origin.read();
                instead = there;
            }
        }
        return reading.from(there);
    }

    @Override
    public List<Location> find(Cid cid) throws IOException {
        return read(index -> index.search(key(cid) ^ Long.MIN_VALUE));
    }

    /** The locations of a key, the last one first. */
    private List<Location> search(long key) throws IOException {
        // Entries of one key may begin in the page before one that begins with it.
        int page = Math.max(0, firstFence(key) - 1);
        List<Location> all = List.of();
        for (boolean more = page < fences.length && fences[page] <= key; more; page++) {
            byte[] bytes = page(page);
            int end = bytes.length / ENTRY;
            int at = firstEntry(bytes, end, key);
            for (; at < end && key(bytes, at) == key; at++) {
                all = all.isEmpty() ? new ArrayList<>(1) : all;
                all.add(location(bytes, at));
            }
            more = at == end && page + 1 < fences.length && fences[page + 1] == key;
        }
        Collections.reverse(all);
        return all;
    }

    /** The number of pages that begin with a lesser key. */
    private int firstFence(long key) {
        int found = Arrays.binarySearch(fences, key);
        while (found > 0 && fences[found - 1] == key) {
            found--;
        }
        return found < 0 ? -found - 1 : found;
    }

    private static int firstEntry(byte[] bytes, int count, long key) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (key(bytes, middle) < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static long key(byte[] bytes, int entry) {
        return (long) LONG.get(bytes, entry * ENTRY) ^ Long.MIN_VALUE;
    }

    private Location location(byte[] bytes, int entry) throws DamageException {
        int from = entry * ENTRY + Long.BYTES;
        return Location.read(new Input(bytes, from, from + Location.ENCODED));
    }

    private byte[] page(int page) throws IOException {
        byte[] bytes = held == null ? null : held.get(source, segmentNumber, page);
        if (bytes == null) {
            bytes = read(page, 1);
            if (held != null) {
                held.put(source, segmentNumber, page, bytes);
            }
        }
        return bytes;
    }

    /** The entries of some pages. */
    private byte[] read(int first, int pages) throws IOException {
        byte[] bytes = new byte[Math.min(pages * PAGE, count - first * PAGE) * ENTRY];
        int read = source.read(BEGINNING + (long) first * PAGE * ENTRY, bytes, 0, bytes.length);
        for (int from = 0; from < bytes.length; from += PAGE * ENTRY) {
            int length = Math.min(PAGE * ENTRY, bytes.length - from);
            if (read < from + length
                    || checksums[first + from / (PAGE * ENTRY)] != Output.checksum(0, bytes, from, length)) {
                throw new DamageException("a page of an index that is another than it was");
            }
        }
        return bytes;
    }

    /** Passes the {@link #key} of each entry; of some twice if the index has to be made anew. */
    public void forEachKey(LongConsumer action) throws IOException {
        read(index -> {
            for (int page = 0; page < index.fences.length; page += PAGES) {
                byte[] bytes = index.read(page, PAGES);
                for (int at = 0; at < bytes.length / ENTRY; at++) {
                    action.accept(key(bytes, at) ^ Long.MIN_VALUE);
                }
            }
            return index;
        });
    }

    @Override
    public int count() {
        return count;
    }

    /** The bytes of the index file of an index in memory, with the size and the checksum of its segment. */
    public byte[] toBytes(int ofSegmentNumber, long segmentSize, int segmentChecksum) throws IOException {
        Output out = new Output(BEGINNING + ENTRY * count + Output.CHECKSUM);
        out.integer(4, MAGIC).integer(4, ofSegmentNumber).integer(4, count);
        out.integer(4, segmentSize).integer(4, segmentChecksum);
        out.write(read(0, fences.length));
        return out.toCheckedBytes();
    }

    /** The size that the index file of a segment can have at most. */
    public static int mostBytes(long segmentSize) {
        long most = segmentSize / (RecordHeader.START + Output.CHECKSUM) * ENTRY + BEGINNING + Output.CHECKSUM;
        return (int) Math.min(most, Integer.MAX_VALUE - 8);
    }

    /**
     * Reads an index file once as a whole, and then when it is searched.
     *
     * @param size the size of the file
     * @param held gets the pages that are searched
     * @throws DamageException if this is not the index of this segment
     */
    public static SealedIndex read(
            Source file,
            long size,
            int segmentNumber,
            long segmentSize,
            int segmentChecksum,
            Origin origin,
            IndexPages held)
            throws IOException {
        byte[] beginning = new byte[BEGINNING];
        int read = file.read(0, beginning, 0, BEGINNING);
        Input in = new Input(beginning, 0, read);
        boolean isOurs = in.integer() == MAGIC && in.integer() == segmentNumber;
        int count = in.integer();
        isOurs &= in.integer(4) == segmentSize && in.integer() == segmentChecksum;
        if (!isOurs || count < 0 || size - BEGINNING - Output.CHECKSUM != (long) ENTRY * count) {
            throw new DamageException("not the index of this segment");
        }
        Pages pages = new Pages(segmentNumber, count, file);
        pages.whole.update(new byte[Integer.BYTES]);
        pages.whole.update(beginning);
        SealedIndex index = pages.index(origin, held);
        byte[] checksum = new byte[Output.CHECKSUM];
        read = file.read(size - Output.CHECKSUM, checksum, 0, Output.CHECKSUM);
        if (new Input(checksum, 0, read).integer() != (int) pages.whole.getValue()) {
            throw new DamageException("an index with a wrong checksum");
        }
        return index;
    }

    /** Reads all pages of an index, and checks that they are in order. */
    private static final class Pages {
        private final CRC32C whole = new CRC32C();
        private final int segmentNumber;
        private final int count;
        private final Source source;
        private long last = Long.MIN_VALUE;

        Pages(int segmentNumber, int count, Source source) {
            this.segmentNumber = segmentNumber;
            this.count = count;
            this.source = source;
        }

        SealedIndex index(Origin origin, @Nullable IndexPages held) throws IOException {
            int pages = (count + PAGE - 1) / PAGE;
            long[] fences = new long[pages];
            int[] checksums = new int[pages];
            byte[] bytes = new byte[Math.min(PAGES, pages) * PAGE * ENTRY];
            for (int from = 0; from < pages; from += PAGES) {
                int length = (int) Math.min(bytes.length, ((long) count - (long) from * PAGE) * ENTRY);
                if (source.read(BEGINNING + (long) from * PAGE * ENTRY, bytes, 0, length) < length) {
                    throw new DamageException("an index that ends before its last entry");
                }
                whole.update(bytes, 0, length);
                check(bytes, length / ENTRY);
                for (int page = from; page < Math.min(from + PAGES, pages); page++) {
                    int at = (page - from) * PAGE;
                    int size = Math.min(PAGE * ENTRY, length - at * ENTRY);
                    fences[page] = key(bytes, at);
                    checksums[page] = Output.checksum(0, bytes, at * ENTRY, size);
                    if (held != null) {
                        // Of a small store, all pages are in memory then.
                        held.put(source, segmentNumber, page, Arrays.copyOfRange(bytes, at * ENTRY, at * ENTRY + size));
                    }
                }
            }
            return new SealedIndex(segmentNumber, count, source, origin, held, fences, checksums);
        }

        private void check(byte[] bytes, int entries) throws DamageException {
            for (int i = 0; i < entries; i++) {
                long key = key(bytes, i);
                if (key < last || segmentNumber(bytes, i) != segmentNumber) {
                    throw new DamageException("an index that is not in order");
                }
                last = key;
            }
        }

        private static int segmentNumber(byte[] bytes, int entry) {
            int at = entry * ENTRY + Long.BYTES;
            return (bytes[at] & 0xff) | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 9] & 0xff) << 16;
        }
    }

    /** Closes the file. Then the index can only be made anew. */
    @Override
    public void close() throws IOException {
        source.close();
    }
}
