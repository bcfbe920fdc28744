package dev.pail;

/**
 * A block store whose pails share one cache of decoded shards, so that what they take together has a bound. A pail of any other store
 * has a cache of its own, which the versions made from it share.
 */
public interface SharedShards extends BlockStore {
    /** The cache. A pail asks for it once, when it is created or opened; unlike the other methods, it works after {@link #close}. */
    ShardCache shardCache();
}
