package dev.pail.shard;

import dev.pail.ipld.Cid;
import org.jspecify.annotations.Nullable;

/**
 * What a shard has under one of its keys: user data, a link to a shard, both, or nothing. Its four operations are total,
 * and all changes of a pail are made of them.
 *
 * @param data the user data
 * @param shard the link to the shard that holds the longer keys
 */
public record ShardValue(@Nullable Cid data, @Nullable ShardLink shard) {
    public static final ShardValue NOTHING = new ShardValue(null, null);

    public ShardValue withData(Cid newData) {
        return new ShardValue(newData, shard);
    }

    public ShardValue withoutData() {
        return new ShardValue(null, shard);
    }

    public ShardValue withShard(ShardLink newShard) {
        return new ShardValue(data, newShard);
    }

    public ShardValue withoutShard() {
        return new ShardValue(data, null);
    }

    public boolean isNothing() {
        return data == null && shard == null;
    }
}
