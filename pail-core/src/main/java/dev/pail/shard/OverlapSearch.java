package dev.pail.shard;

import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a key where shards overlap (spec rule V0.7): wherever links lead that are prefixes of it, shorter ones first, and then in
 * the shard itself. Finds what an edit finds before a change, but it only reads. It recurses nowhere.
 */
public final class OverlapSearch {
    private static final int ROOM = 4;
    private static final int[] NO_LINKS = {};

    private final PinnedShards pinned;
    private final byte[] key;
    private final Deque<Step> path = new ArrayDeque<>();

    /** A shard on the way of the key. */
    private static final class Step {
        final Shard shard;

        /** Null for the first one. */
        final PinnedShards.@Nullable Pin pin;

        /** Where in the key the rest starts that is looked for here. */
        final int from;

        /** The entries whose links may lead on, the shortest last. */
        final int[] links;

        /** How many of them were not followed yet. */
        int left;

        Step(Shard shard, PinnedShards.@Nullable Pin pin, int from, int[] links) {
            this.shard = shard;
            this.pin = pin;
            this.from = from;
            this.links = links;
            this.left = links.length;
        }
    }

    OverlapSearch(Shards shards, Cid top, byte[] key) {
        this.pinned = new PinnedShards(shards, top);
        this.key = key;
    }

    /** Returns the value of the key below a shard, which must be the only way to the rest of the key from {@code start} on. */
    @Nullable
    Cid in(Shard first, int start) {
        path.push(new Step(first, null, start, links(first, start)));
        for (Step step = path.peek(); step != null; step = path.peek()) {
            if (step.left > 0) {
                int link = step.links[--step.left];
                int from = step.from + step.shard.keyLength(link);
                PinnedShards.Pin next = pinned.pin(step.shard.ref(link), new KeyBytes(key, 0, from));
                pinned.countLooks(1);
                path.push(new Step(next.shard, next, from, links(next.shard, from)));
                continue;
            }
            int entry = step.shard.find(key, step.from, key.length);
            Cid data = entry < 0 ? null : step.shard.dataBehind(entry, key.length - step.from);
            if (data != null) {
                return data;
            }
            path.pop();
            if (step.pin != null) {
                pinned.unpin(step.pin);
            }
        }
        return null;
    }

    /** The links whose keys are proper prefixes of the rest of the key, the shortest last. */
    private int[] links(Shard shard, int from) {
        int[] found = NO_LINKS;
        int count = 0;
        int entry = shard.find(key, from, key.length);
        // All keys between a prefix and the key itself start with that prefix, too.
        int link = entry >= 0 ? entry - 1 : -2 - entry;
        while (link >= 0) {
            pinned.countLooks(1);
            if (shard.hasShard(link) && shard.isKeyPrefix(link, key, from, key.length)) {
                if (count == found.length) {
                    found = Arrays.copyOf(found, ROOM + 2 * count);
                }
                found[count++] = link;
            }
            link = shard.overlapping ? shard.outer(link) : -1;
        }
        return Arrays.copyOf(found, count);
    }
}
