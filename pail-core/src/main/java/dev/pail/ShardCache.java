package dev.pail;

import java.util.ArrayList;
import java.util.List;

/**
 * Holds decoded shards up to a weight, and lets go of those that were not used lately. Pails may share one, of whatever formats: each
 * finds in it only what it has decoded itself, or a version that it was made from.
 *
 * <p>For use by several threads at once.
 *
 * <pre>{@code
 * record Shared(BlockStore store, ShardCache shardCache) implements SharedShards {
 *     public Optional<Block> get(Cid cid) { return store.get(cid); }
 *     public void putAll(Collection<Block> blocks) { store.putAll(blocks); }
 *     public boolean has(Cid cid) { return store.has(cid); }
 *     public void close() { store.close(); }
 * }
 * BlockStore shared = new Shared(blocks, ShardCache.ofDefaultWeight()); // one cache for all pails of this store
 * }</pre>
 */
public final class ShardCache {
    // The shards hang on their refs, so that going from a shard to the next looks nothing up.
    private final long maxWeight;
    private final List<ShardRef> held = new ArrayList<>();
    private long weight;

    /** The ref that is looked at next when something must go. Goes round, as the hand of a clock. */
    private int hand;

    /** @param maxWeight in bytes; a single shard is held even if it is heavier */
    ShardCache(long maxWeight) {
        this.maxWeight = maxWeight;
    }

    /** An empty one, which holds up to an eighth of the heap, but 256 MiB at most. */
    public static ShardCache ofDefaultWeight() {
        return new ShardCache(defaultWeight());
    }

    /** An eighth of the heap, but 256 MiB at most. */
    static long defaultWeight() {
        return Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 8);
    }

    /** Holds a shard by its ref. */
    synchronized void hold(ShardRef ref, Shard shard) {
        if (ref.shard != null) {
            return;
        }
        ref.weight = shard.weight();
        ref.shard = shard;
        ref.used = true;
        held.add(ref);
        weight += ref.weight;
        while (weight > maxWeight && held.size() > 1) {
            letGoOfOne();
        }
    }

    private void letGoOfOne() {
        while (true) {
            if (hand >= held.size()) {
                hand = 0;
            }
            ShardRef ref = held.get(hand);
            if (ref.used) {
                ref.used = false;
                hand++;
                continue;
            }
            weight -= ref.weight;
            ref.shard = null;
            ShardRef last = held.remove(held.size() - 1);
            if (hand < held.size()) {
                held.set(hand, last);
            }
            return;
        }
    }
}
