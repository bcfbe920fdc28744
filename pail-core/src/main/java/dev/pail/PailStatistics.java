package dev.pail;

import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardRef;
import dev.pail.shard.Shards;
import dev.pail.walk.ShardWalk;
import java.util.HashMap;
import java.util.Map;

/**
 * The size of a pail. A shard with several links to it counts once, but its entries count for each link. Numbers
 * that do not fit stay at the largest value of their type.
 *
 * <pre>{@code
 * PailStatistics statistics = PailStatistics.of(pail);
 * System.out.println(statistics.entries() + " keys in " + statistics.shards() + " shards");
 * }</pre>
 *
 * @param entries the number of keys; a key that foreign shards have in two places (spec rule V0.7) counts twice
 * @param shards the number of shard blocks
 * @param depth the number of shards from the root to the deepest
 * @param bytes the size of all shard blocks together
 * @param largestShard the size of the largest shard block in bytes
 */
public record PailStatistics(long entries, long shards, int depth, long bytes, int largestShard) {
    /** What is in a shard and below it. */
    private static final class Below {
        long entries;
        int depth = 1;

        void add(Below below) {
            long sum = entries + below.entries;
            entries = sum < 0 ? Long.MAX_VALUE : sum;
            depth = Math.max(depth, below.depth + 1);
        }
    }

    /** Reads all shards of a pail and counts. Work and memory are proportional to the number of different shards. */
    public static PailStatistics of(Pail pail) {
        pail.willRead(KeyRange.all());
        return new Count(pail.tree().shards()).of(pail.tree().root());
    }

    private static final class Count {
        private final Shards shards;
        private final ShardWalk<Below> walk = new ShardWalk<>();
        private final Map<Cid, Below> known = new HashMap<>();
        private long bytes;
        private int largest;

        Count(Shards shards) {
            this.shards = shards;
        }

        PailStatistics of(ShardRef root) {
            enter(root, KeyBytes.EMPTY);
            Below all = new Below();
            for (ShardWalk.Level<Below> level = walk.innermost(); level != null; level = walk.innermost()) {
                int entry = walk.next();
                if (entry >= 0) {
                    count(level, entry);
                    continue;
                }
                walk.leave();
                all = level.kept;
                known.put(level.ref.cid, all);
                ShardWalk.Level<Below> parent = walk.innermost();
                if (parent != null) {
                    parent.kept.add(all);
                }
            }
            return new PailStatistics(all.entries, known.size(), all.depth, bytes, largest);
        }

        private void enter(ShardRef ref, KeyBytes prefix) {
            OperationInterruptedException.check("a count of the shards of a version");
            Shard shard = shards.load(ref, prefix);
            bytes += shard.bytes.length;
            largest = Math.max(largest, shard.bytes.length);
            walk.enter(ref, shard, new Below());
        }

        private void count(ShardWalk.Level<Below> level, int entry) {
            Shard shard = level.shard;
            if (shard.hasData(entry) && level.kept.entries < Long.MAX_VALUE) {
                level.kept.entries++;
            }
            if (!shard.hasShard(entry)) {
                return;
            }
            ShardRef ref = shard.ref(entry);
            Below below = known.get(ref.cid);
            if (below == null) {
                enter(ref, walk.key());
            } else {
                shards.checkShared(ref);
                level.kept.add(below);
            }
        }
    }
}
