package dev.pail;

import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Counts the keys that differ between two versions, and refuses more, or longer ones, than versions not made to do harm have. Rule
 * X7. Their shards are looked at only when many keys differ, and of these only so many as are needed to know that there are entries enough.
 *
 * <p>Not for use by several threads at once.
 */
final class ChangeBound {
    /** A key that has as many characters, or more, counts as one more for each time. */
    private static final int LONG_KEY = 16;

    /** Up to this many keys are always accepted. */
    private static final long SOME = 1 << 20;

    /** So are this many for each entry. */
    private static final long TIMES = 1 << 10;

    private final Pail after;
    private final Deque<Entries> uncounted;
    private long entries;
    private long most = SOME;
    private long count;

    ChangeBound(Pail before, Pail after) {
        this.after = after;
        this.uncounted = new ArrayDeque<>(List.of(new Entries(before), new Entries(after)));
    }

    /** The entries of the shards of a version. */
    private static final class Entries {
        private final Deque<ShardView> due = new ArrayDeque<>();
        private final Set<Cid> seen = new HashSet<>();

        Entries(Pail pail) {
            due.push(pail.shard());
        }

        boolean isEmpty() {
            return due.isEmpty();
        }

        /** How many the next shard has. The shards that it links to come first from then on: fewer wait than level by level. */
        int next() {
            ShardView shard = due.pop();
            if (!seen.add(shard.cid())) {
                return 0;
            }
            shard.items().forEach(item -> item.shard().ifPresent(due::push));
            return shard.count();
        }
    }

    /**
     * Counts one more.
     *
     * @throws MalformedShardException if this is one too many
     */
    void add(String key) {
        count += 1 + key.length() / LONG_KEY;
        if (count <= most) {
            return;
        }
        // Twice as many as are needed now, so that the next time is far off.
        long enough = 2 * count / TIMES;
        while (entries < enough && !uncounted.isEmpty()) {
            Entries next = uncounted.element();
            if (next.isEmpty()) {
                uncounted.remove();
            } else {
                entries += next.next();
            }
        }
        most = Math.max(SOME, TIMES * entries);
        if (count > most) {
            throw new MalformedShardException(
                    after.root(),
                    0,
                    "more than " + most + " keys differ, or fewer of " + LONG_KEY + " characters and more, which have "
                            + entries + " entries in all: too many to go through (X7)");
        }
    }
}
