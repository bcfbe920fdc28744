package dev.pail;

import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a {@link Draft} in the order of their keys. What a draft is, not what it has: on the way down a path of many small
 * shards, one object more for each is one more wait for memory.
 *
 * <p>Not for use by several threads at once.
 */
abstract class SortedChanges {
    private static final int FIRST_ROOM = 4;

    /** For so many it is worth a look at which bytes of their keys differ. */
    private static final int MANY = 64;

    private static final Change[] NO_CHANGES = {};
    private static final long[] NO_HEADS = {};

    private Change[] changes = NO_CHANGES;

    /** For each change the head of its key: most searches need no more. */
    private long[] heads = NO_HEADS;

    /** What heads are made of. It is right for all keys, and as good as can be when it was chosen. */
    private KeyHeads by = KeyHeads.FIRST;

    /** The key that was looked for last, and its head. Null where that fits no more. */
    private @Nullable KeyBytes sought;

    private long soughtHead;

    private int changed;

    /** How many there are. */
    final int changed() {
        return changed;
    }

    final Change change(int i) {
        return changes[i];
    }

    /** The change of a key; or, where there is none, {@code -1 - n} if n changes have lesser keys. */
    final int indexOf(KeyBytes key) {
        if (!by.fit(key)) {
            sought = null;
            return search(0, changed, key);
        }
        long head = by.head(key);
        sought = key;
        soughtHead = head;
        if (changed == 0 || heads[changed - 1] < head) {
            // Many come in order.
            return -1 - changed;
        }
        int end = KeyHeads.countNotGreater(heads, changed, head);
        if (end == 0 || heads[end - 1] != head) {
            return -1 - end;
        }
        return search(KeyHeads.firstEqual(heads, end), end, key);
    }

    /** As {@link #indexOf}, where all changes before {@code first} have lesser keys, and all from {@code end} on greater ones. */
    private int search(int first, int end, KeyBytes key) {
        int low = first;
        int high = end - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = changes[middle].key.compareTo(key);
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

    /** Inserts a change whose key comes behind those of so many others. */
    final void insertChange(int i, Change change) {
        if (changed == changes.length) {
            int room = Math.max(FIRST_ROOM, 2 * changed);
            changes = Arrays.copyOf(changes, room);
            heads = Arrays.copyOf(heads, room);
            if (changed >= MANY) {
                takeHeads(headsOfAll());
            }
        }
        long head = headToInsert(change.key);
        System.arraycopy(changes, i, changes, i + 1, changed - i);
        System.arraycopy(heads, i, heads, i + 1, changed - i);
        changes[i] = change;
        heads[i] = head;
        changed++;
    }

    @SuppressWarnings("ReferenceEquality") // For an equal key that is another object the head is just made again.
    private long headToInsert(KeyBytes key) {
        if (key == sought) {
            return soughtHead;
        }
        if (!by.fit(key)) {
            takeHeads(by.with(key));
        }
        return by.head(key);
    }

    /** Takes these in the place of all others. */
    final void replaceChanges(Change[] all, int count) {
        changes = all;
        heads = new long[all.length];
        changed = count;
        takeHeads(changed < MANY ? KeyHeads.FIRST : headsOfAll());
    }

    private KeyHeads headsOfAll() {
        return KeyHeads.of(changed, i -> changes[i].key);
    }

    private void takeHeads(KeyHeads which) {
        by = which;
        sought = null;
        for (int i = 0; i < changed; i++) {
            heads[i] = by.head(changes[i].key);
        }
    }

    /** Removes the changes from one index up to another. */
    final void removeChanges(int from, int to) {
        System.arraycopy(changes, to, changes, from, changed - to);
        System.arraycopy(heads, to, heads, from, changed - to);
        Arrays.fill(changes, changed - (to - from), changed, null);
        changed -= to - from;
    }

    /** Removes the changes of which this holds. */
    final void removeChangesIf(Predicate<Change> condition) {
        int kept = 0;
        for (int i = 0; i < changed; i++) {
            if (!condition.test(changes[i])) {
                changes[kept] = changes[i];
                heads[kept++] = heads[i];
            }
        }
        removeChanges(kept, changed);
    }
}
