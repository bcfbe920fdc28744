package dev.pail.shard;

import dev.pail.bytes.CborHead;
import dev.pail.bytes.Utf8;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The encoded entries of a {@link Shard}: their keys, and whether each has user data and a link to a shard. This is a superclass of
 * the shard and not a field: on a path through many shards, each extra object costs one more cache miss.
 *
 * <p>For use by several threads at once.
 */
abstract class ShardKeys {
    /** The first byte of an entry's value where that is user data: a tag. */
    static final byte DATA = (byte) 0xd8;

    /** The first byte of an entry's value where that is a shard link alone: an array of one. */
    static final byte LINK = (byte) 0x81;

    /** Of what is known of an entry, whether it links to a shard, and whether it has user data. */
    private static final int HAS_SHARD = 1;

    private static final int HAS_DATA = 2;

    /** Of what is known of an entry, the length of its key; the greatest stands for all that are longer. */
    private static final int LENGTH_SHIFT = 2;

    private static final int LONG_KEY = 63;

    /** The first byte of a key, but for its length. */
    private static final int TEXT = CborHead.TEXT << 5;

    /** Learning this many keys costs about what it saves on one search. */
    private static final int ENTRIES_FOR_SEARCH = 12;

    public final byte[] bytes;

    /** Where each entry starts, and behind the last one, where the entries end. */
    public final int[] starts;

    private final int count;

    /**
     * For fast searches, after the first few: the head of each key. Most searches of a shard read only these and {@link #known}, which are
     * close together in memory.
     */
    private volatile long @Nullable [] heads;

    /** Which bytes make the heads. Written under the lock before {@link #heads}, and read after it; so is {@link #known}. */
    private KeyHeads by = KeyHeads.FIRST;

    /** With heads, what is known of each entry. */
    private byte[] known = {};

    /**
     * Instead of heads, where no two keys start with the same character and all start with one of ASCII: the characters that keys
     * start with, and those that are the key of a link; a bit for each, the lower half and the upper half.
     */
    private volatile boolean byFirst;

    /** Written under the lock before {@link #byFirst}, and read after it; so are the next three. */
    private long lowFirsts;

    private long highFirsts;
    private long lowLinks;
    private long highLinks;

    /** Counted by any thread. A hint: a count that a race loses only delays what is learned from it. */
    private int searches;

    ShardKeys(byte[] bytes, int[] starts) {
        this.bytes = bytes;
        this.starts = starts;
        this.count = starts.length - 1;
    }

    public final int count() {
        return count;
    }

    /** Notes a search, and says how many there were, about. */
    final int searched() {
        return ++searches;
    }

    /** What the cache should count for it, in bytes. */
    int weight() {
        int heads = count > 1 ? (Long.BYTES + 1) * count : 0;
        return 256 + bytes.length + 4 * starts.length + heads;
    }

    /** Where the head of a key is: behind that of its entry. */
    private int keyHead(int entry) {
        return starts[entry] + 1;
    }

    public final int keyStart(int entry) {
        return textStart(keyHead(entry));
    }

    public final int keyEnd(int entry) {
        return textEnd(keyHead(entry));
    }

    /**
     * Where a key ends, if the caller knows its length. The processor can then continue behind the key before it has loaded the key.
     */
    final int keyEnd(int entry, int length) {
        return keyHead(entry) + CborHead.length(length) + length;
    }

    final int keyLength(int entry) {
        int length = heads == null ? LONG_KEY : knownLength(entry);
        return length < LONG_KEY ? length : keyEnd(entry) - keyStart(entry);
    }

    private int knownLength(int entry) {
        return (known[entry] & 0xff) >>> LENGTH_SHIFT;
    }

    /** Where a text or byte string of at most 65,535 bytes starts whose head is here. */
    final int textStart(int head) {
        int information = bytes[head] & 31;
        return head + (information < 24 ? 1 : information == 24 ? 2 : 3);
    }

    final int textEnd(int head) {
        int information = bytes[head] & 31;
        if (information < 24) {
            return head + 1 + information;
        }
        return information == 24
                ? head + 2 + (bytes[head + 1] & 0xff)
                : head + 3 + (((bytes[head + 1] & 0xff) << 8) | (bytes[head + 2] & 0xff));
    }

    public final KeyBytes key(int entry) {
        return new KeyBytes(bytes, keyStart(entry), keyEnd(entry));
    }

    /** The entry with this key; or, where there is none, {@code -1 - n} if n entries have lesser keys. */
    final int find(byte[] key, int from, int to) {
        if (byFirst) {
            return findByFirst(key, from, to);
        }
        long[] ordered = heads;
        if (ordered == null && count > 1 && searched() > 1 + count / ENTRIES_FOR_SEARCH) {
            learn();
        }
        return ordered != null && by.fit(key, from, to)
                ? findByHead(ordered, key, from, to)
                : search(0, count, key, from, to);
    }

    public final int find(KeyBytes key) {
        return find(key.array, key.from, key.to);
    }

    private synchronized void learn() {
        if (!byFirst && heads == null) {
            byFirst = takeFirsts();
            heads = byFirst ? null : takeHeads();
        }
    }

