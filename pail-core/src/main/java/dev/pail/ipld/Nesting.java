package dev.pail.ipld;

import dev.pail.bytes.CborHead;
import java.util.Arrays;

/**
 * The arrays and maps that are open while dag-cbor is read or written. Checks the rules inside them: the number of items
 * that are still due, that map keys are text, and their order. Its depth is bounded for every input.
 */
final class Nesting {
    private static final int MAX_DEPTH = 128;

    /** Items still due in each open container; a pair of a map counts as two. */
    private long[] due = new long[8];

    /** Where the last key of each open map is, or -1 for an array; -2 for a map without a key so far. */
    private int[] lastKeyStart = new int[8];

    private int[] lastKeyEnd = new int[8];
    private int depth;
    private boolean started;
    private boolean refused;

    /** Notes that an item begins at {@code at}. */
    void item(int at, int major) {
        closeComplete();
        if (depth == 0) {
            if (started) {
                throw refused(at, "a block is one item and nothing behind it (C1)");
            }
            started = true;
            return;
        }
        if (isKeyNext() && major != CborHead.TEXT) {
            throw refused(at, "a map key is text (C5)");
        }
        due[depth - 1]--;
    }

    /** Whether the item that begins next is the key of a map. */
    boolean isKeyNext() {
        closeComplete();
        return depth > 0 && lastKeyStart[depth - 1] != -1 && (due[depth - 1] & 1) == 0;
    }

    /** Notes that a map key is in this range of {@code bytes}, which is the same array for all keys. */
    void key(byte[] bytes, int from, int to) {
        int top = depth - 1;
        if (lastKeyStart[top] >= 0) {
            int lengths = lastKeyEnd[top] - lastKeyStart[top] - (to - from);
            int order = lengths != 0
                    ? lengths
                    : Arrays.compareUnsigned(bytes, lastKeyStart[top], lastKeyEnd[top], bytes, from, to);
            // Rule C5.
            if (order >= 0) {
                throw refused(
                        from,
                        order == 0 ? "a map has each key once (C5)" : "map keys are in order, shorter ones first (C5)");
            }
        }
        lastKeyStart[top] = from;
        lastKeyEnd[top] = to;
    }

    /** Opens an array or a map that starts at {@code at}. A map has twice as many items as pairs. */
    void open(int at, boolean map, long items) {
        if (items < 0) {
            throw refused(at, "a container has 0 items or more (C1)");
        }
        if (depth == MAX_DEPTH) {
            throw refused(at, "arrays and maps are nested " + MAX_DEPTH + " deep at most (C8)");
        }
        if (depth == due.length) {
            due = Arrays.copyOf(due, 2 * depth);
            lastKeyStart = Arrays.copyOf(lastKeyStart, 2 * depth);
            lastKeyEnd = Arrays.copyOf(lastKeyEnd, 2 * depth);
        }
        due[depth] = items;
        lastKeyStart[depth] = map ? -2 : -1;
        depth++;
    }

    /** How many containers are open and not complete. */
    int depth() {
        closeComplete();
        return depth;
    }

    /** Whether there was an item, it is complete, and nothing was refused. */
    boolean isComplete() {
        return started && !refused && depth() == 0;
    }

    /** Refuses the data, which {@link #isComplete} remembers. */
    private MalformedDataException refused(int at, String rule) {
        refused = true;
        return new MalformedDataException(at, rule);
    }

    private void closeComplete() {
        while (depth > 0 && due[depth - 1] == 0) {
            depth--;
        }
    }
}
