package dev.pail.walk;

import dev.pail.MalformedBlockException;
import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardTree;
import dev.pail.shard.Shards;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A bound on the keys that differ between two versions: refuses more keys, or longer ones, than honest versions have. Rule X7. Reads
 * shards only if many keys differ, and stops when it has counted enough entries for them.
 *
 * <p>Not for use by several threads at once.
 */
public final class ChangeBudget {
    /** A key counts as one more for each time that it has this number of characters. */
    private static final int LONG_KEY = 16;

    /** Up to this many keys are always accepted. */
    private static final long SOME = 1 << 20;

    /** So are this many for each entry. */
    private static final long TIMES = 1 << 10;

    private final ShardTree after;
    private final Deque<Entries> uncounted;
    private long entries;
    private long most = SOME;
    private long count;

    public ChangeBudget(ShardTree before, ShardTree after) {
        this.after = after;
        this.uncounted = new ArrayDeque<>(List.of(new Entries(before), new Entries(after)));
    }

    /** The entries of the shards of a version. */
    private static final class Entries {
        private final Shards shards;
        private final Deque<ShardPlace> due = new ArrayDeque<>();
        private final Set<Cid> seen = new HashSet<>();

        Entries(ShardTree tree) {
            shards = tree.shards();
            due.push(new ShardPlace(tree.root(), KeyBytes.EMPTY));
        }

        boolean isEmpty() {
            return due.isEmpty();
        }

        /** How many the next shard has. The shards that it links to come first from then on: fewer wait than level by level. */
        int next() {
            ShardPlace next = due.pop();
            if (!seen.add(next.ref().cid)) {
                return 0;
            }
            Shard shard = next.load(shards);
            next.forEachLink(shards, shard, due::push);
            return shard.count();
        }
    }

    /**
     * Counts one more.
     *
     * @throws MalformedBlockException if this is one too many
     */
    public void add(String key) {
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
            throw MalformedBlockException.ofShard(
                    after.root().cid,
                    0,
                    "more than " + most + " keys differ, or fewer of " + LONG_KEY + " characters and more, which have "
                            + entries + " entries in all: too many to go through (X7)");
        }
    }
}
