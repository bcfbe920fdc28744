package dev.pail;

import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
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

    private static final int ROOM = 64;

    private final Shards shards;
    private final boolean descending;
    private final Deque<EntryLevel> levels = new ArrayDeque<>();

    /** What all keys of the shard of the innermost level start with, and perhaps room for more. */
    private byte[] key;

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
     * @param shard the name of the shard
     * @param prefix what all of them start with
     * @param below the keys in the shard
     * @param beside the keys beside it
     */
    record Overlap(Cid shard, KeyBytes prefix, EntryWalk below, EntryWalk beside) {}

    EntryWalk(Shards shards, ShardRef root, KeyRange range) {
        this(shards, range.isDescending(), new byte[0]);
        if (range.low.compareTo(range.high) < 0) {
            enter(root, 0, range.low, range.high);
        }
    }

    /** @param key what all keys start with; not written to */
    private EntryWalk(Shards shards, boolean descending, byte[] key) {
        this.shards = shards;
        this.descending = descending;
        this.key = key;
    }

    /**
     * The entries of a part of a shard and below it, in ascending order.
     *
     * @param prefix what all keys start with; not written to
     */
    static EntryWalk of(Shards shards, byte[] prefix, EntryLevel part) {
        EntryWalk walk = new EntryWalk(shards, false, prefix);
        walk.levels.push(part);
        return walk;
    }

    private void enter(ShardRef ref, int prefixLength, KeyRange.@Nullable Cut low, KeyRange.@Nullable Cut high) {
        Shard shard = shards.load(ref, new KeyBytes(key, 0, prefixLength));
        levels.push(new EntryLevel(shard, prefixLength, low, high, descending));
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
        for (EntryLevel level = levels.peek(); level != null; level = levels.peek()) {
            if (level.isOver(descending)) {
                levels.pop();
            } else if (level.shard.overlapping && !level.half && enterOverlap(level)) {
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
    private void step(EntryLevel level) {
        if (level.half) {
            level.entry += descending ? -1 : 1;
        }
        level.half = !level.half;
    }

    private void enterShard(EntryLevel level) {
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
    private boolean enterOverlap(EntryLevel level) {
        int head = level.head(descending);
        int stop = level.stopOf(head);
        if (stop - head == 1) {
            return false;
        }
        level.entry = head;
        KeyBytes prefix = new KeyBytes(key, 0, level.prefixLength).append(level.shard.key(head));
        EntryWalk below = new EntryWalk(shards, descending, prefix.array);
        if (level.isShardInRange()) {
            below.enter(level.shard.ref(head), prefix.length(), level.within(level.low), level.within(level.high));
        }
        EntryWalk beside = new EntryWalk(shards, descending, Arrays.copyOf(key, level.prefixLength));
        beside.levels.push(level.without(head, stop, descending));
        overlap = new Overlap(level.shard.ref(head).cid, prefix, below, beside);
        level.entry = descending ? head - 1 : stop;
        return true;
    }

    private Entry entry(EntryLevel level) {
        int length = appendKey(level, level.entry);
        return new Entry(Utf8.decode(key, 0, length), level.shard.data(level.entry));
    }

    /** Puts the key of an entry behind the prefix of its shard and returns where it ends. */
    private int appendKey(EntryLevel level, int entry) {
        int from = level.shard.keyStart(entry);
        int keyLength = level.shard.keyEnd(entry) - from;
        int length = level.prefixLength + keyLength;
        if (length > key.length) {
            key = Arrays.copyOf(key, length + length / 4 + ROOM);
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
