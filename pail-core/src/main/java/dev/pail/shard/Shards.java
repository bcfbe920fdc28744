package dev.pail.shard;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.EntryCounts;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.OriginHints;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The shards of all versions of a pail: loads them from a block store, and stores new ones there. */
public final class Shards {
    public final BlockStore blocks;
    public final Layout layout;
    public final EntryCounts counts;
    private final ClockCache cache;

    public Shards(BlockStore blocks, Layout layout, ClockCache cache) {
        this(blocks, layout, cache, EntryCounts.NONE);
    }

    public Shards(BlockStore blocks, Layout layout, ClockCache cache, EntryCounts counts) {
        this.blocks = blocks;
        this.layout = layout;
        this.cache = cache;
        this.counts = counts;
    }

    /**
     * The shard that a ref links to.
     *
     * @param prefix the path on which the ref was found
     * @throws MissingBlockException if it is not there
     * @throws CorruptBlockException if its bytes do not match its CID
     * @throws MalformedBlockException if it breaks a rule of the format
     */
    public Shard load(ShardRef ref, KeyBytes prefix) {
        Shard shard = ref.use();
        if (shard == null) {
            shard = decode(blocks.require(ref.cid), prefix);
            cache.put(ref, shard);
        }
        return shard;
    }

    /** As {@link #load(ShardRef, KeyBytes)}, where the block was perhaps fetched already. */
    Shard load(ShardRef ref, KeyBytes prefix, @Nullable Block fetched) {
        Shard cached = ref.use();
        if (cached != null || fetched == null || !fetched.cid().equals(ref.cid)) {
            return cached != null ? cached : load(ref, prefix);
        }
        Shard shard = decode(fetched, prefix);
        cache.put(ref, shard);
        return shard;
    }

    /**
     * Checks that a shard which stands in one place of a version may stand in another, too.
     *
     * @throws MalformedBlockException if it may not
     */
    public void checkShared(ShardRef ref) {
        if (layout.isPrefixed()) {
            throw MalformedBlockException.ofShard(ref.cid, 0, "a shard carries the prefix of its one place (S3)");
        }
    }

    /** Decodes and checks a shard, and holds nothing. */
    public Shard decode(Block block, KeyBytes prefix) {
        return ShardDecoder.decode(layout, block, prefix);
    }

    /** The ref to a root shard whose block was read already. */
    public ShardRef decoded(Block root) {
        ShardRef ref = new ShardRef(root.cid());
        cache.put(ref, decode(root, KeyBytes.EMPTY));
        return ref;
    }

    /** Stores shards, those that are linked before those that link to them. */
    public void store(List<NewShard> made) {
        storeUncached(made);
        cache.putAll(made);
    }

    /** As {@link #store}, for a number of shards that would push all others out of the cache. */
    public void storeUncached(List<NewShard> made) {
        List<Block> stored = new ArrayList<>(made.size());
        for (NewShard one : made) {
            stored.add(one.block());
        }
        if (blocks instanceof OriginHints hinted) {
            hinted.putAll(stored, origins(made));
        } else {
            blocks.putAll(stored);
        }
    }

    private static Map<Cid, Cid> origins(List<NewShard> made) {
        Map<Cid, Cid> origins = new HashMap<>();
        for (NewShard one : made) {
            ShardRef origin = one.origin();
            if (origin != null) {
                origins.put(one.block().cid(), origin.cid);
            }
        }
        return origins;
    }
}
