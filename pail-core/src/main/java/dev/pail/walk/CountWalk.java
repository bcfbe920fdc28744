package dev.pail.walk;

import dev.pail.Entry;
import dev.pail.EntryCounts;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
import dev.pail.shard.Cut;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.KeyInterval;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardTree;
import dev.pail.shard.Shards;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the entries of a range, and finds the one at a place in it. If all entries of a shard are in the range, it reads the shard only if
 * their number is not known. It recurses nowhere. For one use.
 *
 * <p>Where shards overlap, a key may be in several places, so the numbers of shards do not add up. Then all entries of the range are gone
 * through.
 */
public final class CountWalk {
    private final ShardTree tree;
    private final Shards shards;
    private final EntryCounts counts;
    private final KeyInterval interval;

    /** What this walk has counted: foreign data can have a shard in any number of places. */
    private final Map<Cid, Long> own = new HashMap<>();

    /** What all keys of the innermost shard start with, and perhaps room for more. */
    private byte[] key = new byte[0];

    private boolean overlaps;

    /** A shard that is being counted. */
    private static final class Open {
        final Cid cid;
        final EntryLevel level;
        long sum;

        /** How many shards were read for the sum. */
        long read = 1;

        Open(Cid cid, EntryLevel level) {
            this.cid = cid;
            this.level = level;
        }

        boolean isWhole() {
            return level.low == null && level.high == null;
        }
    }

    public CountWalk(ShardTree tree, KeyInterval interval) {
        this.tree = tree;
        this.shards = tree.shards();
        this.counts = tree.shards().counts;
        this.interval = interval;
    }

    /** The number of entries, at most {@link Long#MAX_VALUE}. */
    public long count() {
        OptionalLong found =
                interval.isEmpty() ? OptionalLong.of(0) : below(tree.root(), 0, interval.low(), interval.high());
        counts.counted();
        return found.isPresent() ? found.getAsLong() : countEach();
    }

    private long countEach() {
        EntryWalk walk = new EntryWalk(tree, interval, Direction.ASCENDING);
        long sum = 0;
        while (walk.advance() != null) {
            sum++;
        }
        return sum;
    }

    /** The entry at a place, from 0, in ascending order; null if there are fewer. */
    public @Nullable Entry at(long place) {
        Entry found = interval.isEmpty() ? null : descend(place);
        counts.counted();
        return overlaps ? goTo(place) : found;
    }

    private @Nullable Entry goTo(long place) {
        EntryWalk walk = new EntryWalk(tree, interval, Direction.ASCENDING);
        for (long left = place; left > 0; left--) {
            if (walk.advance() == null) {
                return null;
            }
        }
        return walk.advance();
    }

    private @Nullable Entry descend(long place) {
        long left = place;
        Open at = open(tree.root(), 0, interval.low(), interval.high());
        while (at != null && !at.level.isOver()) {
            EntryLevel level = at.level;
            if (level.isDataInRange() && left-- == 0) {
                int length = appendKey(level);
                return new Entry(Utf8.decode(key, 0, length), level.shard.data(level.entry));
            }
            Open inner = null;
            if (level.isShardInRange()) {
                ShardRef ref = level.shard.ref(level.entry);
                Cut low = level.within(level.low);
                Cut high = level.within(level.high);
                int length = appendKey(level);
                OptionalLong below = below(ref, length, low, high);
                if (below.isEmpty()) {
                    return null;
                }
                if (left < below.getAsLong()) {
                    inner = open(ref, length, low, high);
                } else {
                    left -= below.getAsLong();
                }
            }
            if (inner == null) {
                level.entry++;
            } else {
                at = inner;
            }
        }
        return null;
    }

    /** What is below a link, within bounds; empty if shards overlap. */
    private OptionalLong below(ShardRef start, int length, @Nullable Cut low, @Nullable Cut high) {
        long known = low == null && high == null ? known(start.cid) : -1;
        if (known >= 0) {
            return OptionalLong.of(known);
        }
        Deque<Open> open = new ArrayDeque<>();
        Open at = open(start, length, low, high);
        while (at != null) {
            EntryLevel level = at.level;
            if (!level.isOver()) {
                Open inner = count(at);
                level.entry++;
                if (overlaps) {
                    return OptionalLong.empty();
                }
                if (inner != null) {
                    open.push(at);
                    at = inner;
                }
                continue;
            }
            Open outer = open.poll();
            note(at, outer != null && outer.level.shard.count() >= EntryCounts.LEAST);
            if (outer == null) {
                return OptionalLong.of(at.sum);
            }
            outer.sum = sum(outer.sum, at.sum);
            outer.read = sum(outer.read, at.read);
            at = outer;
        }
        return OptionalLong.empty();
    }

    /** Counts what the current entry has, or returns the shard of it that is to be counted first. */
    private @Nullable Open count(Open at) {
        EntryLevel level = at.level;
        if (level.isDataInRange()) {
            at.sum = sum(at.sum, 1);
        }
        if (!level.isShardInRange()) {
            return null;
        }
        ShardRef ref = level.shard.ref(level.entry);
        Cut low = level.within(level.low);
        Cut high = level.within(level.high);
        long known = low == null && high == null ? known(ref.cid) : -1;
        if (known < 0) {
            return open(ref, appendKey(level), low, high);
        }
        at.sum = sum(at.sum, known);
        return null;
    }

    private static long sum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private long known(Cid shard) {
        Long mine = own.get(shard);
        return mine == null ? counts.find(shard) : mine;
    }

    /** @param isInLarge whether the shard is one of many that a change of one of them would have read again */
    private void note(Open counted, boolean isInLarge) {
        if (!counted.isWhole() || (!isInLarge && Math.max(counted.sum, counted.read) < EntryCounts.LEAST)) {
            return;
        }
        own.put(counted.cid, counted.sum);
        if (isInLarge || counted.sum >= EntryCounts.LEAST) {
            counts.note(counted.cid, counted.sum);
        }
    }

    /** Null if shards overlap. */
    private @Nullable Open open(ShardRef ref, int length, @Nullable Cut low, @Nullable Cut high) {
        Shard shard = shards.load(ref, new KeyBytes(key, 0, length));
        overlaps |= shard.overlapping;
        return overlaps ? null : new Open(ref.cid, new EntryLevel(shard, null, length, low, high, Direction.ASCENDING));
    }

    /** Puts the key of the current entry behind the prefix of its shard, and returns where it ends. */
    private int appendKey(EntryLevel level) {
        int from = level.shard.keyStart(level.entry);
        int count = level.shard.keyEnd(level.entry) - from;
        key = EntryWalk.appended(key, level.prefixLength, level.shard.bytes, from, count);
        return level.prefixLength + count;
    }
}
