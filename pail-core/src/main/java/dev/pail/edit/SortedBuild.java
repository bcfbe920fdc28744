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

    /** The last key. It waits for the next one: only then it is known in which shard it is. */
    private @Nullable KeyBytes last;

    private @Nullable Cid lastValue;

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
        levels.add(new Level());
    }

    /** Whether a key is not less than all before. */
    boolean takes(KeyBytes key) {
        return last == null || last.compareTo(key) <= 0;
    }

    /** Adds a key that is not less than all before. If it is the same as the last one, its value replaces the one of that. */
    void add(KeyBytes key, Cid value) {
        KeyBytes before = last;
        if (before != null) {
            int shared = key.commonLength(before);
            if (shared == key.length() && shared == before.length()) {
                lastValue = value;
                return;
            }
            place(before, shared);
        }
        last = key;
        lastValue = value;
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
            ShardValue link = ShardValue.NOTHING.withShard(ref);
            levels.get(ended - 1).add(prefix.without(ended - 1), level.data == null ? link : link.withData(level.data));
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
            shards.storeUncached(made);
            made.clear();
            size = 0;
        }
        return shard.ref();
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
        place(Objects.requireNonNull(last, "last"), 0);
        NewShard root = encode(levels.get(0), KeyBytes.EMPTY, emptyRoot);
        made.add(root);
        shards.store(made);
        return root.ref();
    }
}
