package dev.pail.shard;

import dev.pail.ipld.Cid;
import org.jspecify.annotations.Nullable;

/**
 * A link to a shard that has a CID. Versions that share a shard share its ref, and with it the decoded shard, for as
 * long as the {@link ClockCache} lets it be held.
 *
 * <p>The decoded shard, and whether it was used, are read and written by many threads without a lock. The one is what any
 * other thread would put there, or nothing; the other is a hint.
 */
public final class ShardRef implements ShardLink {
    /** The length of a shard's CID in bytes. */
    static final int CID_LENGTH = 36;

    /** What a decoded shard links to, in binary form: the tag, the byte string's head, the zero and the CID. */
    static final int ENCODED_LENGTH = 5 + CID_LENGTH;

    public final Cid cid;

    /** The decoded shard, or null if it is not cached. Written under the lock of the cache, read without. */
    volatile @Nullable Shard shard;

    /** Whether it was used since the cache last looked. A hint: an update that a race loses costs one more read. */
    boolean used;

    /** What the cache has counted for the decoded shard, in bytes. Read and written under the lock of the cache. */
    int weight;

    /** Where it is in the list of the cache, if it is cached. Read and written under the lock of the cache. */
    int place;

    public ShardRef(Cid cid) {
        this.cid = cid;
    }

    /** The decoded shard, which counts as used now, or null if it is not cached. */
    @Nullable
    Shard use() {
        Shard cached = shard;
        if (cached != null && !used) {
            used = true;
        }
        return cached;
    }

    /** {@link Shard#chain} of the decoded shard; null if it is not cached. */
    public Shard.@Nullable Chain chain() {
        Shard cached = use();
        return cached == null ? null : cached.chain();
    }

    @Override
    public String toString() {
        return cid.toString();
    }
}
