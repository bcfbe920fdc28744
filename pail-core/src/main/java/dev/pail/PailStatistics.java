package dev.pail;

import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * How large a pail is. A shard that is linked to several times is counted once; the entries below it, each time. Numbers
 * that do not fit stay at the largest that does.
 *
 * @param entries the number of keys
 * @param shards the number of shard blocks
 * @param depth the number of shards from the root to the deepest
 * @param bytes the size of all shard blocks together
 * @param largestShard the size of the largest shard block in bytes
 */
public record PailStatistics(long entries, long shards, int depth, long bytes, int largestShard) {
    /** What is in a shard and below it. */
    private record Below(long entries, int depth) {}

    /** A shard of which some entries are counted. */
    private static final class Partial {
        final Cid cid;
        final Iterator<ShardView.Item> items;
        long entries;
        int depth = 1;

        Partial(ShardView shard) {
            cid = shard.cid();
            items = shard.items().iterator();
        }

        void add(Below below) {
            entries = entries + below.entries < 0 ? Long.MAX_VALUE : entries + below.entries;
            depth = Math.max(depth, below.depth + 1);
        }
    }

    /** Reads all shards of a pail and counts. Work and memory go with the number of different shards. */
    public static PailStatistics of(Pail pail) {
        Map<Cid, Below> known = new HashMap<>();
        Deque<Partial> open = new ArrayDeque<>();
        long bytes = 0;
        int largest = 0;
        ShardView enter = pail.shard();
        while (true) {
            if (enter != null) {
                bytes += enter.size();
                largest = Math.max(largest, enter.size());
                open.push(new Partial(enter));
                enter = null;
            }
            Partial top = open.element();
            while (enter == null && top.items.hasNext()) {
                ShardView.Item item = top.items.next();
                top.entries += item.data().isPresent() && top.entries < Long.MAX_VALUE ? 1 : 0;
                ShardView below = item.shard().orElse(null);
                Below counted = below == null ? null : known.get(below.cid());
                if (counted != null) {
                    top.add(counted);
                } else {
                    enter = below;
                }
            }
            if (enter == null) {
                Below all = new Below(top.entries, top.depth);
                known.put(open.pop().cid, all);
                Partial parent = open.peek();
                if (parent == null) {
                    return new PailStatistics(all.entries, known.size(), all.depth, bytes, largest);
                }
                parent.add(all);
            }
        }
    }
}
