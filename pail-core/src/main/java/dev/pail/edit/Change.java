package dev.pail.edit;

import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardLink;
import dev.pail.shard.ShardValue;
import org.jspecify.annotations.Nullable;

/**
 * A key of a {@link MutableShard} whose value differs from that in the shard which the mutable shard was opened from: its base. Has the
 * value's fields rather than the value: going down through many shards, each extra object is one more cache miss.
 */
final class Change {
    final KeyBytes key;

    /** The entry of the base with this key; or, as {@link Shard#find} has it, where it would be. */
    final int at;

    private @Nullable Cid data;
    private @Nullable ShardLink shard;

    Change(KeyBytes key, ShardValue value, int at) {
        this.key = key;
        this.at = at;
        set(value);
    }

    ShardValue value() {
        return new ShardValue(data, shard);
    }

    void set(ShardValue value) {
        data = value.data();
        shard = value.shard();
    }

    @Nullable
    ShardLink shard() {
        return shard;
    }

    boolean isNothing() {
        return value().isNothing();
    }

    boolean replaces() {
        return at >= 0;
    }

    /** How many entries of the base come before. */
    int position() {
        return at >= 0 ? at : -1 - at;
    }
}
