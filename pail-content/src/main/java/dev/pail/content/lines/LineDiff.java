package dev.pail.content.lines;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the runs of elements, such as lines or words, in which two lists differ. Two lists always have the same differences: those of
 * git, with its defaults for a merge of files.
 */
public final class LineDiff {
    /** The most elements that the two lists may lack of each other, in a difference for a reader. */
    private static final int MOST_DIFFERENT = 1000;

    /** The most steps of a search for a reader. Lists that differ in 1,000 elements take fewer. */
    private static final int MOST_STEPS = 10_000;

    private LineDiff() {}

    /**
     * Returns the runs that differ, in order. Between two runs there is at least one element that both lists have. If more than 1,000
     * elements differ, or many are in another order, all between the first and the last difference is one run.
     *
     * @param before its elements have {@code equals}
     */
    public static List<Edit> of(List<?> before, List<?> after) {
        List<Edit> edits = search(before, after, MOST_STEPS);
        int different = edits.stream()
                .mapToInt(edit -> edit.beforeTo() - edit.beforeFrom() + edit.afterTo() - edit.afterFrom())
                .sum();
        if (edits.size() < 2 || different <= MOST_DIFFERENT) {
            return edits;
        }
        Edit first = edits.get(0);
        Edit last = edits.get(edits.size() - 1);
        return List.of(new Edit(first.beforeFrom(), last.beforeTo(), first.afterFrom(), last.afterTo()));
    }

    /** The same, however many elements differ. The time grows with the number of elements, and with its square root. */
    static List<Edit> all(List<?> before, List<?> after) {
        return search(before, after, Long.MAX_VALUE);
    }

    private static List<Edit> search(List<?> before, List<?> after, long mostSteps) {
        Map<Object, Integer> numbers = new HashMap<>();
        Side left = new Side(numbered(before, numbers));
        Side right = new Side(numbered(after, numbers));
        compare(left, right, numbers.size(), mostSteps);
        left.slide(right);
        right.slide(left);
        return edits(left, right);
    }

    private static int[] numbered(List<?> elements, Map<Object, Integer> numbers) {
        int[] ids = new int[elements.size()];
        int at = 0;
        for (Object each : elements) {
            ids[at++] = numbers.computeIfAbsent(each, any -> numbers.size());
        }
        return ids;
    }

    private static void compare(Side left, Side right, int numbers, long mostSteps) {
        int start = 0;
        int shorter = Math.min(left.size(), right.size());
        while (start < shorter && left.id(start) == right.id(start)) {
            start++;
        }
        int same = 0;
        while (same < shorter - start && left.id(left.size() - 1 - same) == right.id(right.size() - 1 - same)) {
            same++;
        }
        Candidates before = Candidates.between(left, start, left.size() - same, occurrences(right, numbers));
        Candidates after = Candidates.between(right, start, right.size() - same, occurrences(left, numbers));
        Search.run(before, after, mostSteps);
    }

    private static int[] occurrences(Side side, int numbers) {
        int[] occurrences = new int[numbers];
        for (int i = 0; i < side.size(); i++) {
            occurrences[side.id(i)]++;
        }
        return occurrences;
    }

    private static List<Edit> edits(Side left, Side right) {
        List<Edit> edits = new ArrayList<>();
        int before = 0;
        int after = 0;
        while (before < left.size() || after < right.size()) {
            int beforeTo = left.unchanged(before);
            int afterTo = right.unchanged(after);
            if (beforeTo > before || afterTo > after) {
                edits.add(new Edit(before, beforeTo, after, afterTo));
            }
            before = beforeTo + 1;
            after = afterTo + 1;
        }
        return List.copyOf(edits);
    }
}
