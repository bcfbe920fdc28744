package dev.pail.spark;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.KeyNotAllowedException;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ShardUnion;
import dev.pail.StoreIOException;
import dev.pail.Verification;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RepositoryException;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.RangePartitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.util.TaskCompletionListener;
import scala.Tuple2;
import scala.math.Ordering;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Builds, differences and checks of large pails by Apache Spark. A build sorts the keys, makes a pail of each partition in a task of its
 * own, and unites these pails in the driver (spec rule V1.6). So it makes the root that one process makes by puts of the same keys, for any
 * number of partitions and executors.
 *
 * <p>Tasks write blocks straight into the target. A root leaves a task only when all of its blocks are durable, and the driver takes only
 * the results of the attempts that Spark has chosen. A lost or repeated attempt leaves blocks, never a reference to missing ones. The
 * garbage collector of the target removes blocks that no version needs.
 *
 * <p>The new version is garbage, too, until a branch has it. If its blocks are older than the grace period of the collector (14 days by
 * default), a collection may remove them. A branch update then fails and changes nothing.
 *
 * <pre>{@code
 * PailTarget target = PailTarget.at("/mnt/shared/catalogue.pail");
 * Cid root = PailSpark.build(entries, target, ShardFormat.v1());
 * Cid next = PailSpark.build(entries, target, BuildOptions.of(ShardFormat.v1()).withBranch("main", "nightly build"));
 * long changes = PailSpark.diff(context, target, root, next).count();
 * boolean sound = PailSpark.verify(context, target, next).isSound();
 * }</pre>
 */
public final class PailSpark {
    /** Subtrees for each core, so that a task with a large one does not hold up the end. */
    private static final int RANGES_PER_CORE = 4;

    private PailSpark() {}

    /** As {@link #build(JavaPairRDD, PailTarget, BuildOptions)}, with the default options. */
    public static Cid build(JavaPairRDD<String, Cid> entries, PailTarget target, ShardFormat format) {
        return build(entries, target, BuildOptions.of(format));
    }

    /**
     * Builds a pail of entries in any order.
     *
     * <p>The RDD is computed twice, first to sample its keys. Cache it, serialized, if that is expensive and its values are cached as text
     * or bytes: a {@link Cid} is not serializable.
     *
     * @return the root
     * @throws KeyNotAllowedException if the format does not take a key: v1 and v2 take printable ASCII
     * @throws IllegalArgumentException if a key comes more than once, and duplicate keys are refused
     * @throws RepositoryException if there is no such repository, or no such branch
     * @throws StoreIOException if the target cannot be reached from the driver. A task that fails ends the job with an exception of Spark
     * @throws MissingBlockException if the branch cannot be updated, as a collection has removed blocks meanwhile
     */
    public static Cid build(JavaPairRDD<String, Cid> entries, PailTarget target, BuildOptions options) {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(options, "options");
        return buildSorted(entries.mapToPair(entry -> Rows.entry(entry._1(), entry._2())), target, options);
    }

    /** As {@link #build(Dataset, PailTarget, BuildOptions)}, with the default options. */
    public static Cid build(Dataset<Row> entries, PailTarget target, ShardFormat format) {
        return build(entries, target, BuildOptions.of(format));
    }

    /**
     * Builds a pail of a DataFrame with two columns: the key, a string, and the value, a CID as a string or as binary. Otherwise as
     * {@link #build(JavaPairRDD, PailTarget, BuildOptions)}. Spark SQL sorts strings by their bytes, so a sorted DataFrame is sorted
     * again.
     *
     * @throws IllegalArgumentException also if the columns have other types. A null or a text that is no CID ends the job with an exception
     *     of Spark
     */
    public static Cid build(Dataset<Row> entries, PailTarget target, BuildOptions options) {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(options, "options");
        Rows.check(entries.schema());
        return buildSorted(entries.toJavaRDD().mapToPair(Rows::entry), target, options);
    }

    private static Cid buildSorted(JavaPairRDD<String, byte[]> entries, PailTarget target, BuildOptions options) {
        // Before any task runs: a wrong place, or a branch that is not there.
        try (Repository repository = target.open()) {
            if (options.branch() != null) {
                Objects.requireNonNull(repository.head(options.branch()));
            }
        }
        List<BuiltPart> parts = sorted(entries, options)
                .mapPartitions(new PartTask(target, options))
                .collect();
        parts.forEach(part -> refuse(part, options));
        try (Repository repository = target.open()) {
            Cid root = unite(repository.blocks(), parts, options);
            String branch = options.branch();
            if (branch != null) {
                repository.replace(branch, options.reason(), before -> Pail.open(before.blocks(), root));
            }
            return root;
        }
    }

