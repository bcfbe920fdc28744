package dev.pail.edit;

import dev.pail.shard.Cut;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.KeyInterval;
import dev.pail.shard.PinnedShards;
import dev.pail.shard.ShardValue;
import dev.pail.shard.Shards;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes the keys of a range from mutable shards. It drops the link to a shard whose keys are all in the range, and does not read that
 * shard. It opens the shards that a bound of the range leads through: one or two a level, except where shards overlap.
 *
 * <p>It recurses nowhere. For one use.
 */
final class RangeRemoval {
    private static final Cut START = Cut.before(KeyBytes.EMPTY);
    private static final Cut END = Cut.behind(KeyBytes.EMPTY);

    private final Shards shards;

    /** Holds and counts shards that overlap. */
    private final PinnedShards pinned;

    private final Deque<Part> due = new ArrayDeque<>();
    private long opened;

    /**
     * A shard that has keys in the range, and may have others.
     *
     * @param outer what links to it; null for the root
     * @param link the key of that link
     * @param low the start of the range, without what all keys of the shard start with
     * @param overlaps whether this shard or one above it has overlaps
     */
    private record Part(
            MutableShard shard, @Nullable MutableShard outer, KeyBytes link, Cut low, Cut high, boolean overlaps) {}

    /** An entry that loses something. */
    private record Loss(KeyBytes key, ShardValue left) {}

    RangeRemoval(Shards shards, PinnedShards pinned) {
        this.shards = shards;
        this.pinned = pinned;
    }

    /** Removes the keys of an interval, and then the shards that this leaves empty, but not the root. */
    void from(MutableShard root, KeyInterval interval) {
        if (interval.isEmpty()) {
            return;
        }
        List<Part> visited = new ArrayList<>();
        due.push(new Part(root, null, KeyBytes.EMPTY, interval.low(), interval.high(), root.isOverlapping()));
        for (Part part = due.poll(); part != null; part = due.poll()) {
            visited.add(part);
            opened += part.shard.countOnce();
            remove(part);
        }
        for (int i = visited.size() - 1; i > 0; i--) {
            Part part = visited.get(i);
            MutableShard outer = part.outer;
            if (outer != null && part.shard.isEmpty()) {
                outer.set(part.link, outer.get(part.link).withoutShard());
            }
        }
    }

    /** The memory of the shards that were opened first by this, in bytes. */
    long openedBytes() {
        return opened;
    }

    private void remove(Part part) {
        MutableShard shard = part.shard;
        KeyBytes from = part.low.key;
        List<Loss> losses = new ArrayList<>();
        List<KeyBytes> entered = new ArrayList<>();
        for (KeyBytes link : shard.linksTowards(from, part.overlaps ? pinned::countLooks : looks -> {})) {
            look(part, link, shard.get(link), losses, entered);
        }
        look(part, from, shard.get(from), losses, entered);
        for (MutableEntriesCursor cursor = shard.after(from); cursor.advance() && !part.high.isBefore(cursor.key()); ) {
            look(part, cursor.key(), cursor.value(), losses, entered);
        }
        losses.forEach(loss -> shard.set(loss.key, loss.left));
        entered.forEach(link -> enter(part, link));
    }

    /** Finds what an entry loses, and whether its shard has both keys in the range and others. */
    private static void look(Part part, KeyBytes key, ShardValue value, List<Loss> losses, List<KeyBytes> entered) {
        ShardValue left = value;
        if (part.low.isBefore(key) && !part.high.isBefore(key)) {
            left = left.withoutData();
        }
        Cut first = Cut.after(key);
        Cut last = Cut.behind(key);
        if (value.shard() != null && part.low.compareTo(last) < 0 && part.high.compareTo(first) > 0) {
            if (part.low.compareTo(first) <= 0 && part.high.compareTo(last) >= 0) {
                left = left.withoutShard();
            } else {
                entered.add(key);
            }
        }
        if (!left.equals(value)) {
            losses.add(new Loss(key, left));
        }
    }

    private void enter(Part part, KeyBytes link) {
        MutableShard shard = part.shard;
        if (part.overlaps) {
            pinned.countLooks(1);
        }
        MutableShard next = shard.linked(link, shard.prefix().append(link), shards, part.overlaps ? pinned : null);
        Cut low = part.low.compareTo(Cut.after(link)) <= 0 ? START : part.low.without(link.length());
        Cut high = part.high.compareTo(Cut.behind(link)) >= 0 ? END : part.high.without(link.length());
        due.push(new Part(next, shard, link, low, high, part.overlaps || next.isOverlapping()));
    }
}
