package dev.pail.shard;

import dev.pail.ipld.Cid;
import org.jspecify.annotations.Nullable;

/** Finds the value of one key. Allocates nothing where no shards overlap. */
public final class Lookup {
    private Lookup() {}

    /**
     * The value of a key, or null if it has none.
     *
     * @param key one that starts where its array does
     */
    public static @Nullable Cid find(ShardTree tree, KeyBytes key) {
        byte[] bytes = key.array;
        Shards shards = tree.shards();
        ShardRef ref = tree.root();
        int from = 0;
        while (true) {
            Shard cached = ref.use();
            Shard shard = cached == null ? shards.load(ref, new KeyBytes(bytes, 0, from)) : cached;
            if (shard.overlapping) {
                return new OverlapSearch(shards, tree.root().cid, bytes).in(shard, from);
            }
            Shard.Chain chain = shard.chain();
            if (chain != null) {
                if (!chain.leadsTo(bytes, from, bytes.length)) {
                    return null;
                }
                from += chain.keys().length();
                ref = chain.end();
                continue;
            }
            int link = shard.findLink(bytes, from, bytes.length);
            if (link >= 0) {
                from++;
                ref = shard.ref(link);
                continue;
            }
            int entry = shard.find(bytes, from, bytes.length);
            if (entry >= 0) {
                return shard.dataBehind(entry, bytes.length - from);
            }
            // No other key of the shard can be a prefix of this one than the greatest lesser key.
            int below = -2 - entry;
            if (below < 0 || !shard.hasShard(below) || !shard.isKeyPrefix(below, bytes, from, bytes.length)) {
                return null;
            }
            from += shard.keyLength(below);
            ref = shard.ref(below);
        }
    }
}
