package dev.pail.walk;

import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Orders shards depth first, links in the order of their keys: those of a set to which the root leads through shards of the set, each where
 * the walk first comes to it. Reads no other shard.
 */
public final class ShardOrder {
    private final ShardTree tree;
    private final Set<Cid> due;
    private final Consumer<Cid> entered;
    private final Consumer<Cid> left;
    private final ShardWalk<Cid> walk = new ShardWalk<>();

    private ShardOrder(ShardTree tree, Set<Cid> wanted, Consumer<Cid> entered, Consumer<Cid> left) {
        this.tree = tree;
        this.due = new HashSet<>(wanted);
        this.entered = entered;
        this.left = left;
    }

    /** A shard before all that it links to, as a CAR has them. */
    public static List<Cid> preOrder(ShardTree tree, Set<Cid> wanted) {
        List<Cid> order = new ArrayList<>();
        new ShardOrder(tree, wanted, order::add, cid -> {}).run();
        return order;
    }

    /** A shard after all that it links to. */
    static void postOrder(ShardTree tree, Set<Cid> wanted, Consumer<Cid> action) {
        new ShardOrder(tree, wanted, cid -> {}, action).run();
    }

    private void run() {
        enter(tree.root(), KeyBytes.EMPTY);
        for (ShardWalk.Level<Cid> level = walk.innermost(); level != null; level = walk.innermost()) {
            int entry = due.isEmpty() || !level.shard.isLinked() ? -1 : walk.next();
            if (entry < 0) {
                walk.leave();
                left.accept(level.kept);
            } else if (level.shard.hasShard(entry)) {
                enter(level.shard.ref(entry), walk.key());
            }
        }
    }

    private void enter(ShardRef ref, KeyBytes prefix) {
        if (due.remove(ref.cid)) {
            walk.enter(ref, tree.shards().load(ref, prefix), ref.cid);
            entered.accept(ref.cid);
        }
    }
}
