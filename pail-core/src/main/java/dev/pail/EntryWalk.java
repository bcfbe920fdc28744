package dev.pail;

import dev.pail.bytes.Utf8;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the entries of a range in order. It holds one shard a level, and recurses nowhere.
 *
 * <p>A key comes before all longer keys that start with it, so user data comes before what is in the shard beside it, and
 * in descending order behind it.
 */
final class EntryWalk implements Spliterator<Entry> {
    static final int CHARACTERISTICS = ORDERED | DISTINCT | NONNULL | IMMUTABLE;

    private final Shards shards;
    private final boolean descending;
    private final Deque<Level> levels = new ArrayDeque<>();

    /** What all keys of the shard of the innermost level start with, and room for more. */
    private byte[] key = new byte[64];

    private @Nullable Entry found;
    private @Nullable Overlap overlap;

    /** Where shards overlap, the entries from there on that come before all else. */
    private @Nullable MergedEntries merged;

    /** What comes next in a walk. */
    enum Next {
        ENTRY,
        OVERLAP,
        END
    }

    /**
     * A shard link, and beside it keys that start with its key (spec rule V0.7).
     *
     * @param prefix what all of them start with
     * @param below the keys in the shard
     * @param beside the keys beside it
     */
    record Overlap(KeyBytes prefix, EntryWalk below, EntryWalk beside) {}

    EntryWalk(Shards shards, ShardRef root, KeyRange range) {
        this(shards, range.isDescending());
        if (range.low.compareTo(range.high) < 0) {
            enter(root, 0, range.low, range.high);
        }
    }

    private EntryWalk(Shards shards, boolean descending) {
        this.shards = shards;
        this.descending = descending;
    }

    /** A shard on the way, and which of its entries are within the bounds. */
    private static final class Level {
        final Shard shard;
        final int prefixLength;

        /** Where the range starts and ends in this shard, if it does. */
        final KeyRange.@Nullable Cut low;

        final KeyRange.@Nullable Cut high;

        /** The first entry whose own key is in the range. */
        final int first;

        /** Behind the last entry whose own key is in the range. */
        final int end;

        /** The entries that are looked at: those in the range, and before them those that may have longer keys in it. */
        int start;

        int stop;

        /** The entry that is looked at now. */
        int entry;

        /** Whether the first half of it is done: its data, or in descending order, its shard. */
        boolean half;

        /** In an overlapping shard, the link that each entry starts with, or else itself. */
        int @Nullable [] heads;

        /** The entry whose shard is left out, or -1. */
        int without = -1;

        Level(Shard shard, int prefixLength, KeyRange.@Nullable Cut low, KeyRange.@Nullable Cut high) {
            this.shard = shard;
            this.prefixLength = prefixLength;
            this.low = low;
            this.high = high;
            this.first = low == null ? 0 : countBefore(shard, low);
            this.end = high == null ? shard.count() : countBefore(shard, high);
            this.start = shard.overlapping ? 0 : Math.max(0, first - 1);
            this.stop = end;
        }

        /** How many entries have their own key before a place. */
        private static int countBefore(Shard shard, KeyRange.Cut cut) {
            int low = 0;
            int high = shard.count();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (cut.isBefore(shard.key(middle))) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            return low;
        }

        void begin(boolean descending) {
            entry = descending ? stop - 1 : start;
            if (shard.overlapping) {
                heads = heads();
            }
        }

        private int[] heads() {
            int[] found = new int[shard.count()];
            int head = -1;
            for (int i = start; i < stop; i++) {
                if (head < 0 || !shard.key(i).startsWith(shard.key(head))) {
                    head = shard.hasShard(i) && i != without ? i : -1;
                }
                found[i] = head < 0 ? i : head;
            }
            return found;
        }

        boolean isOver(boolean descending) {
            return descending ? entry < start : entry >= stop;
        }

        boolean isDataInRange() {
            return entry >= first && shard.hasData(entry);
        }

        /** Whether a bound can be among the longer keys that start with the one of this entry. */
        private boolean isAtBound() {
            return entry < first || entry == end - 1 || shard.overlapping;
        }

        boolean isShardInRange() {
            if (!shard.hasShard(entry) || entry == without) {
                return false;
            }
            if (!isAtBound()) {
                return true;
            }
            KeyBytes key = shard.key(entry);
            return (low == null || low.compareTo(KeyRange.Cut.behind(key)) < 0)
                    && (high == null || KeyRange.Cut.after(key).compareTo(high) < 0);
        }

