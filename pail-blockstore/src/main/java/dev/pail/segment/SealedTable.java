package dev.pail.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.SealedIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A hash table over the indexes of all sealed segments: it names the few segments that may have a block. A search of each index takes a
 * time proportional to the number of segments: with 100 segments, 100 µs, and with the table 1 µs. For use by several threads at once:
 * lookups take no lock.
 *
 * <p>A slot holds the place of an index in the order in which the indexes were added, and some bits of the hash. Slots are only added, so
 * a reader of an older view needs no copy. Most commands read a few blocks, so the table is made only after a number of lookups.
 */
final class SealedTable {
    /** With fewer segments, each index is searched. */
    private static final int FEW_SEGMENTS = 3;

    /** The bits of a slot for the place of an index, plus 1. The others are of the hash. */
    private static final int PLACE_BITS = 16;

    private static final int MOST_PLACES = (1 << PLACE_BITS) - 1;
    private static final int MOST_SLOTS = 1 << 29;

    /** Makes it hard to choose CIDs that get slots side by side. */
    private final long salt = ThreadLocalRandom.current().nextLong();

    /** The place of each index that was added. */
    @GuardedBy("this")
    private final IdentityHashMap<SealedIndex, Integer> places = new IdentityHashMap<>();

    /** How many entries were added, at most. */
    @GuardedBy("this")
    private long entries;

    /** How many lookups were made without a table. Threads may overwrite each other's count, which does not matter. */
    private long lookups;

    private volatile @Nullable State state;

    /** Whether there is no room for all entries. Then each index is searched. */
    private volatile boolean full;

    /** What a lookup needs. Never changes, but that slots are added. */
    private static final class State {
        final View view;

        /** A power of two of them, at most half of them used. */
        final int[] slots;

        /** The segments of the view by the place of their index; null where the index is not of the view. */
        final View.@Nullable Segment[] byPlace;

        /** The segments of the view that are not sealed, in the order of their numbers. */
        final List<View.Segment> others;

        State(View view, int[] slots, View.@Nullable Segment[] byPlace, List<View.Segment> others) {
            this.view = view;
            this.slots = slots;
            this.byPlace = byPlace;
            this.others = others;
        }
    }

    /** The segments of a view that may have a block, in the order of their numbers. */
    @SuppressWarnings("ReferenceEquality") // To compare all segments of two views would take too long.
    List<View.Segment> candidates(View view, Cid cid) {
        if (full || view.segments().size() <= FEW_SEGMENTS) {
            return view.segments();
        }
        State now = state;
        if (now == null || now.view != view) {
            now = cover(view);
            if (now == null) {
                return view.segments();
            }
        }
        List<View.Segment> sealed = null;
        long hash = hash(SealedIndex.key(cid));
        int mask = now.slots.length - 1;
        for (int at = first(hash) & mask, slot = now.slots[at]; slot != 0; slot = now.slots[at]) {
            int place = (slot & MOST_PLACES) - 1;
            // A slot may have been added for a newer view.
            View.Segment segment =
                    bits(slot) == bits((int) hash) && place < now.byPlace.length ? now.byPlace[place] : null;
            if (segment != null) {
                sealed = sealed == null ? new ArrayList<>(2) : sealed;
                // Another key on the way may have the same bits, and be of the same segment.
                if (!sealed.contains(segment)) {
                    sealed.add(segment);
                }
            }
            at = (at + 1) & mask;
        }
        if (sealed == null) {
            return now.others;
        }
        sealed.addAll(now.others);
        sealed.sort(Comparator.comparingInt(each -> each.file().segmentNumber()));
        return sealed;
    }

    private long hash(long key) {
        long hash = (key ^ salt) * 0x9e3779b97f4a7c15L;
        return hash ^ (hash >>> 32);
    }

    private static int first(long hash) {
        return (int) (hash >>> 32);
    }

    private static int bits(int slot) {
        return slot & ~MOST_PLACES;
    }

    /** The state of a view; null if there is none yet, or none is possible. */
    private @Nullable State cover(View view) {
        if (state == null) {
            long count = 0;
            for (View.Segment segment : view.segments()) {
                count += segment.index().count();
            }
            // To add an entry takes about as long as to search two indexes.
            if (++lookups * view.segments().size() * 2 < count) {
                return null;
            }
        }
        return make(view);
    }

    private synchronized @Nullable State make(View view) {
        List<View.Segment> others = new ArrayList<>();
        List<View.Segment> sealed = new ArrayList<>();
        for (View.Segment segment : view.segments()) {
            (segment.index() instanceof SealedIndex ? sealed : others).add(segment);
        }
        State before = state;
        int[] slots = before == null ? new int[2] : before.slots;
        // Most of the indexes are gone after a compaction.
        if (places.size() > 2 * sealed.size() + FEW_SEGMENTS) {
            places.clear();
            entries = 0;
            slots = new int[2];
        }
        for (View.Segment segment : sealed) {
            SealedIndex index = (SealedIndex) segment.index();
            if (places.containsKey(index)) {
                continue;
            }
            entries += index.count();
            if (places.size() == MOST_PLACES || entries > MOST_SLOTS / 2) {
                full = true;
                return null;
            }
            places.put(index, places.size());
            if (entries > slots.length / 2) {
                int[] larger = new int[Integer.highestOneBit((int) entries) << 2];
                places.forEach((each, place) -> add(each, place, larger));
                slots = larger;
            } else {
                add(index, places.size() - 1, slots);
            }
        }
        View.@Nullable Segment[] byPlace = new View.@Nullable Segment[places.size()];
        for (View.Segment segment : sealed) {
            byPlace[Objects.requireNonNull(places.get((SealedIndex) segment.index()))] = segment;
        }
        State made = new State(view, slots, byPlace, List.copyOf(others));
        state = made;
        return made;
    }

    private void add(SealedIndex index, int place, int[] slots) {
        int mask = slots.length - 1;
        index.forEachKey(key -> {
            long hash = hash(key);
            int slot = bits((int) hash) | (place + 1);
            int at = first(hash) & mask;
            // The same slot on the way does for several entries of one key.
            while (slots[at] != 0 && slots[at] != slot) {
                at = (at + 1) & mask;
            }
            slots[at] = slot;
        });
    }
}
