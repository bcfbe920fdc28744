package dev.pail.walk;

import dev.pail.MalformedBlockException;
import dev.pail.ipld.Cid;
import dev.pail.shard.Shard;
import java.util.HashSet;
import java.util.Set;

/**
 * How often a diff goes again into shards of one version, and finds no difference there. A few shards that carry no prefix can make
 * more places than anybody could go through. {@link EqualShards} knows those at the same keys in both versions; of others, and where
 * shards overlap, more repeats than any pail not made to do harm needs are refused.
 *
 * <p>Not for use by several threads at once.
 */
final class RepeatBudget {
    /** The most repeats allowed without a difference between them. */
    private static final int MOST = 1 << 20;

    /** Going again through this many bytes counts as one more repeat. */
    private static final int BYTES = 1 << 12;

    private Set<Cid> entered = new HashSet<>();
    private long again;

    /**
     * Notes that a shard is gone into.
     *
     * @throws MalformedBlockException if that was so too often
     */
    void enter(Cid cid, Shard shard) {
        if (entered.add(cid)) {
            return;
        }
        again += 1 + shard.bytes.length / BYTES;
        if (again > MOST) {
            throw MalformedBlockException.ofShard(
                    cid, 0, "a shard is in more places that are the same in both versions than can be compared (X3)");
        }
    }

    /** Notes a difference: what was gone into before counts no more. */
    void differ() {
        if (!entered.isEmpty()) {
            // To clear a set takes as long as to fill it.
            entered = new HashSet<>();
            again = 0;
        }
    }
}
