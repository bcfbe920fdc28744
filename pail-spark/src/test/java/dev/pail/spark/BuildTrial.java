package dev.pail.spark;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.ShardCache;
import dev.pail.ShardFormat;
import dev.pail.SharedShards;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Measures one build, or a difference. Not a test: {@code .ci/spark trial} runs it. Arguments: spark, single or diff; uniform or hot; the
 * number of keys; the number of partitions; a folder that is not there; the number of threads.
 */
final class BuildTrial {
    private static final String HOT = "hot/".repeat(25);

    private BuildTrial() {}

    private static long mixed(long number) {
        long mix = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
        mix = (mix ^ (mix >>> 27)) * 0x94d049bb133111ebL;
        return mix ^ (mix >>> 31);
    }

    private static String key(boolean isHot, long number) {
        String name = Long.toString(mixed(number) >>> 12, 36);
        return isHot && number % 10 < 6 ? HOT + name : name;
    }

    private static Cid value(long number) {
        ByteBuffer bytes = ByteBuffer.allocate(36)
                .put((byte) 1)
                .put((byte) 0x55)
                .put((byte) 0x12)
                .put((byte) 32);
        for (int i = 0; i < 4; i++) {
            bytes.putLong(mixed(number * 4 + i));
        }
        return Cid.fromBytes(bytes.array());
    }

    private static JavaPairRDD<String, Cid> entries(JavaSparkContext context, boolean isHot, long count, int parts) {
        List<Long> starts = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            starts.add(count * i / parts);
        }
        long each = (count + parts - 1) / parts;
        return context.parallelize(starts, parts)
                .flatMap(start ->
                        LongStream.range(start, Math.min(count, start + each)).iterator())
                .mapToPair(number -> new Tuple2<>(key(isHot, number), value(number)));
    }

    /** Counts the blocks that are read. */
    private record Counting(BlockStore store, LongAdder reads, ShardCache shardCache) implements SharedShards {
        @Override
        public Optional<Block> get(Cid cid) {
            reads.increment();
            return store.get(cid);
        }

        @Override
        public void putAll(Collection<Block> blocks) {
            store.putAll(blocks);
        }

        @Override
        public boolean has(Cid cid) {
            return store.has(cid);
        }

        @Override
        public void close() {
            store.close();
        }
    }

    public static void main(String[] arguments) throws IOException {
        boolean isHot = arguments[1].equals("hot");
        long count = Long.parseLong(arguments[2]);
        int partitions = Integer.parseInt(arguments[3]);
        Path folder = Path.of(arguments[4]);
        String threads = arguments[5];
        ShardFormat format = ShardFormat.v1();
        FileRepository.init(folder, format, BlockStorage.SEGMENTS).close();
        PailTarget target = PailTarget.at(folder.toString());
        switch (arguments[0]) {
            case "single" -> {
                try (Repository repository = target.open()) {
                    Batch batch = Pail.create(repository.blocks(), format).batch();
                    LongStream.range(0, count).forEach(number -> batch.put(key(isHot, number), value(number)));
                    System.out.println("root " + batch.commit().root());
                }
            }
            case "spark" -> {
                try (JavaSparkContext context =
                        new JavaSparkContext(Local.conf("trial").setMaster("local[" + threads + "]"))) {
                    BuildOptions options = BuildOptions.of(format).withPartitions(partitions);
                    System.out.println(
                            "root " + PailSpark.build(entries(context, isHot, count, partitions), target, options));
                }
            }
            default -> diff(target, isHot, count, partitions, threads);
        }
        long processor = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
        System.out.println(String.join(" ", arguments) + ": processor seconds " + processor / 1_000_000_000.0 + ", "
                + Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(line -> line.startsWith("VmHWM"))
                        .findFirst()
                        .orElse(""));
    }

    /** A thousand changes in one version, then their difference: the blocks that the driver and the tasks read. */
    private static void diff(PailTarget target, boolean isHot, long count, int partitions, String threads) {
        try (JavaSparkContext context = new JavaSparkContext(Local.conf("trial").setMaster("local[" + threads + "]"))) {
            BuildOptions options = BuildOptions.of(ShardFormat.v1()).withPartitions(partitions);
            Cid from = PailSpark.build(entries(context, isHot, count, partitions), target, options);
            Cid to;
            try (Repository repository = target.open()) {
                Batch batch = Pail.open(repository.blocks(), from).batch();
                for (int i = 0; i < 1000; i++) {
                    batch.put(key(isHot, i * (count / 1000)), value(-1 - i));
                }
                to = batch.commit().root();
            }
            long blocks = PailSpark.verify(context, target, from).shards();
            LongAdder reads = new LongAdder();
            long changes;
            try (Repository repository = target.open()) {
                // In one process, what each task of the difference would read, with a cache of its own.
                Counting driver = new Counting(repository.blocks(), reads, ShardCache.ofDefaultWeight());
                List<KeyPart> ranges = Subtrees.ranges(
                        Pail.open(driver, from).shard(), Pail.open(driver, to).shard(), 64);
                changes = ranges.stream()
                        .mapToLong(range -> {
                            Counting task = new Counting(repository.blocks(), reads, ShardCache.ofDefaultWeight());
                            return Pail.open(task, from)
                                    .diff(Pail.open(task, to), range.range())
                                    .boundedKeys()
                                    .count();
                        })
                        .sum();
                System.out.println(ranges.size() + " ranges");
            }
            System.out.println("shards " + blocks + ", changes " + changes + ", blocks read " + reads + ", by Spark "
                    + PailSpark.diff(context, target, from, to).count() + " changes");
        }
    }
}
