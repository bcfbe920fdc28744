package dev.pail;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The entries of walks that overlap, in one order. Where foreign data has a key twice, the entry is given that
 * {@link Editor#get} finds.
 */
final class MergedEntries {
    private final boolean descending;
    private final PriorityQueue<Waiting> waiting;
    private @Nullable String lastKey;

    /**
     * A walk that waits for its turn.
     *
     * @param at where it goes on
     * @param rank orders walks as a key is looked for
     * @param entry the next entry, if that is what comes next
     * @param overlap the overlap that the walk has come to, if that is what comes next
     */
    private record Waiting(
            KeyRange.Cut at,
            String rank,
            EntryWalk walk,
            @Nullable Entry entry,
            EntryWalk.@Nullable Overlap overlap) {}

    /** The entries where a walk has just come to an overlap. */
    MergedEntries(boolean descending, EntryWalk walk) {
        this.descending = descending;
        Comparator<Waiting> ascendingOrder = Comparator.comparing(Waiting::at);
        Comparator<Waiting> order = descending ? ascendingOrder.reversed() : ascendingOrder;
        waiting = new PriorityQueue<>(order.thenComparing(Waiting::rank));
        enter(walk.overlap(), "");
    }

    private void enter(EntryWalk.Overlap overlap, String rank) {
        advance(overlap.below(), rank + "0");
        advance(overlap.beside(), rank + "1");
    }

    private void advance(EntryWalk walk, String rank) {
        switch (walk.next()) {
            case END -> {}
            case ENTRY -> {
                KeyBytes key = KeyBytes.of(walk.found().key());
                KeyRange.Cut at = descending ? KeyRange.Cut.after(key) : KeyRange.Cut.before(key);
                waiting.add(new Waiting(at, rank, walk, walk.found(), null));
            }
            case OVERLAP -> {
                KeyBytes prefix = walk.overlap().prefix();
                KeyRange.Cut here = descending ? KeyRange.Cut.behind(prefix) : KeyRange.Cut.before(prefix);
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
                KeyRange.Cut past = descending ? KeyRange.Cut.before(prefix) : KeyRange.Cut.behind(prefix);
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
