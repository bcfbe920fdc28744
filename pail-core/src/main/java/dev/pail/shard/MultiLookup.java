package dev.pail.shard;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for many keys at once, level by level, so that a shard is loaded once for all keys in it, and the shards of a level are fetched
 * together. For one use.
 */
public final class MultiLookup {
    /** The most shards that are fetched at once: they are in memory together. */
    private static final int MOST_FETCHED = 32;

    private final Shards shards;
    private final Cid root;
    private final KeyBytes[] keys;
    private final @Nullable Cid[] values;
    private List<Group> next = new ArrayList<>();

    /**
     * Keys next to each other that lead through the same shard.
     *
     * @param depth the length of what all keys of the shard start with, in bytes
     * @param first the number of the first key
     * @param end the number behind that of the last one
     */
    private record Group(ShardRef ref, int depth, int first, int end) {}

    public MultiLookup(ShardTree tree, Collection<String> wanted) {
        this.shards = tree.shards();
        this.root = tree.root().cid;
        this.keys = wanted.stream().map(KeyBytes::of).sorted().distinct().toArray(KeyBytes[]::new);
        this.values = new @Nullable Cid[keys.length];
        if (keys.length > 0) {
            next.add(new Group(tree.root(), 0, 0, keys.length));
        }
    }

    /** The keys that have values, in order. */
    public Map<String, Cid> found() {
        while (!next.isEmpty()) {
            List<Group> level = next;
            next = new ArrayList<>();
            for (int from = 0; from < level.size(); from += MOST_FETCHED) {
                search(level.subList(from, Math.min(level.size(), from + MOST_FETCHED)));
            }
        }
        Map<String, Cid> found = new LinkedHashMap<>();
        for (int i = 0; i < keys.length; i++) {
            Cid value = values[i];
            if (value != null) {
                found.put(keys[i].toString(), value);
            }
        }
        return found;
    }

    private void search(List<Group> groups) {
        Set<Cid> absent = new LinkedHashSet<>();
        for (Group group : groups) {
            if (group.ref.use() == null) {
                absent.add(group.ref.cid);
            }
        }
        Map<Cid, Block> fetched = absent.size() > 1 ? shards.blocks.getAll(absent) : Map.of();
        for (Group group : groups) {
            KeyBytes prefix = new KeyBytes(keys[group.first].array, 0, group.depth);
            search(group, shards.load(group.ref, prefix, fetched.get(group.ref.cid)));
        }
    }

    private void search(Group group, Shard shard) {
        int leading = -1;
        int first = group.first;
        for (int i = group.first; i < group.end; i++) {
            int link = shard.overlapping ? overlapping(i, shard, group.depth) : link(i, shard, group.depth);
            if (link != leading) {
                follow(group, shard, leading, first, i);
                leading = link;
                first = i;
            }
        }
        follow(group, shard, leading, first, group.end);
    }

    private int overlapping(int i, Shard shard, int depth) {
        values[i] = new OverlapSearch(shards, root, keys[i].array).in(shard, depth);
        return -1;
    }

    /** The entry whose link leads on to a key, or -1 if the search for it ends in this shard. */
    private int link(int i, Shard shard, int depth) {
        byte[] key = keys[i].array;
        int entry = shard.find(key, depth, key.length);
        if (entry >= 0) {
            values[i] = shard.dataBehind(entry, key.length - depth);
            return -1;
        }
        // No other key of the shard can be a prefix of this one than the greatest lesser key.
        int below = -2 - entry;
        return below >= 0 && shard.hasShard(below) && shard.isKeyPrefix(below, key, depth, key.length) ? below : -1;
    }

    private void follow(Group group, Shard shard, int link, int first, int end) {
        if (link >= 0) {
            next.add(new Group(shard.ref(link), group.depth + shard.keyLength(link), first, end));
        }
    }
}
