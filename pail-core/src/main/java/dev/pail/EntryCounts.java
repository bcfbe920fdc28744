package dev.pail;

import dev.pail.ipld.Cid;

/**
 * Remembers how many entries are in a shard and below it, so that {@link Pail#count} need not read them again. The number follows from the
 * CID, so it is never stale: a change of a pail makes new shards from the root to the key, and the others keep theirs. Safe for use by
 * several threads. No method fails.
 *
 * <pre>{@code
 * record Counting(BlockStore store, ShardCache shardCache, EntryCounts entryCounts) implements SharedShards {
 *     public Optional<Block> get(Cid cid) { return store.get(cid); }
 *     public void putAll(Collection<Block> blocks) { store.putAll(blocks); }
 *     public boolean has(Cid cid) { return store.has(cid); }
 *     public void close() { store.close(); }
 * }
 * }</pre>
 */
public interface EntryCounts {
    /**
     * The least number that is worth a place: fewer entries are counted as fast. Of shards that stand with this many others in one shard,
     * each number is.
     */
    int LEAST = 256;

    /** Remembers nothing. */
    EntryCounts NONE = new EntryCounts() {
        @Override
        public long find(Cid shard) {
            return -1;
        }

        @Override
        public void note(Cid shard, long entries) {}
    };

    /** Returns the number of entries in a shard and below it; -1 if it is not known. */
    long find(Cid shard);

    /** Remembers a number, if there is room. */
    void note(Cid shard, long entries);

    /** Says that a count is over. Numbers that were noted may be written now. */
    default void counted() {}
}
