package dev.pail.shard;

import dev.pail.MalformedBlockException;
import dev.pail.ipld.Cid;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The shards that a walk or an edit needs at once where shards overlap (spec rule V0.7), and the one budget for that. A shard is pinned
 * once, however many links lead to it: two blocks are enough to link thousands of times to the same large shard. Shards that are no
 * longer pinned stay while there is room. The budget bounds bytes and looks at keys; a pail that needs more was made to do harm, and is
 * refused.
 *
 * <p>Not for use by several threads at once, and not for shards that carry a prefix.
 */
public final class PinnedShards {
    /** The most keys that are examined to find one. Only a pail made to do harm has more places for a key. */
    static final int MOST_LOOKS = 30_000;

    /** Reading this many bytes counts as one look. */
    private static final int BYTES_FOR_LOOK = 1 << 16;

    /** This many shards may be pinned however heavy they are, as on the way down where nothing overlaps. */
    private static final int FEW = 4;

    private final Shards shards;

    /** What is named when something is refused. */
    private final Cid top;

    private final long mostWeight;
    private final Map<Cid, Pin> pinned = new HashMap<>();
    private final Map<Cid, Pin> spare = new LinkedHashMap<>();

    /** How many are pinned. */
    private int count;

    private long weight;
    private long spareWeight;

    /** What else is in memory beside shards, in bytes. */
    private long others;

    private int looks;

    public PinnedShards(Shards shards, Cid top) {
        this(shards, top, ClockCache.defaultWeight());
    }

    /** @param mostWeight in bytes */
    PinnedShards(Shards shards, Cid top, long mostWeight) {
        this.shards = shards;
        this.top = top;
        this.mostWeight = mostWeight;
    }

    /** A shard that is pinned. */
    public static final class Pin {
        public final Shard shard;
        private final Cid cid;
        private final int weight;
        private int pins;

        private Pin(Cid cid, Shard shard) {
            this.cid = cid;
            this.shard = shard;
            this.weight = shard.weight();
        }
    }

    /**
     * Pins the shard that a ref links to. Throws what {@link Shards#load} does.
     *
     * @throws MalformedBlockException if there is no room for it
     */
    public Pin pin(ShardRef ref, KeyBytes prefix) {
        Pin one = pinned.get(ref.cid);
        if (one == null) {
            one = spare.remove(ref.cid);
            if (one == null) {
                one = new Pin(ref.cid, shards.load(ref, prefix));
                looks += one.weight / BYTES_FOR_LOOK;
            } else {
                spareWeight -= one.weight;
            }
            pinned.put(ref.cid, one);
            count++;
            weight += one.weight;
            makeRoom();
        }
        one.pins++;
        return one;
    }

    /** Pins a shard once more. */
    public void pinAgain(Pin one) {
        one.pins++;
    }

    public void unpin(Pin one) {
        if (--one.pins == 0) {
            pinned.remove(one.cid);
            spare.put(one.cid, one);
            spareWeight += one.weight;
            count--;
            weight -= one.weight;
        }
    }

    /** Counts other memory, in bytes. */
    public void add(long bytes) {
        others += bytes;
        makeRoom();
    }

    private void makeRoom() {
        long used = weight + others;
        for (Iterator<Pin> all = spare.values().iterator(); used + spareWeight > mostWeight && all.hasNext(); ) {
            spareWeight -= all.next().weight;
            all.remove();
        }
        if (used > mostWeight && (others > mostWeight || count > FEW)) {
            throw MalformedBlockException.ofShard(top, 0, "more shards overlap here than can be followed (V0.7)");
        }
    }

    /** Counts less of other memory, in bytes. */
    public void remove(long bytes) {
        others -= bytes;
    }

    /** Counts looks at keys. */
    public void countLooks(int times) {
        looks += times;
        if (looks > MOST_LOOKS) {
            throw MalformedBlockException.ofShard(
                    top, 0, "overlapping shards leave a key no more than " + MOST_LOOKS + " places (V0.7)");
        }
    }

    /** Counts from here on, as for another key: what is held stays so, but was held for others. */
    public void nextKey() {
        looks = 0;
        count = 0;
        weight = 0;
    }
}
