package dev.pail.content.lines;

import java.util.BitSet;

/**
 * One of two lists that are compared: its elements as numbers, and which of them the other list lacks. Equal elements have equal numbers.
 *
 * <p>Changed elements are in gaps. Gap 0 is before the first unchanged element, gap 1 behind it, and so on to the end. Most gaps are
 * empty. Both lists have the same unchanged elements, so gap n of one list is opposite gap n of the other.
 */
final class Side {
    private final int[] ids;
    private final BitSet changed = new BitSet();

    Side(int[] ids) {
        this.ids = ids;
    }

    int size() {
        return ids.length;
    }

    int id(int at) {
        return ids[at];
    }

    void change(int at) {
        changed.set(at);
    }

    boolean isChanged(int at) {
        return at >= 0 && changed.get(at);
    }

    /** The first unchanged element from here; the size, if there is none. */
    int unchanged(int from) {
        return Math.min(changed.nextClearBit(from), size());
    }

    /** The gaps that are not empty. */
    private BitSet gaps() {
        BitSet gaps = new BitSet();
        int gap = 0;
        for (int at = 0; at < size(); at++) {
            if (changed.get(at)) {
                gaps.set(gap);
            } else {
                gap++;
            }
        }
        return gaps;
    }

    /**
     * Moves each run of changed elements down as far as equal elements allow, or to the last place opposite changed elements of the other
     * list. Runs that meet become one. Rule VM14.
     */
    void slide(Side other) {
        BitSet opposite = other.gaps();
        Run run = new Run();
        do {
            if (run.from < run.to) {
                run.slide(opposite);
            }
        } while (run.next());
    }

    /** A run of changed elements, in one gap. */
    private final class Run {
        private int gap;
        private int from;
        private int to = unchanged(0);

        boolean next() {
            if (to == size()) {
                return false;
            }
            from = to + 1;
            to = unchanged(from);
            gap++;
            return true;
        }

        void slide(BitSet opposite) {
            int size;
            int highest;
            int meeting;
            do {
                size = to - from;
                while (isMovable(-1)) {
                    up();
                }
                highest = to;
                meeting = opposite.get(gap) ? to : -1;
                while (isMovable(1)) {
                    down();
                    meeting = opposite.get(gap) ? to : meeting;
                }
            } while (size != to - from);
            if (to > highest && meeting >= 0) {
                while (to > meeting) {
                    up();
                }
            }
        }

        private boolean isMovable(int by) {
            return by < 0 ? from > 0 && ids[from - 1] == ids[to - 1] : to < size() && ids[from] == ids[to];
        }

        private void up() {
            from--;
            to--;
            gap--;
            changed.set(from);
            changed.clear(to);
            while (isChanged(from - 1)) {
                from--;
            }
        }

        private void down() {
            changed.clear(from);
            changed.set(to);
            from++;
            gap++;
            to = unchanged(to);
        }
    }
}
