package dev.pail.spark;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ShardUnion;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds a pail of sorted keys in bounded memory: pails of a few keys each, whose blocks are written at once, and their union. Only the
 * spines of those pails stay in memory. For one thread.
 */
final class PartBuilder {
    /** The most bytes that keys, values and their shards take before they are written. */
    private static final long MOST_WAITING = 16 << 20;

    /** The most pails whose spines wait for their union. */
    private static final int MOST_PARTS = 64;

    /** What a shard takes beside its prefix and its keys, in bytes. */
    private static final int SHARD = 150;

    private final long mostWaiting;
    private final BlockStore target;
    private final ShardFormat format;
    private final List<Pail> parts = new ArrayList<>();
    private Chunk chunk;
    private Batch batch;
    private long shards;
    private String last = "";
    private String before = "";

    PartBuilder(BlockStore target, ShardFormat format) {
        this(target, format, MOST_WAITING);
    }

    /** @param mostWaiting the most bytes that keys, values and their shards take before they are written */
    PartBuilder(BlockStore target, ShardFormat format, long mostWaiting) {
        this.mostWaiting = mostWaiting;
        this.target = target;
        this.format = format;
        this.chunk = new Chunk();
        this.batch = Pail.create(chunk, format).batch();
    }

    /**
     * Adds an entry.
     *
     * @param key greater than all before it
     */
    void put(String key, Cid value) {
        batch.put(key, value);
        shards += Math.max(0, pathSize(shared(last, key)) - pathSize(shared(before, last)));
        before = last;
        last = key;
        if (batch.openedBytes() + shards > mostWaiting) {
            end();
        }
    }

    /** Each character that two keys share has a shard, which has all characters before it. */
    private static long pathSize(int characters) {
        return characters * (SHARD + characters / 2L);
    }

    private static int shared(String one, String two) {
        int length = Math.min(one.length(), two.length());
        int same = 0;
        while (same < length && one.charAt(same) == two.charAt(same)) {
            same++;
        }
        return same;
    }

    private void end() {
        Pail made = batch.commit();
        chunk.writeTo(target);
        parts.add(spineOf(made));
        chunk = new Chunk();
        batch = Pail.create(chunk, format).batch();
        shards = 0;
        if (parts.size() == MOST_PARTS) {
            unite();
        }
    }

    private void unite() {
        Chunk made = new Chunk();
        List<Pail> all = List.copyOf(parts);
        // A spine of the union has shards of the parts, too.
        all.forEach(part -> made.putAll(ShardUnion.spine(part)));
        Chunk united = new Chunk();
        Pail union = ShardUnion.of(united, all);
        united.writeTo(target);
        united.writeTo(made);
        parts.clear();
        parts.add(spineOf(union.in(made)));
    }

    /** A pail with no more than its spine in memory. */
    private static Pail spineOf(Pail pail) {
        Chunk spine = new Chunk();
        spine.putAll(ShardUnion.spine(pail));
        return Pail.open(spine, pail.root());
    }

    /** Writes what is left, and returns the pail of all keys, with its spine in memory alone. */
    Pail finish() {
        end();
        if (parts.size() > 1) {
            unite();
        }
        return parts.get(0);
    }

    /** The spine of a pail that {@link #finish} returned. */
    static List<byte[]> spine(Pail pail) {
        return ShardUnion.spine(pail).stream().map(Block::bytes).toList();
    }
}
