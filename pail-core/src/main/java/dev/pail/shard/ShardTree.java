package dev.pail.shard;

/** One version of a pail: its root shard, and the shards that it is read from. */
public record ShardTree(Shards shards, ShardRef root) {}
