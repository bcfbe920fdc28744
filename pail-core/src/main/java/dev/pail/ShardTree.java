package dev.pail;

/** One version of a pail: its root shard, and the shards that it is read from. */
record ShardTree(Shards shards, ShardRef root) {}
