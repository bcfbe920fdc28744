package dev.pail.walk;

import dev.pail.Entry;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
import dev.pail.shard.Cut;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.KeyInterval;
import dev.pail.shard.PinnedShards;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardTree;
import dev.pail.shard.Shards;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the entries of a range in order. It holds one shard a level, and recurses nowhere.
 *
 * <p>A key comes before all longer keys that start with it, so user data comes before what is in the shard beside it, and
 * in descending order behind it.
 */
public final class EntryWalk extends Walk<Entry> {
    private static final int ROOM = 64;

    /** What a walk among others is held to need beside its shards, in bytes: four times what its keys start with, and this. */
    private static final int WEIGHT = 1024;

    private final Shards shards;

    /** What holds the shards of this walk and of those that overlap with it, if it is one of them. */
    private final @Nullable PinnedShards pinned;

    /** What counts the shards of this walk, if it is part of a diff. */
    private final @Nullable RepeatBudget repeats;

    private final Direction direction;
    private final Deque<EntryLevel> levels = new ArrayDeque<>();

    /** What all keys of the shard of the innermost level start with, and perhaps room for more. */
    private byte[] key;

    /** What the walk is held to need beside its shards, in bytes. */
    private int weight;

    /** What {@link Shard#touchLinked} says. Written, so that the compiler of the JVM cannot leave out what it reads. */
    @SuppressWarnings("UnusedVariable")
    private int touched;

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

    public EntryWalk(ShardTree tree, KeyInterval interval, Direction direction) {
        this(tree.shards(), null, null, direction, new byte[0]);
        if (!interval.isEmpty()) {
            enter(tree.root(), 0, interval.low(), interval.high());
        }
    }

    /** @param key what all keys start with; not written to */
    private EntryWalk(
            Shards shards,
            @Nullable PinnedShards pinned,
            @Nullable RepeatBudget repeats,
            Direction direction,
            byte[] key) {
        this.shards = shards;
        this.pinned = pinned;
        this.repeats = repeats;
        this.direction = direction;
        this.key = key;
    }

    /**
     * The entries of a part of a shard and below it, in ascending order.
     *
     * @param repeats counts the shards, if it is there
     * @param prefix what all keys start with; not written to
     */
    static EntryWalk of(Shards shards, @Nullable RepeatBudget repeats, byte[] prefix, EntryLevel part) {
        EntryWalk walk = new EntryWalk(shards, null, repeats, Direction.ASCENDING, prefix);
        walk.levels.push(part);
        return walk;
    }

    private void enter(ShardRef ref, int prefixLength, @Nullable Cut low, @Nullable Cut high) {
        KeyBytes prefix = new KeyBytes(key, 0, prefixLength);
        PinnedShards.Pin one = pinned == null ? null : pinned.pin(ref, prefix);
        Shard shard = one == null ? shards.load(ref, prefix) : one.shard;
        if (repeats != null) {
            repeats.enter(ref.cid, shard);
        }
        touched += shard.touchLinked();
        levels.push(new EntryLevel(shard, one, prefixLength, low, high, direction));
    }

    /** Enters a shard whose entries are all in the range. Shards in which there is nothing to choose are passed over, if that is known. */
    private void enterWhole(ShardRef start, int startLength) {
        ShardRef ref = start;
        int length = startLength;
        if (pinned == null && repeats == null) {
            for (Shard.Chain chain = ref.chain(); chain != null; chain = ref.chain()) {
                KeyBytes keys = chain.keys();
                length = append(length, keys.array, keys.from, keys.length());
                ref = chain.end();
            }
        }
        enter(ref, length, null, null);
    }

    private void leave() {
        EntryLevel level = levels.pop();
        if (pinned != null && level.pin != null) {
            pinned.unpin(level.pin);
        }
    }

    @Override
    @Nullable
    Entry advance() {
        while (true) {
            Entry entry = merged == null ? null : merged.next();
            if (entry != null) {
                return entry;
            }
            merged = null;
            switch (next()) {
                case END -> {
                    return null;
                }
                case OVERLAP -> merged = new MergedEntries(direction, this);
                case ENTRY -> {
                    return found;
                }
            }
        }
    }

