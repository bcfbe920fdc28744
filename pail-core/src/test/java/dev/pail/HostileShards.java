package dev.pail;

import static dev.pail.HostileCbor.array;
import static dev.pail.HostileCbor.integer;
import static dev.pail.HostileCbor.map;
import static dev.pail.HostileCbor.text;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.unsafe.UnsafeBlocks;
import java.nio.charset.StandardCharsets;

/** Shards written by hand: as sound as their parts are. */
public final class HostileShards {
    static final int MAX_SIZE = 512 * 1024;
    static final int MAX_KEY_LENGTH = 64;
    static final int MAX_KEY_SIZE = 4096;

    private HostileShards() {}

    public static Block block(byte[] shard) {
        return UnsafeBlocks.of(Cid.DAG_CBOR, shard);
    }

    /** The CID of a value that is nowhere. */
    static Cid value(int number) {
        return Block.of(Cid.RAW, Integer.toString(number).getBytes(StandardCharsets.US_ASCII))
                .cid();
    }

    /** A v0 shard with the default configuration. */
    public static byte[] v0(byte[]... entries) {
        return sized(integer(MAX_SIZE), integer(MAX_KEY_LENGTH), entries);
    }

    static byte[] sized(byte[] maxSize, byte[] maxKeyLength, byte[]... entries) {
        return map(text("entries"), array(entries), text("maxSize"), maxSize, text("maxKeyLength"), maxKeyLength);
    }

    /** A v1 shard with the default configuration. */
    static byte[] v1(String prefix, byte[]... entries) {
        return configured(prefix, 1, integer(MAX_KEY_SIZE), entries);
    }

    /** A v2 shard: the root, which has the configuration, or another. */
    static byte[] v2(String prefix, byte[]... entries) {
        return prefix.isEmpty()
                ? configured(prefix, 2, integer(MAX_KEY_SIZE), entries)
                : map(text("prefix"), text(prefix), text("entries"), array(entries));
    }

    static byte[] configured(String prefix, int version, byte[] maxKeySize, byte[]... entries) {
        return map(
                text("prefix"),
                text(prefix),
                text("entries"),
                array(entries),
                text("version"),
                integer(version),
                text("keyChars"),
                text("ascii"),
                text("maxKeySize"),
                maxKeySize);
    }

    public static byte[] entry(String key, byte[] value) {
        return array(text(key), value);
    }

    /** An entry with user data. */
    public static byte[] entry(String key) {
        return entry(key, data(7));
    }

    /** An entry that links to a shard. */
    public static byte[] entry(String key, Block shard) {
        return entry(key, toShard(shard.cid()));
    }

    public static byte[] data(int number) {
        return HostileCbor.link(value(number).toBytes());
    }

    public static byte[] toShard(Cid shard) {
        return array(HostileCbor.link(shard.toBytes()));
    }

    static byte[] toShardWithData(Cid shard, int number) {
        return array(HostileCbor.link(shard.toBytes()), data(number));
    }
}
