package dev.pail.edit;

import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Layout;
import dev.pail.shard.NewShard;
import dev.pail.shard.PinnedShards;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardLink;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardValue;
import dev.pail.shard.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A shard that is being changed: the shard it was opened from, if any, and what differs from that, in order. Its encoded
 * size is known after every change, before anything is encoded; encoding copies what did not change.
 *
 * <p>Not for use by several threads at once.
 */
final class MutableShard extends MutableEntries implements ShardLink {
    private final Layout layout;
    private final KeyBytes prefix;

    /** The length of the prefix: what a key is without it need not wait for that. */
    private final int depth;

    private final @Nullable ShardRef origin;
    private boolean overlapping;
    private boolean counted;
    private @Nullable ShardRef result;

    private MutableShard(Layout layout, KeyBytes prefix, @Nullable ShardRef origin, @Nullable Shard base) {
        super(base);
        this.layout = layout;
        this.prefix = prefix;
        this.depth = prefix.length();
        this.origin = origin;
        this.overlapping = base != null && base.overlapping;
    }

    /** A shard without entries at this prefix. */
    static MutableShard empty(Layout layout, KeyBytes prefix) {
        return new MutableShard(layout, prefix, null, null);
    }

    /** A shard as it is. */
    static MutableShard open(Layout layout, KeyBytes prefix, ShardRef origin, Shard base) {
        return new MutableShard(layout, prefix, origin, base);
    }

    /** What all keys in this shard start with. */
    KeyBytes prefix() {
        return prefix;
    }

    /** How many bytes of a key are not in this shard. */
    int depth() {
        return depth;
    }

    /** The shard that the mutable shard was opened from, if there is one. */
    @Nullable
    ShardRef origin() {
        return origin;
    }

    /** What the shard that the mutable shard was opened from takes in memory, in bytes, when this is asked for the first time; then 0. */
    int countOnce() {
        Shard base = base();
        if (counted || base == null) {
            return 0;
        }
        counted = true;
        return base.weight();
    }

    /** Whether there may be keys here that start with the key of a shard link (spec rule V0.7). */
    boolean isOverlapping() {
        return overlapping;
    }

    /** Notes that there may be keys here that start with the key of a shard link. */
    void overlap() {
        overlapping = true;
    }

    /** The size of the encoded shard in bytes. */
    int size() {
        return layout.header(prefix).length + arraySize() + layout.trailer(prefix).length;
    }

    /**
     * The next shard on the path to a key, if there is only one: if shards do not overlap. Opens it if needed.
     *
     * @param pinned pins the shard if shards on the path to this one overlap
     */
    @Nullable
    MutableShard towards(KeyBytes key, Shards shards, @Nullable PinnedShards pinned) {
        if (changed() == 1 && base() == null && change(0).shard() instanceof MutableShard only) {
            // Most shards of long common fronts: there is nothing to search.
            KeyBytes link = change(0).key;
            return link.length() < key.length() && key.startsWith(link) ? only : null;
        }
        if (!get(key).isNothing()) {
            return null;
        }
        int below = changeBelow(key);
        if (below >= 0) {
            return isLink(below) && key.startsWith(change(below).key) ? linked(below, key, shards, pinned) : null;
        }
        int entry = -2 - below;
        Shard shard = base();
        if (shard == null
                || entry < 0
                || !shard.hasShard(entry)
                || !shard.isKeyPrefix(entry, key.array, key.from, key.to)) {
            return null;
        }
        KeyBytes link = shard.key(entry);
        ShardValue value = opened(shard.value(entry), key.path(link.length()), shards, pinned);
        insertBefore(key, new Change(link, value, entry));
        return (MutableShard) Objects.requireNonNull(value.shard());
    }

    /** The shard that the change in a place has a link to. It is opened, if it was not. */
    private MutableShard linked(int place, KeyBytes key, Shards shards, @Nullable PinnedShards pinned) {
        Change change = change(place);
        if (change.shard() instanceof ShardRef) {
            setChange(place, opened(change.value(), key.path(change.key.length()), shards, pinned));
        }
        return (MutableShard) Objects.requireNonNull(change.shard());
    }

