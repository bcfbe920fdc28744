package dev.pail.content.lines;

import java.util.Arrays;

/**
 * The elements of a list that the search compares, between the first and the last difference. An element that the other list lacks is
 * changed, and not searched for. An element that is frequent there, among those that it lacks, says little and is left out too. Rule VM11.
 */
final class Candidates {
    /** How many elements before and behind a frequent one count. */
    private static final int WINDOW = 100;

    /** A frequent element is left out, if at most one of this many around it is frequent too. */
    private static final int FEW = 4;

    /** The most occurrences that are not frequent. */
    private static final int MOST_RARE = 1024;

    private static final byte NONE = 0;
    private static final byte RARE = 1;
    private static final byte FREQUENT = 2;

    private final Side side;
    private final int[] places;
    private final int size;

    private Candidates(Side side, int[] places, int size) {
        this.side = side;
        this.places = places;
        this.size = size;
    }

    /**
     * Finds those between two places, and marks the others as changed.
     *
     * @param occurrences how often the other list has each element
     */
    static Candidates between(Side side, int from, int to, int[] occurrences) {
        byte[] kinds = new byte[to - from];
        int frequent = Math.min(roughRoot(side.size()), MOST_RARE);
        for (int i = 0; i < kinds.length; i++) {
            int times = occurrences[side.id(from + i)];
            kinds[i] = times == 0 ? NONE : times < frequent ? RARE : FREQUENT;
        }
        int[] places = new int[kinds.length];
        int size = 0;
        for (int i = 0; i < kinds.length; i++) {
            if (kinds[i] == RARE || (kinds[i] == FREQUENT && !isAmongOthers(kinds, i))) {
                places[size++] = from + i;
            } else {
                side.change(from + i);
            }
        }
        return new Candidates(side, Arrays.copyOf(places, size), size);
    }

    /** A power of two that is above the square root, and at most twice as large. */
    static int roughRoot(int number) {
        int root = 1;
        for (int rest = number; rest > 0; rest >>= 2) {
            root <<= 1;
        }
        return root;
    }

    private static boolean isAmongOthers(byte[] kinds, int at) {
        int[] before = around(kinds, at, -1);
        int[] behind = around(kinds, at, 1);
        if (before[NONE] == 0 || behind[NONE] == 0) {
            return false;
        }
        // The element itself counts on both sides.
        int frequent = before[FREQUENT] + behind[FREQUENT] + 2;
        int none = before[NONE] + behind[NONE];
        return frequent * FEW < frequent + none;
    }

    /** How many of each kind there are up to the first rare one, or the end of the window. */
    private static int[] around(byte[] kinds, int at, int step) {
        int[] counts = new int[FREQUENT + 1];
        for (int i = 1; i <= WINDOW; i++) {
            int place = at + i * step;
            if (place < 0 || place >= kinds.length || kinds[place] == RARE) {
                break;
            }
            counts[kinds[place]]++;
        }
        return counts;
    }

    int size() {
        return size;
    }

    int id(int at) {
        return side.id(places[at]);
    }

    /** Marks those between two of them as changed. */
    void change(int from, int to) {
        for (int i = from; i < to; i++) {
            side.change(places[i]);
        }
    }
}
