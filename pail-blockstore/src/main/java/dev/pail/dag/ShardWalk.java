package dev.pail.dag;

import dev.pail.BlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.trace.Trace;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The shards of versions in post-order: those below a shard come right before it, in the order of its keys. Each shard comes once. A shard
 * that is missing, or cannot be read, is left out with those below it.
 *
 * <p>Recurses nowhere. Holds the links of the shards on the path, and some 22 bytes for each shard that it met. For one thread at a time.
 */
public final class ShardWalk implements Iterator<Cid> {
    private final Function<Cid, Optional<Block>> blocks;
    private final Iterator<Cid> roots;
    private final CidSet seen = new CidSet();
    private final Deque<Step> path = new ArrayDeque<>();

    /** The shard that comes next; null if it is not known yet, or there is none. */
    private @Nullable Cid next;

    /** A shard on the path, and those below it that are left. */
    private record Step(Cid shard, Iterator<Cid> below) {}

    /** @param blocks gives a block, if it is there */
    public ShardWalk(Collection<Cid> roots, Function<Cid, Optional<Block>> blocks) {
        this.roots = List.copyOf(roots).iterator();
        this.blocks = blocks;
    }

    /** The shards right below a shard; empty if that is missing, or cannot be read. */
    public static List<Cid> below(Cid shard, Function<Cid, Optional<Block>> blocks) {
        return links(shard, blocks).orElse(List.of());
    }

    private static Optional<List<Cid>> links(Cid shard, Function<Cid, Optional<Block>> blocks) {
        try {
            return blocks.apply(shard)
                    .map(block -> Links.of(block, Link.Role.SHARD).stream()
                            .filter(link -> link.role() == Link.Role.SHARD)
                            .map(Link::cid)
                            .toList());
        } catch (BlockException e) {
            Trace.swallowed("a shard that cannot be read is left out of a walk", e);
            return Optional.empty();
        }
    }

    private void enter(Cid shard) {
        if (seen.add(shard.raw())) {
            links(shard, blocks).ifPresent(below -> path.push(new Step(shard, below.iterator())));
        }
    }

    @Override
    public boolean hasNext() {
        while (next == null && (!path.isEmpty() || roots.hasNext())) {
            Step last = path.peek();
            if (last == null) {
                enter(roots.next());
            } else if (last.below.hasNext()) {
                enter(last.below.next());
            } else {
                next = path.pop().shard;
            }
        }
        return next != null;
    }

    @Override
    public Cid next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        Cid shard = next;
        next = null;
        return shard;
    }
}
