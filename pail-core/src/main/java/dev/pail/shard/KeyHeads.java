package dev.pail.shard;

import dev.pail.bytes.Utf8;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Which eight bytes of some keys make their heads: numbers that are ordered as the keys are, but can be equal where keys differ.
 * The bytes come in runs. What is before and between them is the same in all of the keys. A head is without the last bit of
 * these, and never negative.
 *
 * <p>Immutable.
 */
public final class KeyHeads {
    /** The first bytes of any keys. */
    public static final KeyHeads FIRST = new KeyHeads(KeyBytes.EMPTY, 0, Long.BYTES);

    /** The most runs: each takes a little of what it saves. */
    private static final int MOST_RUNS = 3;

    /** One that is long enough to have all that is the same in the keys. */
    private final KeyBytes one;

    /** Where each run starts and where it ends, by turns. */
    private final int[] runs;

    private KeyHeads(KeyBytes one, int... runs) {
        this.one = one;
        this.runs = runs;
    }

    /** Chooses the first bytes in which {@code count} keys differ. There must be at least one key. */
    public static KeyHeads of(int count, IntFunction<KeyBytes> keys) {
        KeyBytes one = keys.apply(0);
        for (int i = 1; i < count; i++) {
            KeyBytes key = keys.apply(i);
            one = key.length() > one.length() ? key : one;
        }
        KeyHeads heads = new KeyHeads(one, one.length(), one.length() + Long.BYTES);
        for (int i = 0; i < count; i++) {
            heads = heads.with(keys.apply(i));
        }
        return heads;
    }

    /** Those of one key more. */
    public KeyHeads with(KeyBytes key) {
        if (fit(key)) {
            return this;
        }
        int[] all = new int[2 * MOST_RUNS];
        int n = 0;
        int run = 0;
        for (int at = 0, bytes = 0; bytes < Long.BYTES; at++) {
            if (at == runs[run + 1]) {
                run += 2;
            }
            if (n == all.length || at >= runs[run] || !hasSame(key.array, key.from, key.to, at, at + 1)) {
                if (n == 0 || all[n - 1] < at) {
                    all[n] = at;
                    n += 2;
                }
                all[n - 1] = at + 1;
                bytes++;
            }
        }
        return all[0] == 0 && all[1] == Long.BYTES ? FIRST : new KeyHeads(one, Arrays.copyOf(all, n));
    }

    public boolean fit(KeyBytes key) {
        return fit(key.array, key.from, key.to);
    }

    /** Whether a key has what is the same in all of the keys. */
    boolean fit(byte[] key, int from, int to) {
        if (this == FIRST) {
            return true;
        }
        int same = 0;
        for (int i = 0; i < runs.length; i += 2) {
            if (same < runs[i] && !hasSame(key, from, to, same, runs[i])) {
                return false;
            }
            same = runs[i + 1];
        }
        return true;
    }

    /** Where the last run ends: of a key that fits, the head has all up to there, but for one bit. */
    int end() {
        return runs[runs.length - 1];
    }

    /** Whether there is nothing else in a part of a key. If it has less, its head has zeros, and it comes first, as it should. */
    private boolean hasSame(byte[] key, int from, int to, int first, int end) {
        int length = Math.min(end, to - from);
        return first >= length
                || Arrays.equals(key, from + first, from + length, one.array, one.from + first, one.from + length);
    }

    public long head(KeyBytes key) {
        return head(key.array, key.from, key.to);
    }

    /** The head of a key that fits. */
    long head(byte[] key, int from, int to) {
        long head = Utf8.leadingBytes(key, from + runs[0], to);
        int bits = Byte.SIZE * (runs[1] - runs[0]);
        for (int i = 2; i < runs.length; i += 2) {
            long run = Utf8.leadingBytes(key, from + runs[i], to) ^ Long.MIN_VALUE;
            head = (head & (-1L << (Long.SIZE - bits))) | (run >>> bits);
            bits += Byte.SIZE * (runs[i + 1] - runs[i]);
        }
        return (head ^ Long.MIN_VALUE) >>> 1;
    }

    /**
     * Returns the end of those that are not greater than {@code head}, among heads that are in order from {@code first} to {@code end}.
     * Each step compares with three heads, without branches: no processor could predict them.
     */
    public static int endOfNotGreater(long[] ordered, int first, int end, long head) {
        int from = first;
        int length = end - first;
        while (length > 4) {
            int quarter = length / 4;
            int last = from + quarter - 1;
            int greater = isLess(head, ordered[last])
                    + isLess(head, ordered[last + quarter])
                    + isLess(head, ordered[last + 2 * quarter]);
            from += quarter * (3 - greater);
            length -= 3 * quarter;
        }
        int found = from;
        for (int i = from; i < from + length; i++) {
            found += 1 - isLess(head, ordered[i]);
        }
        return found;
    }

    /** Returns the first head that is equal to the last one, among heads that are in order from {@code first} to {@code end}. */
    public static int firstEqual(long[] ordered, int first, int end) {
        int last = end - 1;
        return last > first && ordered[last - 1] == ordered[last]
                ? endOfNotGreater(ordered, first, last, ordered[last] - 1)
                : last;
    }

    /** One, if that is so. Neither is less than -1. */
    private static int isLess(long a, long b) {
        return (int) ((a - b) >>> (Long.SIZE - 1));
    }
}
