package dev.pail.shard;

import dev.pail.MalformedShardException;
import dev.pail.ipld.Cid;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The shards that are held at once where shards overlap (spec rule V0.7), and what that costs. One is held once, however many links
 * lead to it: two blocks are enough to link thousands of times to the same large shard. Those that nobody holds any more stay for as
 * long as there is room. More than there is room for, or more looks than any pail not made to do harm needs, is refused.
 *
 * <p>Not for use by several threads at once, and not for shards that carry a prefix.
 */
public final class HeldShards {
    /** The most keys that are examined to find one. Only a pail made to do harm has more places for a key. */
    static final int MOST_LOOKS = 30_000;

    /** Reading this many bytes counts as one look. */
    private static final int BYTES_FOR_LOOK = 1 << 16;

    /** This many shards are held however heavy they are, as they are on the way down where nothing overlaps. */
    private static final int FEW = 4;

    private final Shards shards;

    /** What is named when something is refused. */
    private final Cid top;

    private final long mostWeight;
    private final Map<Cid, Held> held = new HashMap<>();
    private final Map<Cid, Held> spare = new LinkedHashMap<>();

    /** How many are held. */
    private int count;

    private long weight;
    private long spareWeight;

    /** What is held beside shards, in bytes. */
    private long others;

    private int looks;

    public HeldShards(Shards shards, Cid top) {
        this(shards, top, ClockCache.defaultWeight());
    }

    /** @param mostWeight in bytes */
    HeldShards(Shards shards, Cid top, long mostWeight) {
        this.shards = shards;
        this.top = top;
        this.mostWeight = mostWeight;
    }

    /** A shard that is held. */
    public static final class Held {
        public final Shard shard;
        private final Cid cid;
        private final int weight;
        private int holders;

        private Held(Cid cid, Shard shard) {
            this.cid = cid;
            this.shard = shard;
            this.weight = shard.weight();
        }
    }

    /**
     * Holds the shard that a ref links to. Throws what {@link Shards#load} does.
     *
     * @throws MalformedShardException if there is no room for it
     */
    public Held hold(ShardRef ref, KeyBytes prefix) {
        Held one = held.get(ref.cid);
        if (one == null) {
            one = spare.remove(ref.cid);
            if (one == null) {
                one = new Held(ref.cid, shards.load(ref, prefix));
                looks += one.weight / BYTES_FOR_LOOK;
            } else {
                spareWeight -= one.weight;
            }
            held.put(ref.cid, one);
            count++;
            weight += one.weight;
            makeRoom();
        }
        one.holders++;
        return one;
    }

    /** Holds it once more. */
    public void holdAgain(Held one) {
        one.holders++;
    }

    public void release(Held one) {
        if (--one.holders == 0) {
            held.remove(one.cid);
            spare.put(one.cid, one);
            spareWeight += one.weight;
            count--;
            weight -= one.weight;
        }
    }

    /** Counts what else is held, in bytes. */
    public void add(long bytes) {
        others += bytes;
        makeRoom();
    }

    private void makeRoom() {
        long used = weight + others;
        for (Iterator<Held> all = spare.values().iterator(); used + spareWeight > mostWeight && all.hasNext(); ) {
            spareWeight -= all.next().weight;
            all.remove();
        }
        if (used > mostWeight && (others > mostWeight || count > FEW)) {
            throw new MalformedShardException(top, 0, "more shards overlap here than can be followed (V0.7)");
        }
    }

    /** Counts less of what else is held. */
    public void remove(long bytes) {
        others -= bytes;
    }

    /** Counts looks at keys. */
    public void looked(int times) {
        looks += times;
        if (looks > MOST_LOOKS) {
            throw new MalformedShardException(
                    top, 0, "overlapping shards leave a key no more than " + MOST_LOOKS + " places (V0.7)");
        }
    }

    /** Counts from here on, as for another key: what is held stays so, but was held for others. */
    public void startAgain() {
        looks = 0;
        count = 0;
        weight = 0;
    }
}
