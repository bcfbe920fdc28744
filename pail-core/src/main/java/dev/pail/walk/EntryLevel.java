package dev.pail.walk;

import dev.pail.shard.Cut;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.PinnedShards;
import dev.pail.shard.Shard;
import org.jspecify.annotations.Nullable;

/** A shard on the way of an {@link EntryWalk}, and which of its entries are within the bounds. */
final class EntryLevel {
    final Shard shard;

    /** What holds the shard, where walks that overlap share theirs. */
    final PinnedShards.@Nullable Pin pin;

    final int prefixLength;

    /** Where the range starts and ends in this shard, if it does. */
    final @Nullable Cut low;

    final @Nullable Cut high;

    /** The first entry whose own key is in the range. */
    private final int first;

    /** Behind the last entry whose own key is in the range. */
    private final int end;

    /** The entries that are looked at: those in the range, and before them those that may have longer keys in it. */
    private final int start;

    private final int stop;

    private final Direction direction;

    /** The entry whose shard is left out, or -1. */
    private final int without;

    /** The entry that is looked at now. */
    int entry;

    /** Whether the first half of it is done: its data, or in descending order, its shard. */
    boolean half;

    EntryLevel(
            Shard shard,
            PinnedShards.@Nullable Pin pin,
            int prefixLength,
            @Nullable Cut low,
            @Nullable Cut high,
            Direction direction) {
        this.shard = shard;
        this.pin = pin;
        this.prefixLength = prefixLength;
        this.low = low;
        this.high = high;
        this.first = low == null ? 0 : countBefore(shard, low);
        this.end = high == null ? shard.count() : countBefore(shard, high);
        this.start = first == 0 ? 0 : shard.overlapping ? outermost(shard, first - 1) : first - 1;
        this.stop = end;
        this.without = -1;
        this.direction = direction;
        this.entry = direction.isDescending() ? stop - 1 : start;
    }

    private EntryLevel(EntryLevel level, int link, int stop, int without, Direction direction) {
        this.shard = level.shard;
        this.pin = level.pin;
        this.prefixLength = level.prefixLength;
        this.low = level.low;
        this.high = level.high;
        this.first = level.first;
        this.end = level.end;
        this.start = link;
        this.stop = stop;
        this.without = without;
        this.direction = direction;
        this.entry = direction.isDescending() ? stop - 1 : start;
    }

    /** Of this level, a link and the entries behind it, without the shard of the link. */
    EntryLevel without(int link, int behind) {
        return new EntryLevel(this, link, behind, link, direction);
    }

    /** Of this level, a link and the entries behind it, in ascending order. */
    EntryLevel only(int link, int behind) {
        return new EntryLevel(this, link, behind, -1, Direction.ASCENDING);
    }

    /** In an overlapping shard, the outermost link whose key an entry starts with; or else the entry itself. */
    private static int outermost(Shard shard, int entry) {
        int link = entry;
        for (int outer = shard.outer(link); outer >= 0; outer = shard.outer(link)) {
            link = outer;
        }
        return link;
    }

    /** How many entries have their own key before a place. */
    private static int countBefore(Shard shard, Cut cut) {
        int low = 0;
        int high = shard.count();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (cut.isBefore(shard.key(middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    boolean isOver() {
        return direction.isDescending() ? entry < start : entry >= stop;
    }

    boolean isDataInRange() {
        return entry >= first && shard.hasData(entry);
    }

    /** Whether a bound can be among the longer keys that start with the one of this entry. */
    private boolean isAtBound() {
        return entry < first || entry == end - 1 || shard.overlapping;
    }

    boolean isShardInRange() {
        if (!shard.hasShard(entry) || entry == without) {
            return false;
        }
        if ((low == null && high == null) || !isAtBound()) {
            return true;
        }
        KeyBytes key = shard.key(entry);
        return (low == null || low.compareTo(Cut.behind(key)) < 0)
                && (high == null || Cut.after(key).compareTo(high) < 0);
    }

    /** Whether all keys of the shard of this entry, which is in the range, are. */
    boolean isShardWhole() {
        return within(low) == null && within(high) == null;
    }

    /** The bound in the shard of this entry, whose keys start with its key. */
    @Nullable
    Cut within(@Nullable Cut bound) {
        if (bound == null || !isAtBound()) {
            return null;
        }
        KeyBytes key = shard.key(entry);
        boolean inside = Cut.after(key).compareTo(bound) <= 0 && bound.compareTo(Cut.behind(key)) < 0;
        return inside ? bound.without(key.length()) : null;
    }

    /** In an overlapping shard, the outermost link whose key this entry starts with; or else the entry itself. */
    int outermostLink() {
        int link = entry;
        if (direction.isDescending()) {
            for (int outer = shard.outer(link); outer >= start && outer != without; outer = shard.outer(link)) {
                link = outer;
            }
        }
        return link;
    }

    /** Behind the last entry that starts with the key of a link; or, if it is none, behind the entry itself. */
    int stopOf(int link) {
        if (!shard.hasShard(link) || link == without) {
            return link + 1;
        }
        KeyBytes key = shard.key(link);
        int low = link + 1;
        int high = stop;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (shard.key(middle).startsWith(key)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
