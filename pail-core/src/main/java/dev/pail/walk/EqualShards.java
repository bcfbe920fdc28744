package dev.pail.walk;

import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Which shards of two versions were found to have the same keys and values, though they are not the same. Where a shard can be in
 * many places, two need not be compared again in the next one: a few blocks can make more places than anybody could go through. What
 * is equal to the same is equal, so no more pairs are found than there are shards.
 *
 * <p>Not for use by several threads at once.
 */
final class EqualShards {
    private final Deque<Open> open = new ArrayDeque<>();

    /** Of shards that are equal to others, one of these. */
    private final Map<Cid, Cid> equal = new HashMap<>();

    /**
     * Two shards that are compared now.
     *
     * @param depth how many levels the cursor of the earlier version has above the shard
     * @param otherDepth the same for the later version
     */
    private record Open(Cid shard, Cid other, int depth, int otherDepth) {}

    /** Whether that is known. */
    boolean areEqual(Cid shard, Cid other) {
        return one(shard).equals(one(other));
    }

    private Cid one(Cid shard) {
        Cid at = shard;
        for (Cid next = equal.get(at); next != null; next = equal.get(at)) {
            Cid further = equal.get(next);
            if (further != null) {
                equal.put(at, further);
            }
            at = next;
        }
        return at;
    }

    /** Notes that two shards at one key are gone into. */
    void enter(Cid shard, int depth, Cid other, int otherDepth) {
        open.push(new Open(shard, other, depth, otherDepth));
    }

    /** Notes where the cursors are: what both have left without a difference is equal. */
    void at(int depth, int otherDepth) {
        for (Open last = open.peek();
                last != null && depth <= last.depth && otherDepth <= last.otherDepth;
                last = open.peek()) {
            open.pop();
            Cid shard = one(last.shard);
            Cid other = one(last.other);
            if (!shard.equals(other)) {
                equal.put(shard, other);
            }
        }
    }

    /** Notes a difference. */
    void differ() {
        open.clear();
    }
}
