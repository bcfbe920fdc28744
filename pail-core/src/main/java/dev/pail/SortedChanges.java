package dev.pail;

import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The changes of a {@link Draft} in the order of their keys.
 *
 * <p>Not for use by several threads at once.
 */
final class SortedChanges {
    private static final int FIRST_ROOM = 4;

    private Change[] changes;

    /** For each change the bytes of its key behind those that all have in common: most searches need no more. */
    private long[] heads;

    /** The number of bytes that the keys of all changes start with, or fewer. */
    private int common;

    private int size;

    /** @param room for so many changes, before more is needed */
    SortedChanges(int room) {
        changes = new Change[room];
        heads = new long[room];
    }

    int size() {
        return size;
    }

    Change get(int i) {
        return changes[i];
    }

    /** The change of a key; or, where there is none, {@code -1 - n} if n changes have lesser keys. */
    int indexOf(KeyBytes key) {
        if (common > 0 && key.commonLength(changes[0].key) < common) {
            return key.compareTo(changes[0].key) < 0 ? -1 : -1 - size;
        }
        long head = key.orderFrom(common);
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Long.compare(heads[middle], head);
            if (order == 0) {
                order = changes[middle].key.compareTo(key);
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

    /** Inserts a change whose key comes behind those of so many others. */
    void insert(int i, Change change) {
        if (size == changes.length) {
            int room = Math.max(FIRST_ROOM, 2 * size);
            changes = Arrays.copyOf(changes, room);
            heads = Arrays.copyOf(heads, room);
            skipCommon();
        }
        if (common > 0) {
            int shared = change.key.commonLength(changes[0].key);
            if (shared < common) {
                skip(shared);
            }
        }
        System.arraycopy(changes, i, changes, i + 1, size - i);
        System.arraycopy(heads, i, heads, i + 1, size - i);
        changes[i] = change;
        heads[i] = change.key.orderFrom(common);
        size++;
    }

    /** Inserts a change whose key is the greatest. */
    void append(Change change) {
        insert(size, change);
    }

    /** Looks again how many bytes all keys start with. Searches are as right without it, but may take longer. */
    void skipCommon() {
        skip(size == 0 ? 0 : changes[0].key.commonLength(changes[size - 1].key));
    }

    /** Sets how many bytes all keys are known to start with. */
    private void skip(int bytes) {
        common = bytes;
        for (int i = 0; i < size; i++) {
            heads[i] = changes[i].key.orderFrom(common);
        }
    }

    /** Removes the changes from one index up to another. */
    void remove(int from, int to) {
        System.arraycopy(changes, to, changes, from, size - to);
        System.arraycopy(heads, to, heads, from, size - to);
        Arrays.fill(changes, size - (to - from), size, null);
        size -= to - from;
        common = size == 0 ? 0 : common;
    }

    /** Removes the changes of which this holds. */
    void removeIf(Predicate<Change> condition) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (!condition.test(changes[i])) {
                changes[kept] = changes[i];
                heads[kept++] = heads[i];
            }
        }
        remove(kept, size);
    }
}
