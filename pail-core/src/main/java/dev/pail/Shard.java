package dev.pail;

import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsafeBlocks;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A decoded shard: its encoded bytes and where each entry starts in them. Entries are numbered from 0 in the order of
 * their keys. Nothing is made of an entry before it is asked for.
 *
 * <p>The bytes were checked against all rules of the format, or written by {@link Draft}, which is as good. An entry is
 * an array of two: the key, a text; and the value, a link (user data) or an array of one or two links (the shard, the
 * user data).
 */
final class Shard {
    /** The first byte of an entry's value where that is user data: a tag. */
    private static final byte DATA = (byte) 0xd8;

    /** The first byte of an entry's value where that is a shard link alone: an array of one. */
    private static final byte LINK = (byte) 0x81;

    /** Of what is known of an entry, where its key starts and how long it is. */
    private static final int KEY_LENGTH_SHIFT = 32;

    private static final int KEY_LENGTH_MASK = 0xffff;

    /** Of what is known of an entry, whether it links to a shard, and whether it has user data. */
    private static final long HAS_SHARD = 1L << 48;

    private static final long HAS_DATA = 1L << 49;

    /** So often was gone through what is a chain. */
    private static final int SEARCHES_FOR_CHAIN = 2;

    /** A chain has keys of so many bytes and one key more at most. */
    private static final int MOST_CHAINED = 64;

    /** Taking the heads of so many keys takes as long as they make one search shorter. */
    private static final int ENTRIES_FOR_SEARCH = 12;

    final byte[] bytes;

    /** Where each entry starts, and behind the last one, where the entries end. */
    final int[] starts;

    private final int count;

    /** The refs of shard links that were followed or made, by number of the entry. Null where there are no links. */
    private final @Nullable ShardRef @Nullable [] refs;

    /**
     * For fast searches, once there were some: how many bytes all keys have in common; and of each entry the eight bytes of its
     * key behind them, where the key is and what the value has. Most searches need no more before they go on to the next shard,
     * and find it close together.
     */
    private volatile long @Nullable [] heads;

    /** Where only one key leads on, what it and those behind it lead to. Made by any thread, as is the number of searches. */
    private @Nullable Chain chain;

    private int searches;

    /** What {@link #outer} says; computed when it is first asked for, by any thread. */
    private int @Nullable [] outer;

    /** Whether keys may be here that start with the key of a shard link (spec rule V0.7). */
    final boolean overlapping;

    final Midstates midstates;

    Shard(byte[] bytes, int[] starts, @Nullable ShardRef @Nullable [] refs, boolean overlapping, Midstates midstates) {
        this.bytes = bytes;
        this.starts = starts;
        this.count = starts.length - 1;
        this.refs = refs;
        this.overlapping = overlapping;
        this.midstates = midstates;
    }

    int count() {
        return count;
    }

    /** What the cache should count for it, in bytes. */
    int weight() {
        int heads = count() > 1 ? 2 * Long.BYTES * count() : 0;
        return 96
                + bytes.length
                + 4 * starts.length
                + (refs == null ? 0 : 4 * refs.length)
                + heads
                + midstates.weight();
    }

    int keyStart(int entry) {
        long[] known = heads;
        return known == null ? textStart(starts[entry] + 1) : (int) known[2 + 2 * entry];
    }

    int keyEnd(int entry) {
        long[] known = heads;
        return known == null ? textEnd(starts[entry] + 1) : (int) known[2 + 2 * entry] + keyLength(known, entry);
    }

    private static int keyLength(long[] known, int entry) {
        return (int) (known[2 + 2 * entry] >>> KEY_LENGTH_SHIFT) & KEY_LENGTH_MASK;
    }

    /** Where a text or byte string of at most 65,535 bytes starts whose head is here. */
    private int textStart(int head) {
        int information = bytes[head] & 31;
        return head + (information < 24 ? 1 : information == 24 ? 2 : 3);
    }

    private int textEnd(int head) {
        int information = bytes[head] & 31;
        if (information < 24) {
            return head + 1 + information;
        }
        return information == 24
                ? head + 2 + (bytes[head + 1] & 0xff)
                : head + 3 + (((bytes[head + 1] & 0xff) << 8) | (bytes[head + 2] & 0xff));
    }

    KeyBytes key(int entry) {
        return new KeyBytes(bytes, keyStart(entry), keyEnd(entry));
    }

