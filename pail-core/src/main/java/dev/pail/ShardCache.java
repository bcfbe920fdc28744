package dev.pail;

import dev.pail.shard.ClockCache;

/**
 * A cache of decoded shards up to a weight, which evicts those that were not used lately. Pails of any formats may share one: each
 * finds only shards that it, or a version that it was made from, has decoded.
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
    private final ClockCache shards;

    ShardCache(ClockCache shards) {
        this.shards = shards;
    }

    /** Creates an empty cache of up to an eighth of the heap, and at most 128 MiB. */
    public static ShardCache ofDefaultWeight() {
        return new ShardCache(ClockCache.ofDefaultWeight());
    }

    ClockCache shards() {
        return shards;
    }
}
