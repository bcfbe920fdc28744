package dev.pail.content.lines;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Finds the elements that two lists have in common, by the algorithm of Myers in linear space (An O(ND) Difference Algorithm and its
 * Variations, 1986): paths from the start and from the end are extended one difference at a time until they meet, and the parts before
 * and behind that place are searched in the same way. Rule VM12. If the paths get too long, it takes a good place where they do not meet.
 *
 * <p>A diagonal is the place in the first list minus that in the second one.
 */
final class Search {
    /** The number of differences from which a long common run is taken instead of the shortest path; and the least bound. */
    private static final int MANY = 256;

    /** The length of a run of common elements that counts as long. */
    private static final int LONG_RUN = 20;

    /** A path is good if it got this many elements ahead for each difference. */
    private static final int GOOD = 4;

    private static final int NEVER = Integer.MAX_VALUE;

    private final Candidates before;
    private final Candidates after;
    private final int[] fromStart;
    private final int[] fromEnd;
    private final int zero;
    private final int mostDifferences;
    private long stepsLeft;
    private final Deque<Box> boxes = new ArrayDeque<>();

    /** A part of both lists. If it is exact, the shortest path through it is found, however long that takes. */
    private record Box(int from, int to, int otherFrom, int otherTo, boolean exact) {}

    private record Split(int at, int other, boolean exactBefore, boolean exactBehind) {}

    private Search(Candidates before, Candidates after, long mostSteps) {
        this.before = before;
        this.after = after;
        int diagonals = before.size() + after.size() + 3;
        this.fromStart = new int[diagonals];
        this.fromEnd = new int[diagonals];
        this.zero = after.size() + 1;
        this.stepsLeft = mostSteps;
        this.mostDifferences = Math.max(Candidates.roughRoot(diagonals), MANY);
    }

    /**
     * Marks what the lists do not have in common as changed.
     *
     * @param mostSteps after this many steps, the parts that are not searched yet count as changed
     */
    static void run(Candidates before, Candidates after, long mostSteps) {
        new Search(before, after, mostSteps).run();
    }

    private void run() {
        // No recursion: the input decides its depth.
        boxes.push(new Box(0, before.size(), 0, after.size(), false));
        while (!boxes.isEmpty()) {
            Box box = trimmed(boxes.pop());
            if (box.from == box.to || box.otherFrom == box.otherTo || stepsLeft <= 0) {
                before.change(box.from, box.to);
                after.change(box.otherFrom, box.otherTo);
            } else {
                Split split = split(box);
                boxes.push(new Box(split.at, box.to, split.other, box.otherTo, split.exactBehind));
                boxes.push(new Box(box.from, split.at, box.otherFrom, split.other, split.exactBefore));
            }
        }
    }

    private boolean isEqual(int at, int other) {
        return before.id(at) == after.id(other);
    }

    private Box trimmed(Box box) {
        int from = box.from;
        int otherFrom = box.otherFrom;
        while (from < box.to && otherFrom < box.otherTo && isEqual(from, otherFrom)) {
            from++;
            otherFrom++;
        }
        int to = box.to;
        int otherTo = box.otherTo;
        while (from < to && otherFrom < otherTo && isEqual(to - 1, otherTo - 1)) {
            to--;
            otherTo--;
        }
        return new Box(from, to, otherFrom, otherTo, box.exact);
    }

    private Split split(Box box) {
        Paths start = new Paths(box, true);
        Paths end = new Paths(box, false);
        boolean isOdd = (start.middle - end.middle & 1) != 0;
        for (int differences = 1; ; differences++) {
            stepsLeft--;
            Split met = start.extend(isOdd ? end : null);
            if (met == null) {
                met = end.extend(isOdd ? null : start);
            }
            if (met != null) {
                return met;
            }
            if (!box.exact) {
                Split early = early(start, end, differences);
                if (early != null) {
                    return early;
                }
            }
        }
    }

    /** Rule VM13. */
    private @Nullable Split early(Paths start, Paths end, int differences) {
        if ((start.isLong || end.isLong) && differences > MANY) {
            Split good = start.good(differences);
            if (good == null) {
                good = end.good(differences);
            }
            if (good != null) {
                return good;
            }
        }
        return differences < mostDifferences ? null : furthest(start, end);
    }

    private static Split furthest(Paths start, Paths end) {
        Split there = start.furthest();
        Split back = end.furthest();
        Box box = start.box;
        int ahead = there.at + there.other - box.from - box.otherFrom;
        int behind = box.to + box.otherTo - back.at - back.other;
        return behind < ahead ? there : back;
    }