    /** The entry with this key; or, where there is none, {@code -1 - n} if n entries have lesser keys. */
    int find(byte[] key, int from, int to) {
        long[] known = heads;
        if (known != null) {
            return find(known, key, from, to);
        }
        int low = 0;
        int high = count() - 1;
        if (high > 0 && ++searches > 1 + count / ENTRIES_FOR_SEARCH) {
            heads = takeHeads();
        }
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
        int low = 0;
        int high = known.length / 2 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Long.compare(known[1 + 2 * middle], head);
            if (order == 0) {
                order = keyLength(known, middle) == whole ? 0 : compare(middle, key, from, to);
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
    int compare(int entry, byte[] key, int from, int to) {
        return Utf8.compare(bytes, keyStart(entry), keyEnd(entry), key, from, to);
    }

    int find(KeyBytes key) {
        return find(key.array, key.from, key.to);
    }

    /** Whether the key of an entry is what a key starts with. */
    boolean isKeyPrefix(int entry, byte[] key, int from, int to) {
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

    boolean hasShard(int entry) {
        long[] known = heads;
        return known == null ? bytes[keyEnd(entry)] != DATA : (known[2 + 2 * entry] & HAS_SHARD) != 0;
    }

    boolean hasData(int entry) {
        long[] known = heads;
        return known == null ? bytes[keyEnd(entry)] != LINK : (known[2 + 2 * entry] & HAS_DATA) != 0;
    }

    /** The user data of an entry that has some. */
    Cid data(int entry) {
        int value = keyEnd(entry);
        int link = bytes[value] == DATA ? value : value + 1 + ShardRef.ENCODED_LENGTH;
        return cid(link);
    }

    /**
     * What follows where there is one key, which only leads on: shards in which there is nothing to choose.
     *
     * @param keys the keys of all of them, one behind the other
     * @param end where they lead
     */
    record Chain(KeyBytes keys, ShardRef end) {
        boolean isPrefixOf(byte[] key, int from, int to) {
            int length = keys.length();
            return length <= to - from && Arrays.equals(keys.array, keys.from, keys.to, key, from, from + length);
        }
    }

    /** What follows, if there is no choice, and it was gone through before. */
    @Nullable
    Chain chain() {
        Chain known = chain;
        if (known == null && leadsOn() && ++searches > SEARCHES_FOR_CHAIN) {
            known = takeChain();
            chain = known;
        }
        return known;
    }

    private boolean leadsOn() {
        return count == 1 && !hasData(0);
    }

    private Chain takeChain() {
        KeyBytes keys = key(0);
        ShardRef end = ref(0);
        for (Shard next = end.use(); next != null && next.leadsOn() && keys.length() < MOST_CHAINED; next = end.use()) {
            keys = keys.append(next.key(0));
            end = next.ref(0);
        }
        return new Chain(keys, end);
    }

    /** The shard link of an entry that has one. */
    ShardRef ref(int entry) {
        ShardRef ref = refs == null ? null : refs[entry];
        if (ref == null) {
            int link = keyEnd(entry) + 1;
            ref = new ShardRef(cid(link));
            if (refs != null) {
                refs[entry] = ref;
            }
        }
        return ref;
    }

    /** The CID of a link that starts here: tag (2 bytes), head of the byte string, 0, CID. */
    private Cid cid(int start) {
        int head = start + 2;
        int from = textStart(head);
        return UnsafeBlocks.cid(bytes, from + 1, textEnd(head));
    }

    /** In an overlapping shard, the nearest link before an entry whose key the entry's starts with, or -1. */
    int outer(int entry) {
        int[] known = outer;
        if (known == null) {
            known = outers();
            outer = known;
        }
        return known[entry];
    }

    private int[] outers() {
        int[] found = new int[count()];
        int innermost = -1;
        for (int entry = 0; entry < found.length; entry++) {
            KeyBytes key = key(entry);
            while (innermost >= 0 && !key.startsWith(key(innermost))) {
                innermost = found[innermost];
            }
            found[entry] = innermost;
            if (hasShard(entry)) {
                innermost = entry;
            }
        }
        return found;
    }

    ShardValue value(int entry) {
        return new ShardValue(hasData(entry) ? data(entry) : null, hasShard(entry) ? ref(entry) : null);
    }

    /** Whether any entry links to a shard. */
    boolean isLinked() {
        return refs != null;
    }

    /** A copy of the refs, if there are any. */
    @Nullable
    ShardRef @Nullable [] copyRefs() {
        return refs == null ? null : refs.clone();
    }

    /** Copies the refs of a range of entries. */
    void copyRefs(int from, int to, @Nullable ShardRef[] target, int at) {
        if (refs != null) {
            System.arraycopy(refs, from, target, at, to - from);
        }
    }
}
