package dev.pail.edit;

import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Midstates;
import dev.pail.shard.NewShard;
import dev.pail.shard.ShardEncoder;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardValue;
import dev.pail.shard.Shards;
import dev.pail.unsafe.UnsafeBlocks;
import dev.pail.update.BuildListener;
import dev.pail.update.UpdateBlocks;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the shards of keys that come in order, from the leaves up, in a format where nothing but the keys decides which shards there are
 * (spec rules V1.2 to V1.4). Holds the shards on the way to the last key only, so the number of keys is not limited by the memory. Encodes
 * each shard once, when no later key can change it, and stores the shards below another right before it: a subtree is one stretch of what
 * was stored.
 *
 * <p>Not for use by several threads at once.
 */
final class SortedBuild {
    /** What new shards take in memory that are stored together, in bytes. */
    private static final long PORTION = 4 << 20;

    /** What a new shard takes beside its bytes. */
    private static final int SHARD = 256;

    private final Shards shards;
    private final ShardRef emptyRoot;
    private final MessageDigest sha256 = UnsafeBlocks.sha256();

    /** The shards on the way to the last key, from the root on, and behind them some that are used again. */
    private final List<Level> levels = new ArrayList<>();

    /** The last key. It waits for the one behind it: only then it is known in which shard it is. */
    private @Nullable KeyBytes last;

    private @Nullable Cid lastValue;

    /** Null outside of updates. */
    private final @Nullable BuildListener listener;

    /** The key behind the last one. A later put may still replace its value. */
    private @Nullable KeyBytes next;

    private @Nullable Cid nextValue;

    /** How many bytes the last two keys start with. A shard stands for each number of them, so this is the depth of the last shard. */
    private int depth;

    private final List<NewShard> made = new ArrayList<>();
    private long size;

    /** A shard that may get more entries. */
    private static final class Level {
        private final List<KeyBytes> keys = new ArrayList<>();
        private final List<ShardValue> values = new ArrayList<>();
        private int entriesSize;
        private boolean linked;

        /** The value of the key that ends where this shard begins. */
        private @Nullable Cid data;

        void add(KeyBytes key, ShardValue value) {
            keys.add(key);
            values.add(value);
            entriesSize += ShardEncoder.size(key, value);
            linked |= value.shard() != null;
        }

        /** The entry for this shard in the one above. */
        ShardValue link(ShardRef ref) {
            ShardValue link = ShardValue.NOTHING.withShard(ref);
            return data == null ? link : link.withData(data);
        }

        /** Takes the last entry away. */
        void removeLast() {
            int at = keys.size() - 1;
            entriesSize -= ShardEncoder.size(keys.remove(at), values.remove(at));
        }

        void clear() {
            keys.clear();
            values.clear();
            entriesSize = 0;
            linked = false;
            data = null;
        }
    }

    /** @param emptyRoot the root of the version before, which has no entries */
    SortedBuild(Shards shards, ShardRef emptyRoot) {
        this.shards = shards;
        this.emptyRoot = emptyRoot;
        this.listener = shards.blocks instanceof UpdateBlocks update ? update.buildListener() : null;
        levels.add(new Level());
    }

    /** Whether a key is not less than all before. */
    boolean takes(KeyBytes key) {
        return next == null || next.compareTo(key) <= 0;
    }

    /** Adds a key that is not less than all before. If it is the same as the one before, its value replaces the one of that. */
    void add(KeyBytes key, Cid value) {
        if (next != null && !next.equals(key)) {
            placeLast();
        }
        next = key;
        nextValue = value;
    }

    /** Places the last key. The next one becomes the last. */
    private void placeLast() {
        KeyBytes key = Objects.requireNonNull(next, "next");
        Cid value = Objects.requireNonNull(nextValue);
        if (listener != null) {
            tell(listener, key, value);
        }
        if (last != null) {
            place(last, key.commonLength(last));
        }
        last = key;
        lastValue = value;
    }

    /** Tells the listener a key, and the version of the keys before it if it asks for that. */
    private void tell(BuildListener to, KeyBytes key, Cid value) {
        String text = key.toString();
        if (last != null && to.isFull(text, value)) {
            to.version(versionSoFar(last));
        }
        to.put(text, value);
    }

    /** Stores the version of the keys so far, as if no other key followed the last one, and leaves its shards open. */
    private Cid versionSoFar(KeyBytes key) {
        KeyBytes entry = key.without(depth);
        ShardValue value = ShardValue.NOTHING.withData(Objects.requireNonNull(lastValue));
        for (int open = depth; open > 0; open--) {
            Level level = levels.get(open);
            KeyBytes prefix = key.prefix(open);
            NewShard shard = encode(level, entry, value, prefix, null);
            made.add(shard);
            entry = prefix.without(open - 1);
            value = level.link(shard.ref());
        }
        NewShard root = encode(levels.get(0), entry, value, KeyBytes.EMPTY, emptyRoot);
        made.add(root);
        storeMade();
        return root.ref().cid;
    }

    /** Encodes a shard with one more entry, which it does not keep. */
    private NewShard encode(Level level, KeyBytes key, ShardValue value, KeyBytes prefix, @Nullable ShardRef origin) {
        boolean linked = level.linked;
        level.add(key, value);
        NewShard shard = encode(level, prefix, origin);
        level.removeLast();
        level.linked = linked;
        return shard;
    }

    /** Puts the last key where it belongs, and ends the shards that the next one is not in. */
    private void place(KeyBytes key, int shared) {
        int target = Math.max(depth, shared);
        while (levels.size() <= target) {
            levels.add(new Level());
        }
        Cid value = Objects.requireNonNull(lastValue);
        if (target > 0 && key.length() == target) {
            levels.get(target).data = value;
        } else {
            levels.get(target).add(key.without(target), ShardValue.NOTHING.withData(value));
        }
        for (int ended = target; ended > shared; ended--) {
            Level level = levels.get(ended);
            KeyBytes prefix = key.prefix(ended);
            ShardRef ref = end(level, prefix, null);
            levels.get(ended - 1).add(prefix.without(ended - 1), level.link(ref));
            level.clear();
        }
        depth = shared;
    }

    /** Encodes a shard that gets no more entries. */
    private ShardRef end(Level level, KeyBytes prefix, @Nullable ShardRef origin) {
        NewShard shard = encode(level, prefix, origin);
        made.add(shard);
        size += SHARD + shard.block().size();
        if (size > PORTION) {
            storeMade();
        }
        return shard.ref();
    }

    private void storeMade() {
        shards.storeUncached(made);
        made.clear();
        size = 0;
    }

    private NewShard encode(Level level, KeyBytes prefix, @Nullable ShardRef origin) {
        byte[] header = shards.layout.header(prefix);
        byte[] trailer = shards.layout.trailer(prefix);
        int count = level.keys.size();
        ShardEncoder encoder = ShardEncoder.of(header, count, level.entriesSize, trailer.length, level.linked);
        for (int i = 0; i < count; i++) {
            encoder.write(level.keys.get(i), level.values.get(i));
        }
        return encoder.finish(trailer, false, Midstates.NONE, 0, origin, sha256);
    }

    /** Ends all shards, stores those that are not stored yet, and returns the root. At least one key must have been added. */
    ShardRef finish() {
        placeLast();
        place(Objects.requireNonNull(last), 0);
        NewShard root = encode(levels.get(0), KeyBytes.EMPTY, emptyRoot);
        made.add(root);
        shards.store(made);
        if (listener != null) {
            listener.end(root.ref().cid);
        }
        return root.ref();
    }
}
