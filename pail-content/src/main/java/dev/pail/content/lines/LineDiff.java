package dev.pail.content.lines;

import com.github.difflib.algorithm.Change;
import com.github.difflib.algorithm.DiffAlgorithmListener;
import com.github.difflib.algorithm.myers.MyersDiff;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Finds the runs of elements, such as lines or words, in which two lists differ. */
public final class LineDiff {
    /** The most elements that the two lists may lack of each other: time and memory grow with its square. */
    private static final int MOST_DIFFERENT = 1000;

    private LineDiff() {}

    /**
     * Returns the runs that differ, in order. Between two runs there is at least one element that both lists have. If more than 1,000
     * elements differ, all between the first and the last difference is one run.
     *
     * @param before its elements have {@code equals}
     */
    public static List<Edit> of(List<?> before, List<?> after) {
        int start = 0;
        while (start < before.size()
                && start < after.size()
                && before.get(start).equals(after.get(start))) {
            start++;
        }
        int beforeEnd = before.size();
        int afterEnd = after.size();
        while (beforeEnd > start
                && afterEnd > start
                && before.get(beforeEnd - 1).equals(after.get(afterEnd - 1))) {
            beforeEnd--;
            afterEnd--;
        }
        if (start == beforeEnd && start == afterEnd) {
            return List.of();
        }
        List<Edit> whole = List.of(new Edit(start, beforeEnd, start, afterEnd));
        if (start == beforeEnd || start == afterEnd) {
            return whole;
        }
        try {
            return edits(start, before.subList(start, beforeEnd), after.subList(start, afterEnd));
        } catch (TooDifferent e) {
            return whole;
        }
    }

    private static List<Edit> edits(int start, List<?> before, List<?> after) {
        List<Edit> edits = new ArrayList<>();
        for (Change change :
                new MyersDiff<Object>().computeDiff(new ArrayList<>(before), new ArrayList<>(after), new Bound())) {
            edits.add(new Edit(
                    start + change.startOriginal,
                    start + change.endOriginal,
                    start + change.startRevised,
                    start + change.endRevised));
        }
        // The algorithm tells of the last one first.
        Collections.reverse(edits);
        return edits;
    }

    /** More elements differ than the search may look for. */
    private static final class TooDifferent extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooDifferent() {
            super("more than " + MOST_DIFFERENT + " elements differ", null, false, false);
        }
    }

    /** Ends the search at the bound. The algorithm has no bound itself, but tells of each step. */
    private static final class Bound implements DiffAlgorithmListener {
        @Override
        public void diffStart() {
            // Nothing to do.
        }

        @Override
        public void diffStep(int value, int max) {
            if (value > MOST_DIFFERENT) {
                throw new TooDifferent();
            }
        }

        @Override
        public void diffEnd() {
            // Nothing to do.
        }
    }
}
