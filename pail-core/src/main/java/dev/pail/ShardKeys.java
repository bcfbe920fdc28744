package dev.pail;

import dev.pail.bytes.Utf8;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The encoded entries of a {@link Shard}, of which it knows the keys and whether there is user data and a link to a shard. What a
 * shard is, not what it has: on the way down through many shards, one object more for each is one more wait for memory.
 *
 * <p>For use by several threads at once.
 */
abstract class ShardKeys {
    /** The first byte of an entry's value where that is user data: a tag. */
    static final byte DATA = (byte) 0xd8;

    /** The first byte of an entry's value where that is a shard link alone: an array of one. */
    private static final byte LINK = (byte) 0x81;

    /** Of what is known of an entry, where its key starts and how long it is. */
    private static final int KEY_LENGTH_SHIFT = 32;

    private static final int KEY_LENGTH_MASK = 0xffff;

    /** Of what is known of an entry, whether it links to a shard, and whether it has user data. */
    private static final long HAS_SHARD = 1L << 48;

    private static final long HAS_DATA = 1L << 49;

    /** Learning so many keys takes as long as it makes one search shorter. */
    private static final int ENTRIES_FOR_SEARCH = 12;

    final byte[] bytes;

    /** Where each entry starts, and behind the last one, where the entries end. */
    final int[] starts;

    private final int count;

    /**
     * For fast searches, once there were some: how many bytes all keys have in common; and of each entry the eight bytes of its
     * key behind them, where the key is and what the value has. Most searches need no more before they go on to the next shard,
     * and find it close together.
     */
    private volatile long @Nullable [] heads;

    /**
     * Instead of heads, where no two keys start with the same character and all start with one of ASCII: the characters that keys
     * start with, and those that are the key of a link; a bit for each, the lower half and the upper half.
     */
    private volatile boolean byFirst;

    private long lowFirsts;
    private long highFirsts;
    private long lowLinks;
    private long highLinks;

    /** Made by any thread. */
    private int searches;

    ShardKeys(byte[] bytes, int[] starts) {
        this.bytes = bytes;
        this.starts = starts;
        this.count = starts.length - 1;
    }

    final int count() {
        return count;
    }

    /** Notes a search, and says how many there were, about. */
    final int searched() {
        return ++searches;
    }

    /** What the cache should count for it, in bytes. */
    int weight() {
        int heads = count > 1 ? 2 * Long.BYTES * count : 0;
        return 128 + bytes.length + 4 * starts.length + heads;
    }

    final int keyStart(int entry) {
        long[] known = heads;
        return known == null ? textStart(starts[entry] + 1) : (int) known[2 + 2 * entry];
    }

    final int keyEnd(int entry) {
        long[] known = heads;
        return known == null ? textEnd(starts[entry] + 1) : (int) known[2 + 2 * entry] + keyLength(known, entry);
    }

    private static int keyLength(long[] known, int entry) {
        return (int) (known[2 + 2 * entry] >>> KEY_LENGTH_SHIFT) & KEY_LENGTH_MASK;
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

    final KeyBytes key(int entry) {
        return new KeyBytes(bytes, keyStart(entry), keyEnd(entry));
    }

    /** The entry with this key; or, where there is none, {@code -1 - n} if n entries have lesser keys. */
    final int find(byte[] key, int from, int to) {
        if (byFirst) {
            return findByFirst(key, from, to);
        }
        long[] known = heads;
        if (known != null) {
            return find(known, key, from, to);
        }
        if (count > 1 && searched() > 1 + count / ENTRIES_FOR_SEARCH) {
            learn();
        }
        return search(null, 0, -1, key, from, to);
    }

    private void learn() {
        byFirst = takeFirsts();
        if (!byFirst) {
            heads = takeHeads();
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
        if (!isIn(lowFirsts, highFirsts, first)) {
            return -1 - entry;
        }
        int order = compare(entry, key, from, to);
        return order == 0 ? entry : order < 0 ? -2 - entry : -1 - entry;
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
        int common = key(0).commonLength(key(count - 1));
        long[] taken = new long[1 + 2 * count];
        taken[0] = common;
        for (int entry = 0; entry < count; entry++) {
            int start = keyStart(entry);
            int end = keyEnd(entry);
            taken[1 + 2 * entry] = Utf8.head(bytes, start + common, end);
            taken[2 + 2 * entry] = start
                    | ((long) (end - start) << KEY_LENGTH_SHIFT)
                    | (hasShard(entry) ? HAS_SHARD : 0)
                    | (hasData(entry) ? HAS_DATA : 0);
        }
        return taken;
    }

    private int find(long[] known, byte[] key, int from, int to) {
        int common = (int) known[0];
        if (common > 0) {
            int start = keyStart(0);
            if (to - from < common || !Arrays.equals(bytes, start, start + common, key, from, from + common)) {
                return compare(0, key, from, to) > 0 ? -1 : -1 - count();
            }
        }
        long head = Utf8.head(key, from + common, to);
        // A key of this length has no bytes behind its head.
        int whole = to - from <= common + Long.BYTES ? to - from : -1;
        return search(known, head, whole, key, from, to);
    }

    /**
     * Searches by heads, where they are known, and by what is behind them.
     *
     * @param head that of the key
     * @param whole how long a key with this head is that is equal; or -1, if that takes more than a look at both lengths
     */
    private int search(long @Nullable [] known, long head, int whole, byte[] key, int from, int to) {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = known == null ? 0 : Long.compare(known[1 + 2 * middle], head);
            if (order == 0) {
                order = known != null && keyLength(known, middle) == whole ? 0 : compare(middle, key, from, to);
                if (order == 0) {
                    return middle;
                }
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }

    /** Compares the key of an entry with a key. */
    final int compare(int entry, byte[] key, int from, int to) {
        return Utf8.compare(bytes, keyStart(entry), keyEnd(entry), key, from, to);
    }

    final int find(KeyBytes key) {
        return find(key.array, key.from, key.to);
    }

    /** Whether the key of an entry is what a key starts with. */
    final boolean isKeyPrefix(int entry, byte[] key, int from, int to) {
        int start = keyStart(entry);
        int length = keyEnd(entry) - start;
        if (length > to - from) {
            return false;
        }
        long[] known = heads;
        if (known != null && known[0] == 0 && length > 0 && length <= Long.BYTES) {
            return (known[1 + 2 * entry] ^ Utf8.head(key, from, to)) >>> (Long.SIZE - Byte.SIZE * length) == 0;
        }
        return Arrays.equals(bytes, start, start + length, key, from, from + length);
    }

    final boolean hasShard(int entry) {
        long[] known = heads;
        return known == null ? bytes[keyEnd(entry)] != DATA : (known[2 + 2 * entry] & HAS_SHARD) != 0;
    }

    final boolean hasData(int entry) {
        long[] known = heads;
        return known == null ? bytes[keyEnd(entry)] != LINK : (known[2 + 2 * entry] & HAS_DATA) != 0;
    }
}
