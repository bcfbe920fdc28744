package dev.pail.edit;

import dev.pail.LimitException;
import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.KeyInterval;
import dev.pail.shard.NewShard;
import dev.pail.shard.PinnedShards;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardTree;
import dev.pail.shard.ShardValue;
import dev.pail.shard.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next version of a pail: takes changes, which may build on each other, and at the end encodes each shard that
 * is not as it was, once. All changes of a pail go through here.
 *
 * <p>A change that failed leaves an editor that must not be used any more. Not for use by several threads at once.
 */
public final class Editor {
    /** What new shards take in memory that are stored together, in bytes: until then, what they were made of is in memory, too. */
    private static final long PORTION = 8 << 20;

    /** What a new shard takes beside its bytes. */
    private static final int SHARD = 256;

    private final Shards shards;
    private final Placement placement;
    private MutableShard root;

    /** Puts into what was empty, until something else is to be done. Null after that, and where none may wait. */
    private @Nullable GatheredPuts gathered;

    /** The shards that mutable shards were opened from where shards overlap. */
    private final PinnedShards pinned;

    /** The shards from the root to the one that {@link #locate} ended in. */
    private final ArrayList<Step> path = new ArrayList<>();

    /** Whether any of them has overlaps. */
    private boolean overlaps;

    /** What the shards take in memory that mutable shards were opened from, and puts into what was empty, in bytes. */
    private long opened;

    /** Whether there was nothing to open: then all that the version holds is what was put. */
    private final boolean wasEmpty;

    /**
     * A shard on the way of a key.
     *
     * @param rest what is left of the key there
     * @param others where shards overlap, the keys of other links that could lead on from here; the next one last
     */
    private record Step(MutableShard shard, KeyBytes rest, List<KeyBytes> others) {}

    public Editor(ShardTree tree) {
        this.shards = tree.shards();
        this.placement = Placement.of(shards.layout);
        ShardRef root = tree.root();
        this.pinned = new PinnedShards(shards, root.cid);
        this.root = MutableShard.open(shards.layout, KeyBytes.EMPTY, root, shards.load(root, KeyBytes.EMPTY));
        this.wasEmpty = this.root.isEmpty();
        this.gathered = wasEmpty && placement.gathers() ? new GatheredPuts(shards, root) : null;
    }

    /** Stores a root shard without entries. */
    public static ShardRef create(Shards shards) {
        return store(shards, MutableShard.empty(shards.layout, KeyBytes.EMPTY));
    }

    /**
     * Gives a key a value.
     *
     * @throws LimitException if the format has no room for it
     */
    public void put(KeyBytes key, Cid value) {
        if (gathered != null && gathered.add(key, value)) {
            return;
        }
        if (wasEmpty) {
            opened += GatheredPuts.Put.bytes(key, value);
        }
        place(key, value);
    }

    private void place(KeyBytes key, Cid value) {
        pinned.nextKey();
        locate(key);
        placement.place(last().shard, last().rest, value);
    }

    /** The value that a key has after the changes so far; null if none. */
    public @Nullable Cid get(KeyBytes key) {
        pinned.nextKey();
        locate(key);
        return value().data();
    }

    /** Removes a key and its value, where there are any. No shards are joined. Rule V1.5. */
    public void delete(KeyBytes key) {
        pinned.nextKey();
        boolean again;
        do {
            locate(key);
            // Foreign data can have a key in several places, and the next one must not come to light.
            again = overlaps && value().data() != null;
            removeLocated();
        } while (again);
    }

    /** Removes the keys of an interval, and their values. */
    public void delete(KeyInterval interval) {
        makeGathered();
        pinned.nextKey();
        RangeRemoval removal = new RangeRemoval(shards, pinned);
        removal.from(root, interval);
        opened += removal.openedBytes();
    }

    /**
     * Gives each shard from the root to the one that has a key, or that it would be put into, with its prefix. Nothing was changed
     * before.
     */
    public void path(KeyBytes key, BiConsumer<ShardRef, KeyBytes> action) {
        locate(key);
        path.forEach(step -> action.accept(Objects.requireNonNull(step.shard.origin()), step.shard.prefix()));
    }

    /** Removes user data, and then each shard on the way to it that this leaves empty, but never the root. Rule P2. */
    private void removeLocated() {
        last().shard.set(last().rest, value().withoutData());
        for (int i = path.size() - 1; i > 0 && path.get(i).shard.isEmpty(); i--) {
            Step outer = path.get(i - 1);
            KeyBytes link = outer.rest.prefix(path.get(i).rest.from - outer.rest.from);
            outer.shard.set(link, outer.shard.get(link).withoutShard());
        }
    }

