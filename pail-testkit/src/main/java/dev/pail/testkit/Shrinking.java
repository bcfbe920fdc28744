package dev.pail.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds the part of a failing sequence that still fails.
 *
 * <pre>{@code
 * List<Integer> steps = List.of(1, 2, 3, 4, 5, 6);
 * List<Integer> least = Shrinking.shrink(steps, some -> some.contains(2) && some.contains(5)); // [2, 5]
 * }</pre>
 */
public final class Shrinking {
    private Shrinking() {}

    /**
     * Leaves out steps, many at once and then one by one, as long as the rest still fails.
     *
     * @param steps a sequence that fails
     * @param fails runs a sequence from the start, and says whether it fails
     */
    public static <T> List<T> shrink(List<T> steps, Predicate<List<T>> fails) {
        List<T> least = new ArrayList<>(steps);
        for (int size = least.size() / 2; size > 0; size /= 2) {
            for (int from = 0; from + size <= least.size(); ) {
                List<T> fewer = new ArrayList<>(least);
                fewer.subList(from, from + size).clear();
                if (fails.test(fewer)) {
                    least = fewer;
                } else {
                    from += size;
                }
            }
        }
        return least;
    }
}
