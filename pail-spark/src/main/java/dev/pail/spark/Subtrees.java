package dev.pail.spark;

import dev.pail.BlockException;
import dev.pail.ShardView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of keys for tasks: each begins at a subtree that differs between two versions. Any ranges that cover all keys give the same
 * result, so where they begin decides only how even the work is.
 */
final class Subtrees {
    private Subtrees() {}

    /** Shards with one prefix. */
    private static final class Pair {
        private final String prefix;
        private @Nullable ShardView before;
        private @Nullable ShardView after;

        Pair(String prefix) {
            this.prefix = prefix;
        }

        boolean isEqual() {
            return before != null && after != null && before.cid().equals(after.cid());
        }
    }

    /**
     * Goes down from two roots until there are enough unequal subtrees, or no more.
     *
     * @param after null to cut one version into ranges
     * @param wanted the number of ranges
     * @return ranges that cover all keys, in their order
     */
    static List<KeyPart> ranges(ShardView before, @Nullable ShardView after, int wanted) {
        Pair roots = new Pair("");
        roots.before = before;
        roots.after = after;
        Queue<Pair> unequal = new ArrayDeque<>();
        List<Pair> damaged = new ArrayList<>();
        if (!roots.isEqual()) {
            unequal.add(roots);
        }
        while (!unequal.isEmpty() && unequal.size() + damaged.size() < wanted) {
            Pair pair = unequal.remove();
            try {
                unequal.addAll(below(pair));
            } catch (BlockException e) {
                // The task that reads this shard says what is wrong with it.
                damaged.add(pair);
            }
        }
        unequal.addAll(damaged);
        return between(unequal.stream()
                .map(pair -> pair.prefix)
                .filter(prefix -> !prefix.isEmpty())
                .distinct()
                .sorted()
                .toList());
    }

    private static List<Pair> below(Pair pair) {
        Map<String, Pair> linked = new TreeMap<>();
        if (pair.before != null) {
            pair.before
                    .items()
                    .forEach(item -> item.shard()
                            .ifPresent(shard -> linked.computeIfAbsent(shard.prefix(), Pair::new).before = shard));
        }
        if (pair.after != null) {
            pair.after
                    .items()
                    .forEach(item -> item.shard()
                            .ifPresent(shard -> linked.computeIfAbsent(shard.prefix(), Pair::new).after = shard));
        }
        return linked.values().stream().filter(each -> !each.isEqual()).toList();
    }

    private static List<KeyPart> between(List<String> borders) {
        List<KeyPart> ranges = new ArrayList<>();
        String from = null;
        for (String border : borders) {
            ranges.add(new KeyPart(from, border));
            from = border;
        }
        ranges.add(new KeyPart(from, null));
        return ranges;
    }
}
