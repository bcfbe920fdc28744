package dev.pail.edit;

import dev.pail.edit.GatheredPuts.Put;
import dev.pail.shard.KeyBytes;
import dev.pail.threads.TaskThread;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Sorts puts by key; no key may have a zero byte. Skips the common prefix of the keys and compares the bytes behind it as
 * numbers: most comparisons then fetch no key from memory.
 */
final class SortedPuts {
    /** Up to this many are compared as they are. */
    private static final int FEW = 12;

    /**
     * How often a common prefix is skipped before keys are simply compared. The keys decide how deep this recurses and how much it
     * copies, so it needs a bound; keys not chosen to reach it stay far below.
     */
    private static final int MOST_PASSES = 16;

    private static final Comparator<Put> BY_KEY = Comparator.comparing(Put::key);

    private final Put[] puts;

    private SortedPuts(Put[] puts) {
        this.puts = puts;
    }

    /** In the order of their keys, and of each key only the last. */
    static Put[] of(List<Put> puts) {
        Put[] all = puts.toArray(Put[]::new);
        new SortedPuts(all).sort(0, all.length, 0);
        int kept = 0;
        for (int i = 0; i < all.length; i++) {
            if (i + 1 == all.length || !all[i].key().equals(all[i + 1].key())) {
                all[kept++] = all[i];
            }
        }
        return kept == all.length ? all : Arrays.copyOf(all, kept);
    }

    /**
     * Sorts a range. Equal keys stay in their order.
     *
     * @param passes how often what its keys have in common was passed over
     */
    private void sort(int from, int to, int passes) {
        if (to - from <= FEW || passes == MOST_PASSES) {
            Arrays.sort(puts, from, to, BY_KEY);
            return;
        }
        KeyBytes first = puts[from].key();
        int common = first.length();
        int longest = common;
        for (int i = from + 1; i < to; i++) {
            KeyBytes key = puts[i].key();
            common = Math.min(common, first.commonLength(key));
            longest = Math.max(longest, key.length());
        }
        if (common < longest) {
            sortBehind(common, from, to, passes + 1);
        }
    }

    /** Sorts a range of keys that are not all equal and share their first {@code common} bytes. */
    private void sortBehind(int common, int from, int to, int passes) {
        Put[] unsorted = Arrays.copyOfRange(puts, from, to);
        // Each number starts with bytes of the key and ends with the place of the put.
        long places = (Long.highestOneBit(unsorted.length) << 1) - 1;
        long[] order = new long[unsorted.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = (unsorted[i].key().orderFrom(common) & ~places) | i;
        }
        if (TaskThread.threads() == 1) {
            Arrays.sort(order);
        } else {
            Arrays.parallelSort(order);
        }
        for (int i = 0; i < order.length; i++) {
            puts[from + i] = unsorted[(int) (order[i] & places)];
        }
        for (int i = 0, end; i < order.length; i = end) {
            end = i + 1;
            while (end < order.length && (order[i] & ~places) == (order[end] & ~places)) {
                end++;
            }
            if (end > i + 1) {
                sort(from + i, from + end, passes);
            }
        }
    }
}
