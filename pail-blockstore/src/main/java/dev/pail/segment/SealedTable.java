package dev.pail.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.SealedIndex;
import java.io.IOException;
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
    /** To add an entry takes about as long as to search this part of an index: most of the time, a page is read from the disk. */
    private static final int ADDED_IN_A_SEARCH = 16;

    /** The bits of a slot for the place of an index, plus 1. The others are of the hash. */
    private static final int PLACE_BITS = 16;

    /** How many places of indexes that are gone do not matter. */
    private static final int SPARE_PLACES = 3;

    private static final int MOST_PLACES = (1 << PLACE_BITS) - 1;
    private static final int MOST_SLOTS = 1 << 29;

    /** At most four of five slots are used. New tables have four slots for three entries. So an entry takes 5 to 5.4 bytes. */
    private static final int USED = 4;

    private static final int OF = 5;

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
    List<View.Segment> candidates(View view, Cid cid) throws IOException {
        if (full || view.segments().size() <= 1) {
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
        int[] slots = now.slots;
        for (int at = first(hash, slots), slot = slots[at]; slot != 0; slot = slots[at]) {
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
            at = next(at, slots);
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

    private static int first(long hash, int[] slots) {
        return (int) (((hash >>> 32) * slots.length) >>> 32);
    }

    private static int next(int slot, int[] slots) {
        return slot + 1 == slots.length ? 0 : slot + 1;
    }

    private static int bits(int slot) {
        return slot & ~MOST_PLACES;
    }

    /** The state of a view; null if there is none yet, or none is possible. */
    private @Nullable State cover(View view) throws IOException {
        if (state == null) {
            long count = 0;
            for (View.Segment segment : view.segments()) {
                count += segment.index().count();
            }
            if (++lookups * view.segments().size() * ADDED_IN_A_SEARCH < count) {
                return null;
            }
        }
        return make(view);
    }

    private synchronized @Nullable State make(View view) throws IOException {
        List<View.Segment> others = new ArrayList<>();
        List<View.Segment> sealed = new ArrayList<>();
        long wanted = entries;
        int most = places.size();
        for (View.Segment segment : view.segments()) {
            if (segment.index() instanceof SealedIndex index) {
                sealed.add(segment);
                if (!places.containsKey(index)) {
                    wanted += index.count();
                    most++;
                }
            } else {
                others.add(segment);
            }
        }
        State before = state;
        int[] slots = before == null ? new int[1] : before.slots;
        boolean isFull = wanted * OF > (long) slots.length * USED || most > MOST_PLACES;
        // Most of the indexes are gone after a compaction. They cannot be read any more, so they are left out.
        if (isFull || places.size() > 2 * sealed.size() + SPARE_PLACES) {
            places.clear();
            entries = 0;
            long all = 0;
            for (View.Segment segment : sealed) {
                all += segment.index().count();
            }
            if (all * 4 / 3 > MOST_SLOTS || sealed.size() > MOST_PLACES) {
                full = true;
                return null;
            }
            slots = new int[(int) (all * 4 / 3) + 2];
        }
        for (View.Segment segment : sealed) {
            SealedIndex index = (SealedIndex) segment.index();
            if (!places.containsKey(index)) {
                // Before it is added: if reading fails half-way, some slots are used.
                entries += index.count();
                add(index, places.size(), slots);
                places.put(index, places.size());
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

    /** If reading fails half-way, some slots have the place that the next index gets, which is then looked at more often. */
    private void add(SealedIndex index, int place, int[] slots) throws IOException {
        index.forEachKey(key -> {
            long hash = hash(key);
            int slot = bits((int) hash) | (place + 1);
            int at = first(hash, slots);
            // The same slot on the way does for several entries of one key.
            while (slots[at] != 0 && slots[at] != slot) {
                at = next(at, slots);
            }
            slots[at] = slot;
        });
    }
}