    /**
     * The shard that a key links to. It is opened, if it was not. It is found by its key, never by its CID. Rule P5.
     *
     * @param pinned what holds it where shards on the way to it overlap
     */
    MutableShard linked(KeyBytes link, KeyBytes path, Shards shards, @Nullable PinnedShards pinned) {
        ShardValue value = get(link);
        if (value.shard() instanceof ShardRef) {
            value = opened(value, path, shards, pinned);
            set(link, value);
        }
        return (MutableShard) Objects.requireNonNull(value.shard());
    }

    private ShardValue opened(ShardValue value, KeyBytes path, Shards shards, @Nullable PinnedShards pinned) {
        ShardRef ref = (ShardRef) Objects.requireNonNull(value.shard());
        Shard shard = pinned == null ? shards.load(ref, path) : pinned.pin(ref, path).shard;
        return value.withShard(open(layout, path, ref, shard));
    }

    /**
     * The keys of all links that are proper prefixes of a key, the shortest last.
     *
     * @param cost receives the number of keys that were compared
     */
    List<KeyBytes> linksTowards(KeyBytes key, IntConsumer cost) {
        List<KeyBytes> links = new ArrayList<>();
        int looks = 1;
        for (KeyBytes below = below(key); below != null; looks++) {
            int shared = key.wholeCodePoints(key.commonLength(below));
            if (shared < below.length()) {
                // Between the two are no keys that the key starts with, unless what they have in common is one.
                KeyBytes common = key.prefix(shared);
                below = get(common).isNothing() ? below(common) : common;
                continue;
            }
            if (get(below).shard() != null) {
                links.add(below);
            }
            below = below(below);
        }
        cost.accept(looks);
        return links;
    }

    /** Moves the entries whose keys start with a prefix, but are longer, to a new shard under it. */
    MutableShard split(KeyBytes start) {
        MutableShard child = empty(layout, prefix.append(start));
        child.overlapping = overlapping;
        moveUnder(start, child);
        set(start, get(start).withShard(child));
        return child;
    }

    /** Adds the linked shards that are mutable shards. */
    void addLinked(List<MutableShard> shards) {
        for (int place = 0; place < changesEnd(); place = nextChange(place)) {
            if (isLink(place) && change(place).shard() instanceof MutableShard shard) {
                shards.add(shard);
            }
        }
    }

    /**
     * Ends the mutable shard, and drops its entries: the linked shards that are mutable shards must have ended before.
     *
     * @return what was made; or null, if the shard is the one that the mutable shard was opened from
     */
    @Nullable
    NewShard end(MutableShardEncoder encoder) {
        NewShard made = made(encoder);
        result = made == null ? Objects.requireNonNull(origin) : made.ref();
        dropEntries();
        return made;
    }

    private @Nullable NewShard made(MutableShardEncoder encoder) {
        for (int place = 0; place < changesEnd(); place = nextChange(place)) {
            if (isLink(place) && change(place).shard() instanceof MutableShard shard) {
                setChange(place, change(place).value().withShard(shard.result()));
            }
        }
        if (isUnchanged()) {
            return null;
        }
        NewShard made = encoder.encode(this);
        if (base() == null && origin != null && origin.cid.equals(made.ref().cid)) {
            // It was changed so often that it had let go of its base, and is as it was.
            return null;
        }
        return made;
    }

    /** What a mutable shard that has ended became. */
    ShardRef result() {
        return Objects.requireNonNull(result, "result");
    }

    /** Whether all changes give the shard what it had. Rule P4. */
    private boolean isUnchanged() {
        Shard base = base();
        if (base == null) {
            return false;
        }
        removeChangesIf(change -> isAsIn(base, change));
        return changed() == 0;
    }

    private static boolean isAsIn(Shard base, Change change) {
        if (!change.replaces()) {
            return false;
        }
        ShardValue old = base.value(change.at);
        ShardValue now = change.value();
        return Objects.equals(old.data(), now.data()) && Objects.equals(cid(old.shard()), cid(now.shard()));
    }

    private static @Nullable Cid cid(@Nullable ShardLink link) {
        return link == null ? null : ((ShardRef) link).cid;
    }
}
