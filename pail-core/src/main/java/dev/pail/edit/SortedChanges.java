package dev.pail.edit;

import dev.pail.shard.KeyBytes;
import dev.pail.shard.KeyHeads;
import dev.pail.shard.ShardValue;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a {@link MutableShard} in the order of their keys. A superclass of the mutable shard rather than an object that it has: going
 * down through many small shards, each extra object is one more cache miss.
 *
 * <p>Changes have places. From one to the next it is {@link #nextChange}, as there can be empty ones between: places are in blocks,
 * each block is filled from its start, and only where it is full, another begins behind it with half of its changes. So a change
 * that is inserted moves few others.
 *
 * <p>Not for use by several threads at once.
 */
abstract class SortedChanges {
    /** Most mutable shards on the way of a key have one change: the link to the next. */
    private static final int FIRST_ROOM = 1;

    private static final int SECOND_ROOM = 4;

    private static final int BLOCK_BITS = 7;
    private static final int BLOCK = 1 << BLOCK_BITS;

    /** From this number of changes on, it pays to choose heads by the bytes in which the keys differ. */
    private static final int MANY = 64;

    /** When the number of changes has grown by this factor, it pays to choose again: the keys may differ in other bytes by then. */
    private static final int MORE = 4;

    private static final Change[] NO_CHANGES = {};
    private static final long[] NO_HEADS = {};
    private static final boolean[] NO_LINKS = {};
    private static final int[] NO_ENDS = {};

    private Change[] changes = NO_CHANGES;

    /** For each change the head of its key: most searches need no more. */
    private long[] heads = NO_HEADS;

    /** For each change whether it has a link to a shard: on the way of a key, one that has none need not be waited for. */
    private boolean[] links = NO_LINKS;

    /** There is always one block. Where there are more, each has a change. */
    private int blocks = 1;

    /** Where there are several, for each block the place behind its last change. */
    private int[] ends = NO_ENDS;

    /** Where there are several, for each block the head of its first change. */
    private long[] firsts = NO_HEADS;

    /** What heads are made of. It is right for all keys, and as good as can be when it was chosen. */
    private KeyHeads by = KeyHeads.FIRST;

    /** For how many changes that is to be chosen next. */
    private int nextChoice = MANY;

    /** The key that was looked for last, and its head. Null where that fits no more. */
    private @Nullable KeyBytes sought;

    private long soughtHead;

    private int changed;

    /** How many there are. */
    final int changed() {
        return changed;
    }

    final Change change(int place) {
        return changes[place];
    }

    final boolean isLink(int place) {
        return links[place];
    }

    final void setChange(int place, ShardValue value) {
        changes[place].set(value);
        links[place] = value.shard() != null;
    }

    /** The place behind the last change. The first change has the place 0. */
    final int changesEnd() {
        return end(blocks - 1);
    }

    /** The place of the change behind one; of the last one, {@link #changesEnd}. */
    final int nextChange(int place) {
        return changeFrom(place + 1);
    }

    /** The place of the change that is in a place, or next behind it. */
    final int changeFrom(int place) {
        int block = place >> BLOCK_BITS;
        return block < blocks - 1 && place == ends[block] ? start(block + 1) : place;
    }

    /** The place of the change before a place; of the first one, -1. */
    final int changeBefore(int place) {
        int block = place >> BLOCK_BITS;
        return block > 0 && place == start(block) ? end(block - 1) - 1 : place - 1;
    }

    private static int start(int block) {
        return block << BLOCK_BITS;
    }

    private int end(int block) {
        return blocks == 1 ? changed : ends[block];
    }

    /** The place of the change of a key; or, where there is none, {@code -1 - place} for the place to insert one. */
    final int placeOf(KeyBytes key) {
        if (!by.fit(key)) {
            sought = null;
            return search(key);
        }
        long head = by.head(key);
        sought = key;
        soughtHead = head;
        int block = blocks == 1 ? 0 : Math.max(0, KeyHeads.endOfNotGreater(firsts, 0, blocks, head) - 1);
        int start = start(block);
        int end = end(block);
        if (block < blocks - 1 || (end > 0 && heads[end - 1] >= head)) {
            // Not the last of all, as it is where they come in order.
            end = KeyHeads.endOfNotGreater(heads, start, end, head);
        }
        if (end == start || heads[end - 1] != head) {
            return -1 - end;
        }
        int first = KeyHeads.firstEqual(heads, start, end);
        boolean moreBefore = first > 0 && heads[changeBefore(first)] == head;
        return moreBefore ? search(key) : search(first, end, key);
    }

    /** As {@link #placeOf}, without the heads. */
    private int search(KeyBytes key) {
        int low = 0;
        int high = blocks - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (changes[start(middle)].key.compareTo(key) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return search(start(low), end(low), key);
    }

    /** As {@link #placeOf}, in a block where all changes before {@code first} have lesser keys, and all from {@code end} on greater ones. */
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

    /**
     * Inserts a change.
     *
     * @param at as {@link #placeOf} has it
     * @return the place that it has then
     */
    final int insertChange(int at, Change change) {
        if (changed >= nextChoice) {
            takeHeads(headsOfAll());
        }
        int place = withRoom(at);
        long head = headToInsert(change.key);
        int block = place >> BLOCK_BITS;
        int end = end(block);
        move(place, end, 1);
        changes[place] = change;
        heads[place] = head;
        links[place] = change.shard() != null;
        changed++;
        if (blocks > 1) {
            ends[block]++;
            firsts[block] = heads[start(block)];
        }
        return place;
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

    /** Where a place has gone to, after there is room for one more in its block. */
    private int withRoom(int place) {
        int block = place >> BLOCK_BITS;
        if (block == blocks) {
            insertBlock(block);
            return place;
        }
        int end = end(block);
        if (end < start(block + 1)) {
            if (end == changes.length) {
                grow(end == 0 ? FIRST_ROOM : Math.max(SECOND_ROOM, 2 * end));
            }
            return place;
        }
        insertBlock(block + 1);
        int half = end - BLOCK / 2;
        move(half, end, BLOCK / 2);
        ends[block] = half;
        ends[block + 1] = end + BLOCK / 2;
        firsts[block + 1] = heads[end];
        return place <= half ? place : place + BLOCK / 2;
    }

    /** Makes an empty block between others or behind them. */
    private void insertBlock(int block) {
        int end = changesEnd();
        if (end + BLOCK > changes.length) {
            grow(2 * Math.max(BLOCK, changes.length));
        }
        if (blocks == 1) {
            noteBlocks();
        }
        if (blocks == ends.length) {
            ends = Arrays.copyOf(ends, 2 * blocks);
            firsts = Arrays.copyOf(firsts, 2 * blocks);
        }
        move(Math.min(start(block), end), end, BLOCK);
        for (int i = blocks; i > block; i--) {
            ends[i] = ends[i - 1] + BLOCK;
            firsts[i] = firsts[i - 1];
        }
        ends[block] = start(block);
        blocks++;
    }

    /** Removes a block, which is empty. */
    private void removeBlock(int block) {
        int end = changesEnd();
        blocks--;
        if (block < blocks) {
            move(start(block + 1), end, -BLOCK);
        }
        for (int i = block; i < blocks; i++) {
            ends[i] = ends[i + 1] - BLOCK;
            firsts[i] = firsts[i + 1];
        }
    }

    /** Moves what is in the places from one up to another. */
    private void move(int from, int end, int by) {
        System.arraycopy(changes, from, changes, from + by, end - from);
        System.arraycopy(heads, from, heads, from + by, end - from);
        System.arraycopy(links, from, links, from + by, end - from);
        if (by > 0) {
            Arrays.fill(changes, from, Math.min(from + by, end), null);
        } else {
            Arrays.fill(changes, end + by, end, null);
        }
    }

    private void grow(int room) {
        changes = Arrays.copyOf(changes, room);
        heads = Arrays.copyOf(heads, room);
        links = Arrays.copyOf(links, room);
    }

    /** Takes these in the place of all others. */
    final void replaceChanges(Change[] all, int count) {
        changes = all;
        heads = new long[all.length];
        links = new boolean[all.length];
        for (int i = 0; i < count; i++) {
            links[i] = all[i].shard() != null;
        }
        changed = count;
        blocks = Math.max(1, (count + BLOCK - 1) >> BLOCK_BITS);
        if (blocks > 1) {
            noteBlocks();
        }
        takeHeads(changed < MANY ? KeyHeads.FIRST : headsOfAll());
    }

    /** Drops all changes. */
    final void dropChanges() {
        changes = NO_CHANGES;
        heads = NO_HEADS;
        links = NO_LINKS;
        ends = NO_ENDS;
        firsts = NO_HEADS;
        blocks = 1;
        changed = 0;
        sought = null;
    }

    /** Notes where blocks end that are full but for the last one. */
    private void noteBlocks() {
        ends = new int[2 * blocks];
        firsts = new long[2 * blocks];
        for (int block = 0; block < blocks; block++) {
            ends[block] = Math.min(start(block + 1), changed);
        }
        noteFirsts();
    }

    private void noteFirsts() {
        for (int block = 0; block < blocks; block++) {
            firsts[block] = heads[start(block)];
        }
    }

    private KeyHeads headsOfAll() {
        KeyBytes[] keys = new KeyBytes[changed];
        for (int place = 0, i = 0; i < changed; place = nextChange(place)) {
            keys[i++] = changes[place].key;
        }
        nextChoice = MORE * changed;
        return KeyHeads.of(changed, i -> keys[i]);
    }

    private void takeHeads(KeyHeads which) {
        by = which;
        sought = null;
        for (int place = 0; place < changesEnd(); place = nextChange(place)) {
            heads[place] = by.head(changes[place].key);
        }
        if (blocks > 1) {
            noteFirsts();
        }
    }

    /** Removes {@code count} changes, from a place on. */
    final void removeChanges(int from, int count) {
        int place = from;
        for (int left = count; left > 0; ) {
            place = changeFrom(place);
            int block = place >> BLOCK_BITS;
            int end = end(block);
            int some = Math.min(left, end - place);
            move(place + some, end, -some);
            changed -= some;
            left -= some;
            if (blocks > 1) {
                ends[block] = end - some;
                firsts[block] = heads[start(block)];
                if (end - some == start(block)) {
                    removeBlock(block);
                }
            }
        }
    }

    /** Removes the changes that satisfy a condition. */
    final void removeChangesIf(Predicate<Change> condition) {
        for (int place = 0; place < changesEnd(); ) {
            if (condition.test(changes[place])) {
                removeChanges(place, 1);
                place = changeFrom(place);
            } else {
                place = nextChange(place);
            }
        }
    }
}
