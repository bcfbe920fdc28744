package dev.pail.through;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.dag.Link;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The links of blocks that came, in their order. If a reader follows links of one kind one by one, the next of them are fetched together: the
 * more, the more of those that were fetched ahead it has read. So what it does not read costs little. Safe for use by several threads.
 */
final class LinksAhead {
    /** How many links are remembered. With more, this begins anew. */
    private static final int MOST_LINKS = 1 << 16;

    /** How many blocks of a kind are ahead of a reader that has asked for two, and how many more for each of them that it reads. */
    private static final int STEP = 4;

    /** How many more blocks of values are ahead for each request, as those that were fetched first may be read last. */
    private static final int STEP_VALUES = 2;

    /** How many more shards or events are ahead for each request. A reader that asks for them one by one reads whole versions, depth first. */
    private static final int STEP_NEEDED = 16;

    /** How many bytes of blocks are fetched ahead, by the mean size of those that were read. */
    private static final long MOST_BYTES = 8 << 20;

    @GuardedBy("this")
    private final Map<Kind, Reading> readings = new HashMap<>();

    @GuardedBy("this")
    private final Map<Cid, Place> places = new HashMap<>();

    /** Both ends of the links in the order of a read. */
    @GuardedBy("this")
    private Place ends = Place.ends();

    /** Links are of one kind if what has them looks alike, they have the same role, and what they lead to has the same codec. */
    private record Kind(Link.Role from, Link.Role role, long codec) {}

    /** How a reader follows the links of a kind. The lock of the outer class guards it. */
    private static final class Reading {
        /** Those that were fetched ahead and not read. */
        private final Set<Cid> unread = new HashSet<>();

        private final boolean isNeeded;
        private int requests;
        private int hits;
        private int blocks;
        private long bytes;

        Reading(Kind kind) {
            this.isNeeded = kind.role != Link.Role.VALUE;
        }

        /** How many blocks to fetch ahead now. */
        int next() {
            if (requests++ == 0) {
                return 0;
            }
            long most = MOST_BYTES * Math.max(1, blocks) / Math.max(1, bytes);
            long wanted = STEP * (hits + 1L) + (isNeeded ? STEP_NEEDED : STEP_VALUES) * (long) requests;
            return (int) Math.min(most, wanted - unread.size());
        }
    }

    /** A link among those before and after it. The lock of the outer class guards it. */
    private static final class Place {
        private final Cid cid;
        private final @Nullable Reading reading;
        private Place before = this;
        private Place after = this;

        private Place(Cid cid, @Nullable Reading reading) {
            this.cid = cid;
            this.reading = reading;
        }

        static Place ends() {
            return new Place(Block.of(Cid.RAW, new byte[0]).cid(), null);
        }

        void insertAfter(Place other) {
            before = other;
            after = other.after;
            other.after.before = this;
            other.after = this;
        }
    }

    /** Notes the links of a block. A reader takes what is below a link before the next one, and an event before what is below its parents. */
    synchronized void came(ReadLinks read) {
        if (places.size() > MOST_LINKS) {
            readings.clear();
            places.clear();
            ends = Place.ends();
        }
        Place own = places.get(read.cid());
        Place last = own == null || read.shape() == Link.Role.EVENT ? ends.before : own;
        boolean isBehindShard = false;
        for (Link link : read.links()) {
            boolean isOfShard = isBehindShard && link.role() == Link.Role.VALUE;
            Reading reading = readings.computeIfAbsent(
                    new Kind(read.shape(), link.role(), link.cid().codec()), Reading::new);
            Place place = new Place(link.cid(), reading);
            isBehindShard = false;
            if (places.putIfAbsent(link.cid(), place) == null) {
                // The value of a key comes before the longer keys that begin with it.
                place.insertAfter(isOfShard ? last.before : last);
                last = isOfShard ? last : place;
                isBehindShard = link.role() == Link.Role.SHARD;
            }
        }
    }

    /** Notes that a block is read. */
    synchronized void read(Block block) {
        Place place = places.get(block.cid());
        Reading reading = place == null ? null : place.reading;
        if (reading != null) {
            reading.hits += reading.unread.remove(block.cid()) ? 1 : 0;
            reading.blocks++;
            reading.bytes += block.size();
        }
    }

    /**
     * The links that a reader probably follows after one that it follows now.
     *
     * @param most how many at most
     * @param isWanted whether one needs to be fetched
     */
    synchronized List<Cid> after(Cid first, boolean isDescending, int most, Predicate<Cid> isWanted) {
        Place from = places.get(first);
        Reading reading = from == null ? null : from.reading;
        if (from == null || reading == null) {
            return List.of();
        }
        int window = Math.min(most, reading.next());
        List<Cid> next = new ArrayList<>();
        for (Place at = isDescending ? from.before : from.after;
                at != from && next.size() < window;
                at = isDescending ? at.before : at.after) {
            if (at.reading == reading
                    && at.cid.canNameBlock()
                    && !reading.unread.contains(at.cid)
                    && isWanted.test(at.cid)) {
                next.add(at.cid);
            }
        }
        reading.unread.addAll(next);
        return next;
    }
}
