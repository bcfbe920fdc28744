package dev.pail.walk;

import dev.pail.shard.KeyBytes;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardRef;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Goes through shards from the root down, one path at a time, and recurses nowhere. What it holds goes with the depth, not with
 * the number of shards or the length of keys squared.
 *
 * @param <T> what is kept for each shard on the path
 */
public final class ShardWalk<T> {
    private static final int ROOM = 64;

    private final Deque<Level<T>> levels = new ArrayDeque<>();
    private byte[] path = new byte[ROOM];

    /** A shard on the path. */
    public static final class Level<T> {
        public final ShardRef ref;
        public final Shard shard;
        public final T kept;
        private final int prefixLength;
        private int next;

        private Level(ShardRef ref, Shard shard, T kept, int prefixLength) {
            this.ref = ref;
            this.shard = shard;
            this.kept = kept;
            this.prefixLength = prefixLength;
        }
    }

    /** Goes into a shard: the root, or the one that the entry of {@link #next} links to. */
    public void enter(ShardRef ref, Shard shard, T kept) {
        Level<T> outer = levels.peek();
        int length = outer == null ? 0 : outer.prefixLength + keyLength(outer);
        levels.push(new Level<>(ref, shard, kept, length));
    }

    /** The shard at the end of the path, if there is any path. */
    @Nullable
    public Level<T> innermost() {
        return levels.peek();
    }

    /** The number of the next entry of the innermost shard, or -1 behind the last; then the shard should be left. */
    public int next() {
        Level<T> level = levels.element();
        if (level.next == level.shard.count()) {
            return -1;
        }
        int entry = level.next++;
        int from = level.shard.keyStart(entry);
        int length = level.shard.keyEnd(entry) - from;
        if (level.prefixLength + length > path.length) {
            path = Arrays.copyOf(path, 2 * (level.prefixLength + length));
        }
        System.arraycopy(level.shard.bytes, from, path, level.prefixLength, length);
        return entry;
    }

    /**
     * Goes to the next entry of the innermost shard that is among some, or behind its last.
     *
     * @return how many entries were passed over
     */
    public int passTo(BitSet some) {
        Level<T> level = levels.element();
        int from = level.next;
        int next = some.nextSetBit(from);
        level.next = next < 0 ? level.shard.count() : next;
        return level.next - from;
    }

    private static int keyLength(Level<?> level) {
        int entry = level.next - 1;
        return level.shard.keyEnd(entry) - level.shard.keyStart(entry);
    }

    /** The whole key of the entry that {@link #next} gave; valid until the next one. */
    public KeyBytes key() {
        Level<T> level = levels.element();
        return new KeyBytes(path, 0, level.prefixLength + keyLength(level));
    }

    /** Leaves the innermost shard. */
    public void leave() {
        levels.pop();
    }
}
