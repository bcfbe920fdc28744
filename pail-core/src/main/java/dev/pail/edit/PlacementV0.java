package dev.pail.edit;

import dev.pail.LimitException;
import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.LayoutV0;
import dev.pail.shard.ShardValue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** In version 0, one shard until it is over {@code maxSize}, then split by longest common prefix; spec rules V0.2 to V0.7. */
final class PlacementV0 implements Placement {
    /** The most shards that one key may make. */
    private static final int MAX_PIECES = 10_000;

    private final LayoutV0 layout;
    private final int maxSize;

    PlacementV0(LayoutV0 layout) {
        this.layout = layout;
        this.maxSize = layout.maxSize();
    }

    @Override
    public boolean gathers() {
        return false;
    }

    @Override
    public void place(MutableShard shard, KeyBytes shardKey, Cid data) {
        int length = layout.pieceLength(shardKey);
        KeyBytes piece = length == shardKey.length() ? shardKey : shardKey.prefix(length);
        ShardValue value = shard.get(piece);
        if (length == shardKey.length()) {
            if (Objects.equals(data, value.data())) {
                // A shard that another program left over maxSize stays as it is, too.
                return;
            }
            shard.set(piece, value.withData(data));
        } else {
            shard.set(piece, value.withShard(chain(shard, shardKey, length, data)));
            KeyBytes above = shard.above(piece);
            if (above != null && above.startsWith(piece)) {
                shard.overlap();
            }
        }
        if (shard.size() > maxSize) {
            fit(shard, piece, shardKey);
        }
    }

    /** The shards for the rest of a key that is too long for one, each with one entry. Rule V0.3. */
    private MutableShard chain(MutableShard parent, KeyBytes shardKey, int from, Cid data) {
        MutableShard top = MutableShard.empty(layout, shardKey.path(from));
        MutableShard shard = top;
        KeyBytes rest = shardKey.without(from);
        for (int pieces = 2; ; pieces++) {
            int length = layout.pieceLength(rest);
            KeyBytes piece = rest.prefix(length);
            boolean last = length == rest.length();
            MutableShard next = MutableShard.empty(layout, rest.path(length));
            shard.set(piece, last ? ShardValue.NOTHING.withData(data) : ShardValue.NOTHING.withShard(next));
            if (shard.size() > maxSize) {
                throw limit(parent, shardKey, "a shard of one entry is over maxSize, " + maxSize + " bytes");
            }
            if (last) {
                return top;
            }
            if (pieces == MAX_PIECES) {
                throw limit(parent, shardKey, "a key makes at most " + MAX_PIECES + " shards");
            }
            shard = next;
            rest = rest.without(length);
        }
    }

    /**
     * Splits a shard, and what is split off it, until each is within {@code maxSize}. Rule V0.4.
     *
     * @param inserted what the shard has of the key that was put
     * @param shardKey all that the shard and those below it have of that
     */
    private void fit(MutableShard whole, KeyBytes inserted, KeyBytes shardKey) {
        record Work(MutableShard shard, KeyBytes base) {}
        Deque<Work> due = new ArrayDeque<>();
        due.push(new Work(whole, inserted));
        while (!due.isEmpty()) {
            MutableShard shard = due.peek().shard();
            KeyBytes base = due.pop().base();
            while (shard.size() > maxSize) {
                KeyBytes common = longestCommonPrefix(shard, base);
                if (common == null) {
                    throw limit(whole, shardKey, "no keys to split off a shard over maxSize, " + maxSize + " bytes");
                }
                MutableShard child = shard.split(common);
                boolean moved = base.length() > common.length() && base.startsWith(common);
                due.push(new Work(child, moved ? base.without(common.length()) : child.first()));
                base = common;
            }
        }
    }

    /**
     * The longest prefix that the base has in common with another key, shorter than the base itself. Where there is none,
     * that of the next key, and so on, once round. Rule V0.5.
     */
    private static @Nullable KeyBytes longestCommonPrefix(MutableShard shard, KeyBytes start) {
        KeyBytes base = start;
        KeyBytes below = shard.below(start);
        KeyBytes barren = KeyBytes.EMPTY;
        MutableEntriesCursor next = shard.after(start);
        while (true) {
            KeyBytes above = next.advance() ? next.key() : null;
            // No other key has more in common with the base than its neighbours in the order.
            int common = Math.max(
                    below == null ? 0 : base.commonLength(below), above == null ? 0 : base.commonLength(above));
            KeyBytes longest = base.prefix(base.wholeCodePoints(Math.max(0, Math.min(common, base.length() - 1))));
            KeyBytes prefix = longest;
            while (!prefix.isEmpty()
                    && shard.isOverlapping()
                    && shard.get(prefix).shard() != null) {
                // Among overlaps, the prefix can be the key of a link, whose shard is no place to move more keys to.
                prefix = prefix.prefix(prefix.wholeCodePoints(prefix.length() - 1));
                prefix = prefix.equals(barren) ? KeyBytes.EMPTY : prefix;
            }
            if (!prefix.isEmpty()) {
                return prefix;
            }
            barren = longest;
            below = above == null ? null : base;
            if (above == null) {
                next = shard.cursor();
                next.advance();
                above = next.key();
            }
            base = above;
            if (base.equals(start)) {
                return null;
            }
        }
    }

    /** The refusal of a put for which there is no room. Rule V0.6. */
    private static LimitException limit(MutableShard shard, KeyBytes shardKey, String limit) {
        return LimitException.ofShard(shard.prefix().append(shardKey).toString(), limit + " (V0.6)");
    }
}
