package dev.pail.shard;

/** What a shard value links to: a shard that has a CID, or one that is being changed and will get one. */
public interface ShardLink {}
