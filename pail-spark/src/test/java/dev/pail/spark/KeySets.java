package dev.pail.spark;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Keys that builds must not be sensitive to, and the pail that one process builds. */
final class KeySets {
    /** The kinds of {@link #keys}. */
    enum Kind {
        UNIFORM,
        HOT_PREFIX,
        ONE,
        NONE,
        NESTED,
        BORDERS
    }

    private static final String HOT = "hot/".repeat(25);

    private KeySets() {}

    /** Keys of any kind. */
    static Set<String> keys(Random random) {
        List<Kind> kinds = List.of(Kind.values());
        return keys(kinds.get(random.nextInt(kinds.size())), random);
    }

    static Set<String> keys(Kind kind, Random random) {
        Set<String> keys = new TreeSet<>();
        int size = switch (kind) {
            case NONE -> 0;
            case ONE -> 1;
            default -> 2 + random.nextInt(1500);
        };
        for (int i = 0; i < size; i++) {
            keys.add(
                    switch (kind) {
                        case HOT_PREFIX ->
                            random.nextInt(10) < 6
                                    ? HOT + Integer.toString(random.nextInt(1 << 20), 36)
                                    : Integer.toString(random.nextInt(1 << 20), 36);
                        case NESTED -> nested(random);
                        case BORDERS -> border(random);
                        default -> Long.toString(random.nextLong() >>> 20, 36);
                    });
        }
        return keys;
    }

    private static String nested(Random random) {
        return random.nextInt(12) == 0
                ? "ab".repeat(random.nextInt(60))
                : Integer.toBinaryString(1 << random.nextInt(9) | random.nextInt(1 << 9))
                        .substring(1);
    }

    /** The first and the last characters that are taken, none at all, and the longest key. */
    private static String border(Random random) {
        StringBuilder key = new StringBuilder();
        for (int length = random.nextInt(6); length > 0; length--) {
            key.append(" !~}a".charAt(random.nextInt(5)));
        }
        return random.nextInt(300) == 0 ? key + "~".repeat(500) : key.toString();
    }

    static Cid value(String key) {
        return Block.of(Cid.RAW, key.getBytes(StandardCharsets.UTF_8)).cid();
    }

    /** The pail that one process builds by puts. */
    static Pail single(BlockStore blocks, ShardFormat format, Collection<String> keys) {
        Batch batch = Pail.create(blocks, format).batch();
        keys.forEach(key -> batch.put(key, value(key)));
        return batch.commit();
    }

    static Cid root(ShardFormat format, Collection<String> keys) {
        return single(new MemoryBlockStore(), format, keys).root();
    }

    /** The entries of keys, in a random order. */
    static JavaPairRDD<String, Cid> entries(
            JavaSparkContext context, Collection<String> keys, int partitions, Random random) {
        List<String> shuffled = new ArrayList<>(keys);
        Collections.shuffle(shuffled, random);
        return context.parallelize(shuffled, partitions).mapToPair(key -> new Tuple2<>(key, value(key)));
    }
}