    /**
     * Sorts by {@link String#compareTo}, which is the order of pails. What {@code repartitionAndSortWithinPartitions} does, but with Kryo
     * for the keys and values, with any serializer of the job: Java serialization writes more bytes.
     */
    private static JavaRDD<Tuple2<String, byte[]>> sorted(JavaPairRDD<String, byte[]> entries, BuildOptions options) {
        int partitions = options.partitions() == 0 ? entries.getNumPartitions() : options.partitions();
        ClassTag<String> keys = ClassTag$.MODULE$.apply(String.class);
        ClassTag<byte[]> values = ClassTag$.MODULE$.apply(byte[].class);
        Ordering<String> order = Ordering.String$.MODULE$;
        RDD<Tuple2<String, byte[]>> rdd = entries.rdd();
        RangePartitioner<String, byte[]> ranges =
                new RangePartitioner<>(Math.max(1, partitions), rdd, true, 20, order, keys);
        ShuffledRDD<String, byte[], byte[]> shuffled = new ShuffledRDD<>(rdd, ranges, keys, values, values);
        return shuffled.setKeyOrdering(order)
                .setSerializer(new KryoSerializer(rdd.sparkContext().conf()))
                .toJavaRDD();
    }

    private static void refuse(BuiltPart part, BuildOptions options) {
        String key = part.refused();
        if (key != null) {
            options.format().checkKey(key);
            throw new IllegalArgumentException("the key " + Escapes.brief(key)
                    + " comes more than once: remove all but one, or choose a rule for duplicate keys");
        }
    }

    private static Cid unite(BlockStore target, List<BuiltPart> parts, BuildOptions options) {
        Chunk made = new Chunk();
        Pail united = parts.isEmpty()
                ? Pail.create(made, options.format())
                : ShardUnion.of(made, parts.stream().map(BuiltPart::pail).toList());
        made.writeTo(target);
        return united.root();
    }

    /**
     * Returns the keys whose values differ between two versions, of any formats. The driver goes down from the roots until there are
     * four unequal subtrees for each core, and reads these shards now. The tasks read the shards below that differ, whenever the RDD is
     * computed. Partitions, and the keys in each, are in the order of keys.
     *
     * @throws MissingBlockException if a root is missing. If another shard is, the job ends with an exception of Spark
     */
    public static JavaRDD<ChangedKey> diff(JavaSparkContext context, PailTarget target, Cid from, Cid to) {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        List<KeyPart> ranges;
        try (Repository repository = target.open()) {
            ranges = Subtrees.ranges(
                    Pail.open(repository.blocks(), from).shard(),
                    Pail.open(repository.blocks(), to).shard(),
                    wanted(context));
        }
        byte[] before = from.toBytes();
        byte[] after = to.toBytes();
        return context.parallelize(ranges, ranges.size())
                .mapPartitions(parts -> changes(target, Cid.fromBytes(before), Cid.fromBytes(after), parts));
    }

    private static Iterator<ChangedKey> changes(PailTarget target, Cid before, Cid after, Iterator<KeyPart> parts) {
        Repository repository = target.open();
        // Spark reads the iterator after this method has returned.
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) context -> repository.close());
        BlockStore blocks = repository.blocks();
        Pail one = Pail.open(blocks, before);
        Pail two = Pail.open(blocks, after);
        // Each partition has one range. A flat map would hold all of its changes in memory.
        return one.diff(two, parts.next().range())
                .boundedKeys()
                .map(ChangedKey::new)
                .iterator();
    }

    /**
     * Checks all blocks of a version, as {@link Verification#of(BlockStore, Cid, dev.pail.KeyRange)} does. The driver goes down from the
     * root until there are four subtrees for each core, and tasks do the rest. A task takes memory for each block of its subtree.
     */
    public static CheckedPail verify(JavaSparkContext context, PailTarget target, Cid root) {
        Objects.requireNonNull(root, "root");
        List<KeyPart> ranges;
        try (Repository repository = target.open()) {
            ranges = Subtrees.ranges(Pail.open(repository.blocks(), root).shard(), null, wanted(context));
        }
        byte[] name = root.toBytes();
        return context.parallelize(ranges, ranges.size())
                .map(part -> {
                    try (Repository repository = target.open()) {
                        return CheckedPail.of(Verification.of(repository.blocks(), Cid.fromBytes(name), part.range()));
                    }
                })
                .reduce(CheckedPail::plus);
    }

    private static int wanted(JavaSparkContext context) {
        return RANGES_PER_CORE * Math.max(2, context.defaultParallelism());
    }
}
