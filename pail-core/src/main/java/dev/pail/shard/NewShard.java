package dev.pail.shard;

import dev.pail.ipld.Block;
import org.jspecify.annotations.Nullable;

/**
 * A shard that was made and is not stored yet.
 *
 * @param origin the shard that it was made from, if there is one
 */
public record NewShard(
        Block block, ShardRef ref, Shard shard, @Nullable ShardRef origin) {}