    private Step last() {
        return path.get(path.size() - 1);
    }

    private ShardValue value() {
        return last().shard.get(last().rest);
    }

    /**
     * Goes to the shard that has user data for a key; if there is none, to the shard that it would be put into. That is
     * where the shortest links lead that are prefixes of it. Only where shards overlap can it be elsewhere. Rule V0.7.
     */
    private void locate(KeyBytes key) {
        makeGathered();
        path.clear();
        overlaps = false;
        enter(root, key);
        if (!overlaps || value().data() != null) {
            return;
        }
        List<Step> first = List.copyOf(path);
        while (value().data() == null) {
            path.remove(path.size() - 1);
            if (path.isEmpty()) {
                path.addAll(first);
                return;
            }
            List<KeyBytes> others = last().others;
            if (!others.isEmpty()) {
                follow(others.remove(others.size() - 1));
            }
        }
    }

    /** Makes the puts that were gathered one by one; or continues with the version that they make, if some of its shards are stored. */
    private void makeGathered() {
        GatheredPuts waiting = gathered;
        if (waiting == null) {
            return;
        }
        gathered = null;
        if (waiting.isBuilding()) {
            ShardRef built = waiting.finish();
            root = MutableShard.open(shards.layout, KeyBytes.EMPTY, built, shards.load(built, KeyBytes.EMPTY));
        } else {
            opened += waiting.bytes();
            waiting.sorted().forEach(put -> place(put.key(), put.value()));
        }
    }

    /** Goes into a shard, and on from there by the shortest links. Rule S7. */
    private void enter(MutableShard start, KeyBytes rest) {
        KeyBytes shardKey = rest;
        MutableShard shard = start;
        while (true) {
            opened += shard.countOnce();
            List<KeyBytes> links = List.of();
            MutableShard next;
            if (shard.isOverlapping()) {
                overlaps = true;
                links = shard.linksTowards(shardKey, pinned::countLooks);
                KeyBytes link = links.isEmpty() ? null : links.remove(links.size() - 1);
                next = link == null ? null : shard.linked(link, shardKey.path(link.length()), shards, pinned);
            } else {
                next = shard.towards(shardKey, shards, overlaps ? pinned : null);
            }
            path.add(new Step(shard, shardKey, links));
            if (next == null) {
                return;
            }
            if (overlaps) {
                pinned.countLooks(1);
            }
            shardKey = shardKey.without(next.depth() - shard.depth());
            shard = next;
        }
    }

    private void follow(KeyBytes link) {
        Step step = last();
        MutableShard next = step.shard.linked(link, step.rest.path(link.length()), shards, pinned);
        enter(next, step.rest.without(link.length()));
    }

    /** What the shards take in memory that were opened for the changes so far, and puts into an empty version, in bytes. */
    public long openedBytes() {
        return gathered == null ? opened : gathered.bytes();
    }

    /** Stores what is new and returns the root. All shards on the way to a change are new. Rule P3. */
    public ShardRef commit() {
        if (gathered != null && !gathered.isEmpty()) {
            return gathered.finish();
        }
        return store(shards, root);
    }

    /** Stores what is new below a root, and it. */
    static ShardRef store(Shards shards, MutableShard root) {
        List<List<MutableShard>> levels = new ArrayList<>();
        for (List<MutableShard> level = List.of(root); !level.isEmpty(); ) {
            levels.add(level);
            List<MutableShard> linked = new ArrayList<>(level.size());
            for (MutableShard shard : level) {
                shard.addLinked(linked);
            }
            level = linked;
        }
        MutableShardEncoder encoder = new MutableShardEncoder(shards.layout);
        List<NewShard> made = new ArrayList<>();
        long size = 0;
        for (int i = levels.size() - 1; i >= 0; i--) {
            List<MutableShard> level = levels.remove(i);
            for (int from = 0, to; from < level.size(); from = to) {
                to = from;
                do {
                    size += SHARD + level.get(to).arraySize();
                    to++;
                } while (to < level.size() && size < PORTION);
                encoder.encodeAll(level, from, to, made);
                if (size >= PORTION) {
                    shards.store(made);
                    made.clear();
                    size = 0;
                }
            }
        }
        shards.store(made);
        return root.result();
    }
}
