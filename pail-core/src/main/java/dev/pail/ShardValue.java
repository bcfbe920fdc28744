package dev.pail;

import dev.pail.ipld.Cid;
import org.jspecify.annotations.Nullable;

/**
 * What a shard has under one of its keys: user data, a link to a shard, both, or nothing. Its four operations are total,
 * and all changes of a pail are made of them.
 *
 * @param data the user data
 * @param shard the link to the shard that holds the longer keys
 */
record ShardValue(@Nullable Cid data, @Nullable ShardLink shard) {
    static final ShardValue NOTHING = new ShardValue(null, null);

    ShardValue withData(Cid newData) {
        return new ShardValue(newData, shard);
    }

    ShardValue withoutData() {
        return new ShardValue(null, shard);
    }

    ShardValue withShard(ShardLink newShard) {
        return new ShardValue(data, newShard);
    }

    ShardValue withoutShard() {
        return new ShardValue(data, null);
    }

    boolean isNothing() {
        return data == null && shard == null;
    }
}
