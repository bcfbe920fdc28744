package dev.pail.edit;

import dev.pail.shard.Layout;
import dev.pail.shard.Midstates;
import dev.pail.shard.NewShard;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardEncoder;
import dev.pail.threads.TaskThread;
import dev.pail.unsafe.UnsafeBlocks;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes shards of mutable shards in which all links have CIDs: copies from their bases what did not change, and writes what did.
 *
 * <p>Not for use by several threads at once.
 */
final class MutableShardEncoder {
    /** What is worth another thread: this number of shards, or shards of this size in bytes. */
    private static final int SHARDS_OF_PART = 32;

    private static final int SIZE_OF_PART = 1 << 20;

    private final Layout layout;
    private final MessageDigest sha256 = UnsafeBlocks.sha256();

    MutableShardEncoder(Layout layout) {
        this.layout = layout;
    }

    /**
     * Encodes some of the mutable shards of a list and names what they became; on all cores, where that is much work.
     *
     * @param made is given the shards that are new
     */
    void encodeAll(List<MutableShard> shards, int from, int to, List<NewShard> made) {
        int count = to - from;
        long size = 0;
        for (int i = from; i < to; i++) {
            size += shards.get(i).arraySize();
        }
        long worth = Math.max(count / SHARDS_OF_PART, Math.min(count, size / SIZE_OF_PART));
        // Not asked for each of many small levels.
        int threads = worth < 2 ? 1 : TaskThread.threads();
        int parts = threads == 1 ? 1 : (int) Math.min(worth, 4L * threads);
        if (parts < 2) {
            encode(shards, from, to, made);
            return;
        }
        IntStream.range(0, parts)
                .parallel()
                .mapToObj(i -> {
                    List<NewShard> some = new ArrayList<>(count / parts + 1);
                    new MutableShardEncoder(layout)
                            .encode(shards, from + part(count, i, parts), from + part(count, i + 1, parts), some);
                    return some;
                })
                .forEachOrdered(made::addAll);
    }

    private static int part(int count, int i, int parts) {
        return (int) ((long) count * i / parts);
    }

    private void encode(List<MutableShard> shards, int from, int to, List<NewShard> made) {
        for (int i = from; i < to; i++) {
            NewShard one = shards.get(i).end(this);
            if (one != null) {
                made.add(one);
            }
        }
    }

    /** The shard that a mutable shard has become, and its block. */
    NewShard encode(MutableShard shard) {
        Shard base = shard.base();
        return base != null && isPatch(shard, base) ? patch(shard, base) : rewrite(shard, base);
    }

    /** Whether all that differs is values, each of the size that it had. */
    private static boolean isPatch(MutableShard shard, Shard base) {
        if (shard.count() != base.count() || shard.isOverlapping() != base.overlapping) {
            return false;
        }
        for (int place = 0; place < shard.changesEnd(); place = shard.nextChange(place)) {
            Change change = shard.change(place);
            if (!change.replaces()
                    || change.isNothing()
                    || ShardEncoder.size(change.key, change.value())
                            != base.starts[change.at + 1] - base.starts[change.at]
                    || (change.shard() != null) != base.hasShard(change.at)) {
                return false;
            }
        }
        return true;
    }

    private NewShard patch(MutableShard shard, Shard base) {
        ShardEncoder encoder = new ShardEncoder(base);
        for (int place = 0; place < shard.changesEnd(); place = shard.nextChange(place)) {
            Change change = shard.change(place);
            encoder.replace(change.at, base.keyEnd(change.at), change.value());
        }
        int same = base.starts[shard.change(0).at];
        return encoder.finish(
                layout.trailer(shard.prefix()), shard.isOverlapping(), base.midstates, same, shard.origin(), sha256);
    }

    private NewShard rewrite(MutableShard shard, @Nullable Shard base) {
        byte[] header = layout.header(shard.prefix());
        byte[] trailer = layout.trailer(shard.prefix());
        int size = header.length + shard.arraySize() + trailer.length;
        ShardEncoder encoder = new ShardEncoder(header, shard.count(), size, trailer.length, isLinked(shard, base));
        int next = 0;
        for (int place = 0; place < shard.changesEnd(); place = shard.nextChange(place)) {
            Change change = shard.change(place);
            if (base != null) {
                encoder.copy(base, next, change.position());
                next = change.position() + (change.replaces() ? 1 : 0);
            }
            if (!change.isNothing()) {
                encoder.write(change.key, change.value());
            }
        }
        if (base != null) {
            encoder.copy(base, next, base.count());
        }
        return encoder.finish(trailer, shard.isOverlapping(), Midstates.NONE, 0, shard.origin(), sha256);
    }

    /** Whether any entry may link to a shard. */
    private static boolean isLinked(MutableShard shard, @Nullable Shard base) {
        boolean linked = base != null && base.isLinked();
        for (int place = 0; place < shard.changesEnd() && !linked; place = shard.nextChange(place)) {
            linked = shard.isLink(place);
        }
        return linked;
    }
}
