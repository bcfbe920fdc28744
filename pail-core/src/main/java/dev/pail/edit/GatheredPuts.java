package dev.pail.edit;

import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Layout;
import dev.pail.shard.ShardValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Puts into an empty pail of a format in which a shard stands for each character that keys have in common, and nothing but
 * the keys decides where (spec rules V1.2 to V1.4). Sorted, they make the shards from the root down, and no key is looked for.
 *
 * <p>Not for use by several threads at once.
 */
final class GatheredPuts {
    private final List<Put> puts = new ArrayList<>();

    /** A key and its value. */
    record Put(KeyBytes key, Cid value) {}

    /**
     * A shard that is to be filled.
     *
     * @param from the first of the puts that go into it or below
     * @param to the one behind the last
     */
    private record Due(MutableShard shard, int from, int to) {}

    /** Adds a put. Of those of one key the last counts. */
    void add(KeyBytes key, Cid value) {
        puts.add(new Put(key, value));
    }

    /** Makes all puts in a root shard without entries. */
    void fill(MutableShard root, Layout layout) {
        Put[] sorted = SortedPuts.of(puts);
        int[] shared = new int[sorted.length];
        for (int i = 1; i < sorted.length; i++) {
            shared[i] = sorted[i].key.commonLength(sorted[i - 1].key);
        }
        // Level by level, so that shards that are encoded one after the other are close together in memory.
        Queue<Due> due = new ArrayDeque<>();
        due.add(new Due(root, 0, sorted.length));
        List<Change> entries = new ArrayList<>();
        for (Due next = due.poll(); next != null; next = due.poll()) {
            int depth = next.shard.depth();
            for (int i = next.from, end; i < next.to; i = end) {
                end = i + 1;
                while (end < next.to && shared[end] > depth) {
                    end++;
                }
                Put put = sorted[i];
                KeyBytes shardKey = put.key.without(depth);
                ShardValue value = ShardValue.NOTHING.withData(put.value);
                if (end > i + 1) {
                    MutableShard child = MutableShard.empty(layout, put.key.prefix(depth + 1));
                    boolean ends = shardKey.length() == 1;
                    shardKey = shardKey.prefix(1);
                    value = ends ? value.withShard(child) : ShardValue.NOTHING.withShard(child);
                    due.add(new Due(child, ends ? i + 1 : i, end));
                }
                entries.add(new Change(shardKey, value, -1));
            }
            next.shard.fill(entries);
            entries.clear();
        }
    }
}