        /** The bound in the shard of this entry, whose keys start with its key. */
        KeyRange.@Nullable Cut within(KeyRange.@Nullable Cut bound) {
            if (bound == null || !isAtBound()) {
                return null;
            }
            KeyBytes key = shard.key(entry);
            boolean inside =
                    KeyRange.Cut.after(key).compareTo(bound) <= 0 && bound.compareTo(KeyRange.Cut.behind(key)) < 0;
            return inside ? bound.without(key.length()) : null;
        }
    }

    private void enter(ShardRef ref, int prefixLength, KeyRange.@Nullable Cut low, KeyRange.@Nullable Cut high) {
        Level level = new Level(shards.load(ref, new KeyBytes(key, 0, prefixLength)), prefixLength, low, high);
        level.begin(descending);
        levels.push(level);
    }

    @Override
    public boolean tryAdvance(Consumer<? super Entry> action) {
        while (true) {
            Entry entry = merged == null ? null : merged.next();
            if (entry == null) {
                merged = null;
                switch (next()) {
                    case END -> {
                        return false;
                    }
                    case OVERLAP -> merged = new MergedEntries(descending, this);
                    case ENTRY -> entry = found;
                }
            }
            if (entry != null) {
                action.accept(entry);
                return true;
            }
        }
    }

    /** Goes on to the next entry, or to the next place where shards overlap. */
    Next next() {
        for (Level level = levels.peek(); level != null; level = levels.peek()) {
            if (level.isOver(descending)) {
                levels.pop();
            } else if (level.heads != null && enterOverlap(level, level.heads)) {
                return Next.OVERLAP;
            } else if (level.half == descending) {
                found = level.isDataInRange() ? entry(level) : null;
                step(level);
                if (found != null) {
                    return Next.ENTRY;
                }
            } else {
                enterShard(level);
            }
        }
        return Next.END;
    }

    /** The entry that {@link #next} found. */
    Entry found() {
        return Objects.requireNonNull(found);
    }

    /** What {@link #next} found: what the keys that overlap start with, and two walks that have all of them. */
    Overlap overlap() {
        return Objects.requireNonNull(overlap);
    }

    /** Goes on to the other half of an entry, or to the next entry. */
    private void step(Level level) {
        if (level.half) {
            level.entry += descending ? -1 : 1;
        }
        level.half = !level.half;
    }

    private void enterShard(Level level) {
        boolean inRange = level.isShardInRange();
        KeyRange.Cut low = inRange ? level.within(level.low) : null;
        KeyRange.Cut high = inRange ? level.within(level.high) : null;
        int entry = level.entry;
        step(level);
        if (inRange) {
            enter(level.shard.ref(entry), appendKey(level, entry), low, high);
        }
    }

    /** If the entry stands among others that start with the same link, goes through all of them at once. */
    private boolean enterOverlap(Level level, int[] heads) {
        int head = heads[level.entry];
        int stop = level.entry + 1;
        while (stop < level.stop && heads[stop] == head) {
            stop++;
        }
        if (stop - head == 1) {
            return false;
        }
        level.entry = head;
        EntryWalk below = branch();
        if (level.isShardInRange()) {
            int length = below.appendKey(level, head);
            below.enter(level.shard.ref(head), length, level.within(level.low), level.within(level.high));
        }
        EntryWalk beside = branch();
        Level others = new Level(level.shard, level.prefixLength, level.low, level.high);
        others.start = head;
        others.stop = stop;
        others.without = head;
        others.begin(descending);
        beside.levels.push(others);
        KeyBytes prefix = new KeyBytes(Arrays.copyOf(key, level.prefixLength), 0, level.prefixLength);
        overlap = new Overlap(prefix.append(level.shard.key(head)), below, beside);
        level.entry = descending ? head - 1 : stop;
        return true;
    }

    private EntryWalk branch() {
        EntryWalk branch = new EntryWalk(shards, descending);
        branch.key = key.clone();
        return branch;
    }

    private Entry entry(Level level) {
        int length = appendKey(level, level.entry);
        return new Entry(Utf8.decode(key, 0, length), level.shard.data(level.entry));
    }

    /** Puts the key of an entry behind the prefix of its shard and returns where it ends. */
    private int appendKey(Level level, int entry) {
        int from = level.shard.keyStart(entry);
        int keyLength = level.shard.keyEnd(entry) - from;
        int length = level.prefixLength + keyLength;
        if (length > key.length) {
            key = Arrays.copyOf(key, Math.max(length, 2 * key.length));
        }
        System.arraycopy(level.shard.bytes, from, key, level.prefixLength, keyLength);
        return length;
    }

    @Override
    public @Nullable Spliterator<Entry> trySplit() {
        return null;
    }

    @Override
    public long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
        return CHARACTERISTICS;
    }
}
