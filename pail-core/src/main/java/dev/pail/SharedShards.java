package dev.pail;

/**
 * A block store whose pails share one cache of decoded shards, which bounds their memory. A pail of any other store has its own
 * cache, which it shares with the versions made from it.
 *
 * <pre>{@code
 * record Shared(BlockStore store, ShardCache shardCache) implements SharedShards {
 *     public Optional<Block> get(Cid cid) { return store.get(cid); }
 *     public void putAll(Collection<Block> blocks) { store.putAll(blocks); }
 *     public boolean has(Cid cid) { return store.has(cid); }
 *     public void close() { store.close(); }
 * }
 * Pail cached = pail.in(new Shared(blocks, ShardCache.ofDefaultWeight()));
 * }</pre>
 */
public interface SharedShards extends BlockStore {
    /** Returns the cache. A pail calls this once, when it is created or opened. Unlike the other methods, it works after {@link #close}. */
    ShardCache shardCache();

    /** Returns what remembers the numbers of entries below shards; by default, nothing does. A pail calls this once, too. */
    default EntryCounts entryCounts() {
        return EntryCounts.NONE;
    }
}
