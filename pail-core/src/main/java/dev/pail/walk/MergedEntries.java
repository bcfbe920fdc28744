package dev.pail.walk;

import dev.pail.Entry;
import dev.pail.MalformedBlockException;
import dev.pail.ipld.Cid;
import dev.pail.shard.Cut;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.OverlapSearch;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of walks that overlap, in one order. Where foreign data has a key twice, the entry given is the
 * one that {@link OverlapSearch} finds. The same shard twice in one place, which would double the work with each level, is gone through
 * once, where it comes first. More overlaps in one place than any pail not made to do harm has are refused.
 */
final class MergedEntries {
    private static final int MOST_WAITING = 2000;

    private final Direction direction;
    private final PriorityQueue<Waiting> waiting;

    /** The prefixes of the last one at which shards were entered, the longest first. Those at others have been passed. */
    private final Deque<Place> entered = new ArrayDeque<>();

    private KeyBytes lastPrefix = KeyBytes.EMPTY;
    private @Nullable String lastKey;

    /**
     * Where shards were entered.
     *
     * @param length of what their keys start with
     */
    private record Place(int length, Set<Cid> shards) {}

    /**
     * Where a walk stands among the others, in the order in which a key is looked for: branches of a branch come together, and
     * the first before the second.
     */
    private record Rank(@Nullable Rank outer, int branch, int depth) implements Comparable<Rank> {
        private Rank at(int lesserDepth) {
            Rank rank = this;
            while (rank.depth > lesserDepth && rank.outer != null) {
                rank = rank.outer;
            }
            return rank;
        }

        @Override
        public int compareTo(Rank other) {
            int common = Math.min(depth, other.depth);
            Rank one = at(common);
            Rank two = other.at(common);
            while (one.outer != null && two.outer != null && one.outer != two.outer) {
                one = one.outer;
                two = two.outer;
            }
            return one == two ? Integer.compare(depth, other.depth) : Integer.compare(one.branch, two.branch);
        }
    }

    /**
     * A walk that waits for its turn.
     *
     * @param at the position at which it resumes
     * @param rank orders walks as a key is looked for
     * @param entry the next entry, if that is what comes next
     * @param overlap the overlap that the walk has come to, if that is what comes next
     */
    private record Waiting(
            Cut at, Rank rank, EntryWalk walk, @Nullable Entry entry, EntryWalk.@Nullable Overlap overlap) {}

    /** The entries where a walk has just come to an overlap. */
    MergedEntries(Direction direction, EntryWalk walk) {
        this.direction = direction;
        Comparator<Waiting> ascendingOrder = Comparator.comparing(Waiting::at);
        Comparator<Waiting> order = direction.isDescending() ? ascendingOrder.reversed() : ascendingOrder;
        waiting = new PriorityQueue<>(order.thenComparing(Waiting::rank));
        enter(walk.overlap(), new Rank(null, 0, 0));
    }

    private void enter(EntryWalk.Overlap overlap, Rank rank) {
        if (waiting.size() > MOST_WAITING) {
            throw MalformedBlockException.ofShard(
                    overlap.shard(), 0, "more shards overlap here than can be followed (V0.7)");
        }
        if (place(overlap.prefix()).shards.add(overlap.shard())) {
            advance(overlap.below(), new Rank(rank, 0, rank.depth + 1));
        } else {
            overlap.below().end();
        }
        advance(overlap.beside(), new Rank(rank, 1, rank.depth + 1));
    }

    /** The place of a prefix. Walks come to places in order, so none comes again to one whose keys are behind. */
    private Place place(KeyBytes prefix) {
        int common = lastPrefix.commonLength(prefix);
        lastPrefix = prefix;
        while (!entered.isEmpty() && entered.element().length > common) {
            entered.pop();
        }
        if (entered.isEmpty() || entered.element().length < prefix.length()) {
            entered.push(new Place(prefix.length(), new HashSet<>()));
        }
        return entered.element();
    }

    private void advance(EntryWalk walk, Rank rank) {
        switch (walk.next()) {
            case END -> {}
            case ENTRY -> {
                KeyBytes key = KeyBytes.of(walk.found().key());
                Cut at = direction.isDescending() ? Cut.after(key) : Cut.before(key);
                waiting.add(new Waiting(at, rank, walk, walk.found(), null));
            }
            case OVERLAP -> {
                KeyBytes prefix = walk.overlap().prefix();
                Cut here = direction.isDescending() ? Cut.behind(prefix) : Cut.before(prefix);
                waiting.add(new Waiting(here, rank, walk, null, walk.overlap()));
            }
        }
    }

    /** The next entry, or null behind the last one. */
    @Nullable
    Entry next() {
        for (Waiting least = waiting.poll(); least != null; least = waiting.poll()) {
            EntryWalk.Overlap overlap = least.overlap;
            if (overlap != null) {
                KeyBytes prefix = overlap.prefix();
                Cut past = direction.isDescending() ? Cut.before(prefix) : Cut.behind(prefix);
                waiting.add(new Waiting(past, least.rank, least.walk, null, null));
                enter(overlap, least.rank);
                continue;
            }
            advance(least.walk, least.rank);
            Entry entry = least.entry;
            if (entry != null && !entry.key().equals(lastKey)) {
                lastKey = entry.key();
                return entry;
            }
        }
        return null;
    }
}
