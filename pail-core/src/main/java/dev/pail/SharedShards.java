package dev.pail;

/**
 * A block store whose pails share one cache of decoded shards, so that what they take together has a bound. A pail of any other store
 * has a cache of its own, which the versions made from it share.
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
    /** The cache. A pail asks for it once, when it is created or opened; unlike the other methods, it works after {@link #close}. */
    ShardCache shardCache();
}