    private boolean takeFirsts() {
        long[] firsts = new long[2];
        long[] links = new long[2];
        for (int entry = 0; entry < count; entry++) {
            int start = keyStart(entry);
            int first = bytes[start];
            int end = keyEnd(entry);
            if (end == start || first < 0 || isIn(firsts[0], firsts[1], first)) {
                return false;
            }
            firsts[first / Long.SIZE] |= 1L << first;
            if (end == start + 1 && hasShard(entry)) {
                links[first / Long.SIZE] |= 1L << first;
            }
        }
        lowFirsts = firsts[0];
        highFirsts = firsts[1];
        lowLinks = links[0];
        highLinks = links[1];
        return true;
    }

    private static boolean isIn(long low, long high, int character) {
        return ((character < Long.SIZE ? low : high) >>> character & 1) != 0;
    }

    /** How many keys start with a lesser character. */
    private int countBefore(int character) {
        long lesser = (1L << character) - 1;
        return character < Long.SIZE
                ? Long.bitCount(lowFirsts & lesser)
                : Long.bitCount(lowFirsts) + Long.bitCount(highFirsts & lesser);
    }

    private int findByFirst(byte[] key, int from, int to) {
        int first = from == to ? 0 : key[from];
        if (first < 0) {
            return -1 - count;
        }
        int entry = countBefore(first);
        return isIn(lowFirsts, highFirsts, first) ? compared(entry, key, from, to) : -1 - entry;
    }

    /** As {@link #find}, where the key can only be that of one entry, and those before it are less. */
    private int compared(int entry, byte[] key, int from, int to) {
        if (isKey(entry, key, from, to)) {
            return entry;
        }
        return compare(entry, key, from, to) < 0 ? -2 - entry : -1 - entry;
    }

    /** The entry whose key is the first byte of a longer key, and leads on; or -1, where it is not known. */
    final int findLink(byte[] key, int from, int to) {
        if (!byFirst || to - from < 2) {
            return -1;
        }
        int first = key[from];
        return first >= 0 && isIn(lowLinks, highLinks, first) ? countBefore(first) : -1;
    }

    private long[] takeHeads() {
        by = KeyHeads.of(count, this::key);
        known = new byte[count];
        long[] taken = new long[count];
        for (int entry = 0; entry < count; entry++) {
            KeyBytes key = key(entry);
            taken[entry] = by.head(key);
            known[entry] = (byte) ((hasShard(entry) ? HAS_SHARD : 0)
                    | (hasData(entry) ? HAS_DATA : 0)
                    | Math.min(key.length(), LONG_KEY) << LENGTH_SHIFT);
        }
        return taken;
    }

    private int findByHead(long[] ordered, byte[] key, int from, int to) {
        long head = by.head(key, from, to);
        int end = KeyHeads.endOfNotGreater(ordered, 0, count, head);
        int entry = end - 1;
        if (entry < 0 || ordered[entry] != head) {
            return -1 - end;
        }
        int first = KeyHeads.firstEqual(ordered, 0, end);
        if (first < entry) {
            return search(first, end, key, from, to);
        }
        int length = to - from;
        boolean isInHead = length < LONG_KEY && length < by.end();
        return isInHead && length == knownLength(entry) ? entry : compared(entry, key, from, to);
    }

    /** As {@link #find}, where all entries before {@code first} have lesser keys, and all from {@code end} on greater ones. */
    private int search(int first, int end, byte[] key, int from, int to) {
        int low = first;
        int high = end - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = compare(middle, key, from, to);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }

    /** Whether the key of an entry is this one. What there is to compare follows from the length of this one, as for {@link #keyEnd}. */
    private boolean isKey(int entry, byte[] key, int from, int to) {
        int length = to - from;
        int head = keyHead(entry);
        int start = head + CborHead.length(length);
        int end = start + length;
        return end <= bytes.length && isTextHead(head, length) && Arrays.equals(bytes, start, end, key, from, to);
    }

    private boolean isTextHead(int head, int length) {
        return switch (CborHead.length(length)) {
            case 1 -> bytes[head] == (byte) (TEXT | length);
            case 2 -> bytes[head] == (byte) (TEXT | 24) && bytes[head + 1] == (byte) length;
            default -> textEnd(head) == head + 3 + length;
        };
    }

    /** Compares the key of an entry with a key. */
    private int compare(int entry, byte[] key, int from, int to) {
        return Utf8.compare(bytes, keyStart(entry), keyEnd(entry), key, from, to);
    }

    /** Whether the key of an entry is what a key starts with. */
    public final boolean isKeyPrefix(int entry, byte[] key, int from, int to) {
        int length = keyLength(entry);
        if (length > to - from) {
            return false;
        }
        long[] ordered = heads;
        if (ordered != null && by == KeyHeads.FIRST && length < Long.BYTES) {
            return (ordered[entry] ^ by.head(key, from, to)) >>> (Long.SIZE - 1 - Byte.SIZE * length) == 0;
        }
        int start = keyStart(entry);
        return Arrays.equals(bytes, start, start + length, key, from, from + length);
    }

    public final boolean hasShard(int entry) {
        return heads == null ? bytes[keyEnd(entry)] != DATA : (known[entry] & HAS_SHARD) != 0;
    }

    public final boolean hasData(int entry) {
        return heads == null ? bytes[keyEnd(entry)] != LINK : (known[entry] & HAS_DATA) != 0;
    }
}