    /** The furthest places that paths from one end of a box reach with a number of differences, by their diagonal. */
    private final class Paths {
        private final Box box;
        private final boolean isForward;
        private final int[] reached;
        private final int outside;
        private final int lowest;
        private final int highest;
        private final int middle;
        private int low;
        private int high;

        /** Whether the last step found a long run. */
        private boolean isLong;

        Paths(Box box, boolean isForward) {
            this.box = box;
            this.isForward = isForward;
            this.reached = isForward ? fromStart : fromEnd;
            this.outside = isForward ? -1 : NEVER;
            this.lowest = box.from - box.otherTo;
            this.highest = box.to - box.otherFrom;
            this.middle = isForward ? box.from - box.otherFrom : box.to - box.otherTo;
            this.low = middle;
            this.high = middle;
            reached[zero + middle] = isForward ? box.from : box.to;
        }

        /** One more difference. Returns where a path meets one of the others, if they are given. */
        @Nullable
        Split extend(@Nullable Paths others) {
            // A diagonal outside the box is not entered. The next one inside is of the other parity.
            if (low > lowest) {
                low--;
                reached[zero + low - 1] = outside;
            } else {
                low++;
            }
            if (high < highest) {
                high++;
                reached[zero + high + 1] = outside;
            } else {
                high--;
            }
            isLong = false;
            for (int diagonal = high; diagonal >= low; diagonal -= 2) {
                int at = isForward ? forward(diagonal) : backward(diagonal);
                reached[zero + diagonal] = at;
                if (others != null && others.meets(diagonal, at)) {
                    return new Split(at, at - diagonal, true, true);
                }
            }
            return null;
        }

        private boolean meets(int diagonal, int at) {
            return low <= diagonal
                    && diagonal <= high
                    && (isForward ? at <= reached[zero + diagonal] : reached[zero + diagonal] <= at);
        }

        private int forward(int diagonal) {
            int start = Math.max(reached[zero + diagonal - 1] + 1, reached[zero + diagonal + 1]);
            int at = start;
            while (at < box.to && at - diagonal < box.otherTo && isEqual(at, at - diagonal)) {
                at++;
            }
            isLong |= at - start > LONG_RUN;
            return at;
        }

        private int backward(int diagonal) {
            int start = Math.min(reached[zero + diagonal - 1], reached[zero + diagonal + 1] - 1);
            int at = start;
            while (at > box.from && at - diagonal > box.otherFrom && isEqual(at - 1, at - diagonal - 1)) {
                at--;
            }
            isLong |= start - at > LONG_RUN;
            return at;
        }

        /** The place that got furthest from the end where these paths begin, near their middle, behind a long run. */
        @Nullable
        Split good(int differences) {
            int best = GOOD * differences;
            Split split = null;
            for (int diagonal = high; diagonal >= low; diagonal -= 2) {
                int at = reached[zero + diagonal];
                int other = at - diagonal;
                int ahead = (isForward ? at - box.from + other - box.otherFrom : box.to - at + box.otherTo - other)
                        - Math.abs(diagonal - middle);
                if (ahead > best && isBehindLongRun(at, other)) {
                    best = ahead;
                    split = new Split(at, other, isForward, !isForward);
                }
            }
            return split;
        }

        private boolean isBehindLongRun(int at, int other) {
            int from = isForward ? at - LONG_RUN : at;
            int otherFrom = isForward ? other - LONG_RUN : other;
            boolean isInside = isForward
                    ? box.from <= from && at < box.to && box.otherFrom <= otherFrom && other < box.otherTo
                    : box.from < at
                            && at + LONG_RUN <= box.to
                            && box.otherFrom < other
                            && other + LONG_RUN <= box.otherTo;
            if (!isInside) {
                return false;
            }
            for (int i = 0; i < LONG_RUN; i++) {
                if (!isEqual(from + i, otherFrom + i)) {
                    return false;
                }
            }
            return true;
        }

        /** The place that got furthest of all, cut to the box. */
        Split furthest() {
            int best = isForward ? -1 : NEVER;
            int bestAt = best;
            for (int diagonal = high; diagonal >= low; diagonal -= 2) {
                int reach = reached[zero + diagonal];
                int at = isForward
                        ? Math.min(Math.min(reach, box.to), box.otherTo + diagonal)
                        : Math.max(Math.max(reach, box.from), box.otherFrom + diagonal);
                int sum = at + at - diagonal;
                if (isForward ? sum > best : sum < best) {
                    best = sum;
                    bestAt = at;
                }
            }
            return new Split(bestAt, best - bestAt, isForward, !isForward);
        }
    }
}
