package dev.pail;

import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Counts the keys that differ between two versions, and refuses more than versions not made to do harm have (spec rule X7). How
 * many entries their shards have is looked at only when many keys differ.
 *
 * <p>Not for use by several threads at once.
 */
final class ChangeBound {
    /** Up to this many keys are always accepted. */
    private static final long SOME = 1 << 20;

    /** So are this many for each entry. */
    private static final long TIMES = 1 << 10;

    private final Pail before;
    private final Pail after;
    private long most = SOME;
    private long count;

    ChangeBound(Pail before, Pail after) {
        this.before = before;
        this.after = after;
    }

    /**
     * Counts one more.
     *
     * @throws MalformedShardException if this is one too many
     */
    void add() {
        if (count++ < most) {
            return;
        }
        long entries = stored(before) + stored(after);
        most = Math.max(SOME, TIMES * entries);
        if (count > most) {
            throw new MalformedShardException(
                    after.root(),
                    0,
                    "more than " + most + " keys differ, which have " + entries
                            + " entries in all: too many to go through (X7)");
        }
    }

    private static long stored(Pail pail) {
        Set<Cid> seen = new HashSet<>();
        Deque<ShardView> due = new ArrayDeque<>(List.of(pail.shard()));
        long entries = 0;
        for (ShardView shard = due.poll(); shard != null; shard = due.poll()) {
            if (seen.add(shard.cid())) {
                entries += shard.count();
                shard.items().forEach(item -> item.shard().ifPresent(due::add));
            }
        }
        return entries;
    }
}
