package dev.pail;

import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
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

    final byte[] bytes;

    /** Where each entry starts, and behind the last one, where the entries end. */
    final int[] starts;

    /** The refs of shard links that were followed or made, by number of the entry. Null where there are no links. */
    private final @Nullable ShardRef @Nullable [] refs;

    /** Whether keys may be here that start with the key of a shard link (spec rule V0.7). */
    final boolean overlapping;

    Shard(byte[] bytes, int[] starts, @Nullable ShardRef @Nullable [] refs, boolean overlapping) {
        this.bytes = bytes;
        this.starts = starts;
        this.refs = refs;
        this.overlapping = overlapping;
    }

    int count() {
        return starts.length - 1;
    }

    /** What the cache should count for it, in bytes. */
    int weight() {
        return 96 + bytes.length + 4 * starts.length + (refs == null ? 0 : 4 * refs.length);
    }

    int keyStart(int entry) {
        int head = starts[entry] + 1;
        int information = bytes[head] & 31;
        return head + (information < 24 ? 1 : information == 24 ? 2 : 3);
    }

    int keyEnd(int entry) {
        int head = starts[entry] + 1;
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
        int low = 0;
        int high = count() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Utf8.compare(bytes, keyStart(middle), keyEnd(middle), key, from, to);
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

    int find(KeyBytes key) {
        return find(key.array, key.from, key.to);
    }

    /** Whether the key of an entry is what a key starts with. */
    boolean isKeyPrefix(int entry, byte[] key, int from, int to) {
        int start = keyStart(entry);
        int length = keyEnd(entry) - start;
        return length <= to - from && Arrays.equals(bytes, start, start + length, key, from, from + length);
    }

    boolean hasShard(int entry) {
        return bytes[keyEnd(entry)] != DATA;
    }

    boolean hasData(int entry) {
        return bytes[keyEnd(entry)] != LINK;
    }

    /** The user data of an entry that has some. */
    Cid data(int entry) {
        int value = keyEnd(entry);
        int link = bytes[value] == DATA ? value : value + 1 + ShardRef.ENCODED_LENGTH;
        return cid(link, starts[entry + 1]);
    }

    /** The shard link of an entry that has one. */
    ShardRef ref(int entry) {
        ShardRef ref = refs == null ? null : refs[entry];
        if (ref == null) {
            int link = keyEnd(entry) + 1;
            ref = new ShardRef(cid(link, link + ShardRef.ENCODED_LENGTH));
            if (refs != null) {
                refs[entry] = ref;
            }
        }
        return ref;
    }

    /** The CID of a link that starts and ends here: tag (2 bytes), head of the byte string, 0, CID. */
    private Cid cid(int start, int end) {
        int information = bytes[start + 2] & 31;
        int head = information < 24 ? 1 : information == 24 ? 2 : 3;
        return Cid.fromBytes(bytes, start + 2 + head + 1, end);
    }

    ShardValue value(int entry) {
        return new ShardValue(hasData(entry) ? data(entry) : null, hasShard(entry) ? ref(entry) : null);
    }

    /** Whether any entry links to a shard. */
    boolean isLinked() {
        return refs != null;
    }

    /** Copies the refs of a range of entries. */
    void copyRefs(int from, int to, @Nullable ShardRef[] target, int at) {
        if (refs != null) {
            System.arraycopy(refs, from, target, at, to - from);
        }
    }
}
