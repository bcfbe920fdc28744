package dev.pail.blockstore;

import dev.pail.dag.ShardWalk;
import dev.pail.ipld.Cid;
import dev.pail.segment.Segments;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Whether the shards of a version are scattered over segments, so that a walk reads most of them alone. For one thread. */
final class Scatter {
    /** A version with fewer shards fits in the memory of a reader wherever they are. */
    private static final int LEAST_SHARDS = 1024;

    /** How many shards are looked at that have the lowest ones below them. */
    private static final int SAMPLE = 64;

    /** How many shards are looked at below one, at most. */
    private static final int MOST_BELOW = 64;

    private final Segments segments;

    /** The same for each version, so that a second look has the same result. */
    private final SplittableRandom random = new SplittableRandom(1);

    private int near;
    private int far;

    Scatter(Segments segments) {
        this.segments = segments;
    }

    static boolean isLarge(Segments segments, Cid root) {
        ShardWalk walk = new ShardWalk(List.of(root), segments::get);
        int shards = 0;
        while (shards < LEAST_SHARDS && walk.hasNext()) {
            Cid unused = walk.next();
            shards++;
        }
        return shards == LEAST_SHARDS;
    }

    /** Whether more than half of a sample are in parts of files where no shard above or beside them is. */
    static boolean isScattered(Segments segments, Cid root) {
        Scatter scatter = new Scatter(segments);
        for (int i = 0; i < SAMPLE; i++) {
            scatter.look(root);
        }
        return scatter.far > scatter.near;
    }

    /** Goes down to a lowest shard, and reads the parts of those beside it as a walk does. */
    private void look(Cid root) {
        Cid above = root;
        List<Cid> below = ShardWalk.below(root, segments::get);
        while (!below.isEmpty()) {
            Cid shard = below.get(random.nextInt(below.size()));
            List<Cid> next = ShardWalk.below(shard, segments::get);
            if (next.isEmpty()) {
                Set<Long> read = new HashSet<>();
                segments.part(above).ifPresent(read::add);
                below.stream().limit(MOST_BELOW).forEach(each -> count(segments.part(each), read));
            }
            above = shard;
            below = next;
        }
    }

    private void count(OptionalLong found, Set<Long> read) {
        long part = found.orElse(Long.MIN_VALUE);
        boolean isNear =
                found.isPresent() && LongStream.rangeClosed(part - 1, part + 1).anyMatch(read::contains);
        near += isNear ? 1 : 0;
        far += isNear ? 0 : 1;
        found.ifPresent(read::add);
    }
}
