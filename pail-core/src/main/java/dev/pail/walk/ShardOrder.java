package dev.pail.walk;

import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Orders shards as a CAR has them: depth first, a shard before those that it links to. */
public final class ShardOrder {
    private final ShardTree tree;
    private final Set<Cid> due;
    private final ShardWalk<Cid> walk = new ShardWalk<>();
    private final List<Cid> order = new ArrayList<>();

    private ShardOrder(ShardTree tree, Set<Cid> wanted) {
        this.tree = tree;
        this.due = new HashSet<>(wanted);
    }

    /**
     * Those of a set of shards to which the root leads through shards of the set, each where the walk first comes to it. Reads no other
     * shard.
     */
    public static List<Cid> of(ShardTree tree, Set<Cid> wanted) {
        return new ShardOrder(tree, wanted).order();
    }

    private List<Cid> order() {
        enter(tree.root(), KeyBytes.EMPTY);
        for (ShardWalk.Level<Cid> level = walk.innermost(); level != null && !due.isEmpty(); level = walk.innermost()) {
            int entry = level.shard.isLinked() ? walk.next() : -1;
            if (entry < 0) {
                walk.leave();
            } else if (level.shard.hasShard(entry)) {
                enter(level.shard.ref(entry), walk.key());
            }
        }
        return order;
    }

    private void enter(ShardRef ref, KeyBytes prefix) {
        if (due.remove(ref.cid)) {
            order.add(ref.cid);
            walk.enter(ref, tree.shards().load(ref, prefix), ref.cid);
        }
    }
}
