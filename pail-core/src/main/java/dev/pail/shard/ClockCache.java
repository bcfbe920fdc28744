package dev.pail.shard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Decoded shards up to a weight. What was not used lately goes first: a hand goes round and passes over what was used since it was
 * there last, as the algorithm called CLOCK has it. Replaced shards get a quarter of the weight: most readers continue with the version
 * that replaced them.
 *
 * <p>For use by several threads at once.
 */
public final class ClockCache {
    /** How many replaced shards are held at most. More were not used for so long that each is a cache miss when it goes. */
    private static final int MOST_RETIRED = 1024;

    // The shards hang on their refs, so that going from a shard to the next looks nothing up.
    private final long maxWeight;

    @GuardedBy("this")
    private final List<ShardRef> cached = new ArrayList<>();

    @GuardedBy("this")
    private long weight;

    /** The ref that is looked at next when something must go. Goes round, as the hand of a clock. */
    @GuardedBy("this")
    private int hand;

    /** Shards that were replaced and not used since, the oldest first. */
    @GuardedBy("this")
    private final Queue<ShardRef> retired = new ArrayDeque<>();

    /** @param maxWeight in bytes; a single shard is held even if it is heavier */
    public ClockCache(long maxWeight) {
        this.maxWeight = maxWeight;
    }

    /** An empty one, which holds up to an eighth of the heap, but 128 MiB at most. */
    public static ClockCache ofDefaultWeight() {
        return new ClockCache(defaultWeight());
    }

    /** An eighth of the heap, but 128 MiB at most. */
    static long defaultWeight() {
        return Math.min(128L << 20, Runtime.getRuntime().maxMemory() / 8);
    }

    /** Holds a shard by its ref. */
    synchronized void put(ShardRef ref, Shard shard) {
        if (ref.shard != null) {
            return;
        }
        ref.weight = shard.weight();
        ref.shard = shard;
        ref.used = true;
        ref.place = cached.size();
        cached.add(ref);
        weight += ref.weight;
        dropRetired();
        while (weight > maxWeight && cached.size() > 1) {
            evictOne();
        }
    }

    /** Holds new shards by their refs. What they were made from counts as replaced. */
    synchronized void putAll(List<NewShard> made) {
        for (NewShard one : made) {
            put(one.ref(), one.shard());
            if (one.origin() != null) {
                retire(one.origin());
            }
        }
    }

    /** Says that another shard has replaced a shard. */
    synchronized void retire(ShardRef ref) {
        if (ref.shard != null) {
            ref.used = false;
            retired.add(ref);
            dropRetired();
        }
    }

    @GuardedBy("this")
    private void dropRetired() {
        while (retired.size() > MOST_RETIRED || (weight > maxWeight / 4 && !retired.isEmpty())) {
            ShardRef ref = retired.remove();
            if (ref.shard != null && !ref.used) {
                evict(ref);
            }
        }
    }

    @GuardedBy("this")
    private void evictOne() {
        while (true) {
            if (hand >= cached.size()) {
                hand = 0;
            }
            ShardRef ref = cached.get(hand);
            if (ref.used) {
                ref.used = false;
                hand++;
                continue;
            }
            evict(ref);
            return;
        }
    }

    @GuardedBy("this")
    private void evict(ShardRef ref) {
        weight -= ref.weight;
        ref.shard = null;
        ShardRef last = cached.remove(cached.size() - 1);
        if (ref.place < cached.size()) {
            cached.set(ref.place, last);
            last.place = ref.place;
        }
    }
}