    /** Moves to the next entry, or to the next place where shards overlap. */
    Next next() {
        for (EntryLevel level = levels.peek(); level != null; level = levels.peek()) {
            if (level.isOver()) {
                leave();
            } else if (level.shard.overlapping && !level.half && enterOverlap(level)) {
                return Next.OVERLAP;
            } else if (level.half == direction.isDescending()) {
                found = level.isDataInRange() ? entry(level) : null;
                step(level);
                if (found != null) {
                    return Next.ENTRY;
                }
            } else {
                enterShard(level);
            }
        }
        end();
        return Next.END;
    }

    /** Lets go of what the walk holds: nothing comes any more. */
    void end() {
        while (!levels.isEmpty()) {
            leave();
        }
        if (pinned != null) {
            pinned.remove(weight);
            weight = 0;
        }
    }

    /** The entry that {@link #next} found. */
    Entry found() {
        return Objects.requireNonNull(found, "found");
    }

    /** What {@link #next} found: what the keys that overlap start with, and two walks that have all of them. */
    Overlap overlap() {
        return Objects.requireNonNull(overlap, "overlap");
    }

    /** Moves to the other half of an entry, or to the next entry. */
    private void step(EntryLevel level) {
        if (level.half) {
            level.entry += direction.isDescending() ? -1 : 1;
        }
        level.half = !level.half;
    }

    private void enterShard(EntryLevel level) {
        boolean inRange = level.isShardInRange();
        Cut low = inRange ? level.within(level.low) : null;
        Cut high = inRange ? level.within(level.high) : null;
        int entry = level.entry;
        step(level);
        if (inRange && low == null && high == null) {
            enterWhole(level.shard.ref(entry), appendKey(level, entry));
        } else if (inRange) {
            enter(level.shard.ref(entry), appendKey(level, entry), low, high);
        }
    }

    /** If the entry stands among others that start with the same link, goes through all of them at once. */
    private boolean enterOverlap(EntryLevel level) {
        int link = level.outermostLink();
        int stop = level.stopOf(link);
        if (stop - link == 1) {
            return false;
        }
        level.entry = link;
        KeyBytes prefix = new KeyBytes(key, 0, level.prefixLength).append(level.shard.key(link));
        PinnedShards all = pinned == null ? new PinnedShards(shards, level.shard.ref(link).cid) : pinned;
        EntryWalk below = among(all, prefix.array);
        if (level.isShardInRange()) {
            below.enter(level.shard.ref(link), prefix.length(), level.within(level.low), level.within(level.high));
        }
        EntryWalk beside = among(all, Arrays.copyOf(key, level.prefixLength));
        beside.levels.push(level.without(link, stop));
        if (level.pin != null) {
            all.pinAgain(level.pin);
        }
        overlap = new Overlap(level.shard.ref(link).cid, prefix, below, beside);
        level.entry = direction.isDescending() ? link - 1 : stop;
        return true;
    }

    /** A walk among others. */
    private EntryWalk among(PinnedShards all, byte[] prefix) {
        EntryWalk walk = new EntryWalk(shards, all, repeats, direction, prefix);
        walk.weight = WEIGHT + 4 * prefix.length;
        all.add(walk.weight);
        return walk;
    }

    private Entry entry(EntryLevel level) {
        int length = appendKey(level, level.entry);
        return new Entry(Utf8.decode(key, 0, length), level.shard.data(level.entry));
    }

    /** Puts the key of an entry behind the prefix of its shard and returns where it ends. Rule S4. */
    private int appendKey(EntryLevel level, int entry) {
        int from = level.shard.keyStart(entry);
        return append(level.prefixLength, level.shard.bytes, from, level.shard.keyEnd(entry) - from);
    }

    private int append(int prefixLength, byte[] bytes, int from, int count) {
        key = appended(key, prefixLength, bytes, from, count);
        return prefixLength + count;
    }

    /** A key behind a prefix, in the array of the prefix if there is room. */
    static byte[] appended(byte[] prefix, int prefixLength, byte[] bytes, int from, int count) {
        int length = prefixLength + count;
        byte[] key = length > prefix.length ? Arrays.copyOf(prefix, length + length / 4 + ROOM) : prefix;
        System.arraycopy(bytes, from, key, prefixLength, count);
        return key;
    }
}
