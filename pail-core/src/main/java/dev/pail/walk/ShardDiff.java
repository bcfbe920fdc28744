package dev.pail.walk;

import dev.pail.OperationInterruptedException;
import dev.pail.ShardChanges;
import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.ShardTree;
import dev.pail.shard.Shards;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the shards that only one of two versions has. Goes down both level by level, and no further where both have the same
 * shard on a level.
 */
public final class ShardDiff {
    private final Side before;
    private final Side after;

    /** Shards that both have on a level, by CID; what is below them was not looked at. */
    private final Map<Cid, ShardPlace> common = new LinkedHashMap<>();

    /** One of the versions. */
    private static final class Side {
        final ShardTree tree;

        /** The shards that were looked into. */
        final Set<Cid> seen = new LinkedHashSet<>();

        /** The shards of the level, by CID. */
        Map<Cid, ShardPlace> level = new LinkedHashMap<>();

        Side(ShardTree tree) {
            this.tree = tree;
            level.put(tree.root().cid, new ShardPlace(tree.root(), KeyBytes.EMPTY));
        }

        /** Reads the shards of the level and moves to the shards that they link to. */
        void descend() {
            seen.addAll(level.keySet());
            Map<Cid, ShardPlace> next = new LinkedHashMap<>();
            level.values().forEach(place -> addLinks(tree.shards(), place, next));
            next.keySet().removeAll(seen);
            level = next;
        }
    }

    public ShardDiff(ShardTree before, ShardTree after) {
        this.before = new Side(before);
        this.after = new Side(after);
    }

    /** The shards that are in one version and nowhere in the other. Rule X5. */
    public ShardChanges changes() {
        descend();
        Set<Cid> removed = new LinkedHashSet<>(before.seen);
        removed.removeAll(after.seen);
        Set<Cid> added = new LinkedHashSet<>(after.seen);
        added.removeAll(before.seen);
        // Rule X6: without prefixes, a shard that is gone from its place may be in another.
        if (!before.tree.shards().layout.isPrefixed()) {
            removeCommon(removed, added);
        }
        return new ShardChanges(added, removed);
    }

    /**
     * Goes up through shards of the later version: all that the earlier one does not have, and perhaps some that it has elsewhere.
     * A shard comes after all that it links to. Reads no more than what differs.
     */
    public void added(Consumer<Cid> action) {
        descend();
        ShardOrder.postOrder(after.tree, after.seen, action);
    }

    private void descend() {
        while (!before.level.isEmpty() || !after.level.isEmpty()) {
            before.level.forEach((cid, link) -> {
                if (after.level.containsKey(cid)) {
                    common.put(cid, link);
                }
            });
            before.level.keySet().removeAll(common.keySet());
            after.level.keySet().removeAll(common.keySet());
            before.descend();
            after.descend();
        }
    }

    /**
     * Looks for shards in what both versions have in common. No root is there: what is in common is below both roots, and a
     * shard cannot be below itself.
     */
    private void removeCommon(Set<Cid> removed, Set<Cid> added) {
        Set<Cid> wanted = new LinkedHashSet<>(removed);
        wanted.addAll(added);
        wanted.remove(before.tree.root().cid);
        wanted.remove(after.tree.root().cid);
        Set<Cid> found = new LinkedHashSet<>(common.keySet());
        Map<Cid, ShardPlace> level = common;
        while (!level.isEmpty()) {
            wanted.removeAll(level.keySet());
            if (wanted.isEmpty()) {
                break;
            }
            Map<Cid, ShardPlace> next = new LinkedHashMap<>();
            level.values().forEach(place -> addLinks(before.tree.shards(), place, next));
            next.keySet().removeAll(found);
            found.addAll(next.keySet());
            level = next;
        }
        removed.removeAll(found);
        added.removeAll(found);
    }

    private static void addLinks(Shards shards, ShardPlace place, Map<Cid, ShardPlace> links) {
        OperationInterruptedException.check("a comparison of two versions");
        place.forEachLink(shards, place.load(shards), next -> links.putIfAbsent(next.ref().cid, next));
    }
}
