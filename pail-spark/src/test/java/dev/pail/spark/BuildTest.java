package dev.pail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.KeyNotAllowedException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.testkit.Randomness;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;

/** Builds in one process with two threads, against the pail that one process builds by puts. */
class BuildTest {
    private static final int SETS = Randomness.times(2, 30);
    private static JavaSparkContext context;

    @TempDir
    static Path folders;

    private Path folder;
    private PailTarget target;

    @BeforeAll
    static void start() {
        context = Local.context("BuildTest");
    }

    @AfterAll
    static void stop() {
        context.stop();
    }

    @BeforeEach
    void init() {
        folder = folders.resolve("r" + System.nanoTime());
        FileRepository.init(folder, ShardFormat.v1(), BlockStorage.SEGMENTS).close();
        target = PailTarget.at(folder.toString());
    }

    @ParameterizedTest
    @EnumSource
    void givesTheRootOfOneProcess_V1_6(KeySets.Kind kind) {
        long seed = Randomness.seed("BuildTest");
        for (int set = 0; set < SETS; set++) {
            Random random = Randomness.random(seed + set);
            Set<String> keys = KeySets.keys(kind, random);
            ShardFormat format = set % 2 == 0 ? ShardFormat.v1() : ShardFormat.v2(1000);
            int partitions = 1 + random.nextInt(64);
            JavaPairRDD<String, Cid> entries = KeySets.entries(context, keys, 1 + random.nextInt(4), random);
            Cid root = PailSpark.build(entries, target, BuildOptions.of(format).withPartitions(partitions));
            assertThat(root).as("set " + set + " of seed " + seed).isEqualTo(KeySets.root(format, keys));
            try (Repository repository = target.open()) {
                assertThat(Verification.of(repository.blocks(), root).isSound()).isTrue();
                assertThat(Pail.open(repository.blocks(), root).entries().map(entry -> entry.key()))
                        .containsExactlyElementsOf(keys);
            }
        }
    }

    /** The root is of npm {@code @web3-storage/pail} 0.6.2, after 10,000 puts. */
    @Test
    void givesTheRootOfTheNpmPackage_V1_6() {
        List<String> keys = IntStream.range(0, 10_000)
                .mapToObj(i -> "dir" + i % 7 + "/" + Integer.toString(i * 7919 % 10_007, 36) + "/file")
                .toList();
        Cid root = PailSpark.build(
                KeySets.entries(context, keys, 4, Randomness.random("BuildTest npm")),
                target,
                BuildOptions.of(ShardFormat.v1()).withPartitions(8));
        assertThat(root).hasToString("bafyreideitmcxo3q7rc3wrhq3cze27qsuqioywjffa2mtqz4dr24uwugxi");
    }

    @Test
    void refusesVersion0() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BuildOptions.of(ShardFormat.v0()))
                .withMessage("a build in parts makes no pail of version 0, as its layout depends on the order of puts:"
                        + " load all keys, sorted, in one process, or use version 1 or 2");
    }

    @Test
    void aDuplicateKeyIsRefusedOrDecidedByTheRule() {
        List<Cid> values = List.of(KeySets.value("1"), KeySets.value("2"), KeySets.value("3"));
        List<Tuple2<String, String>> pairs = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            pairs.add(new Tuple2<>("key" + i, values.get(i % 3).toString()));
            pairs.add(new Tuple2<>("twice", values.get(i % 3).toString()));
        }
        JavaPairRDD<String, Cid> entries =
                context.parallelize(pairs, 5).mapToPair(pair -> new Tuple2<>(pair._1(), Cid.parse(pair._2())));
        BuildOptions options = BuildOptions.of(ShardFormat.v1()).withPartitions(4);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PailSpark.build(entries, target, options))
                .withMessage(
                        "the key \"twice\" comes more than once: remove all but one, or choose a rule for duplicate"
                                + " keys");
        Cid least = PailSpark.build(entries, target, options.withDuplicates(DuplicateKeys.LEAST_VALUE));
        Cid greatest = PailSpark.build(entries, target, options.withDuplicates(DuplicateKeys.GREATEST_VALUE));
        try (Repository repository = target.open()) {
            assertThat(Pail.open(repository.blocks(), least).get("twice"))
                    .contains(values.stream().min(Cid::compareTo).orElseThrow());
            assertThat(Pail.open(repository.blocks(), greatest).get("twice"))
                    .contains(values.stream().max(Cid::compareTo).orElseThrow());
            assertThat(Pail.open(repository.blocks(), greatest).entries()).hasSize(31);
        }
    }

    /** In the order of Strings, the first of these is less than the second; by UTF-8 bytes it is greater. */
    @Test
    void aKeyThatTheFormatDoesNotTakeIsRefused_V1_1() {
        for (String key : List.of("\ud83d\ude00", "\uffee", "\ud800", "tab\t", "a".repeat(4097))) {
            JavaPairRDD<String, Cid> entries = KeySets.entries(context, Set.of("a", key, "z"), 2, new Random(1));
            assertThatExceptionOfType(KeyNotAllowedException.class)
                    .isThrownBy(() -> PailSpark.build(entries, target, ShardFormat.v1()));
        }
    }

    @Test
    void theBranchGetsTheVersion() {
        Set<String> keys = KeySets.keys(KeySets.Kind.UNIFORM, new Random(1));
        BuildOptions options = BuildOptions.of(ShardFormat.v2()).withPartitions(3);
        JavaPairRDD<String, Cid> entries = KeySets.entries(context, keys, 2, new Random(1));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> PailSpark.build(entries, target, options.withBranch("other", "build")));
        Cid root = PailSpark.build(entries, target, options.withBranch("main", "build"));
        try (Repository repository = target.open()) {
            assertThat(repository.root("main")).isEqualTo(root);
            assertThat(repository.pail().entries()).hasSize(keys.size());
            try (var log = repository.history().log("main")) {
                assertThat(log.findFirst().orElseThrow().reason()).isEqualTo("build");
            }
        }
    }

    /** Two attempts of one task at the same time; one is stopped, as with speculation. */
    @Test
    void aStoppedAttemptBesideAnotherLeavesNothingThatIsReferenced_V1_6() throws InterruptedException {
        Set<String> keys = KeySets.keys(KeySets.Kind.UNIFORM, Randomness.random("BuildTest"));
        List<Tuple2<String, byte[]>> sorted = keys.stream()
                .map(key -> new Tuple2<>(key, KeySets.value(key).toBytes()))
                .toList();
        PartTask task = new PartTask(
                new InterruptedTarget(target, -1, InterruptedTarget.End.WAIT), BuildOptions.of(ShardFormat.v1()));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread first = new Thread(() -> task.call(sorted.iterator()), "first");
        first.setUncaughtExceptionHandler((thread, error) -> failure.set(error));
        first.start();
        Pail built = task.call(sorted.iterator()).next().pail();
        first.interrupt();
        first.join();
        assertThat(failure.get()).isNotNull();
        assertThat(built.root()).isEqualTo(KeySets.root(ShardFormat.v1(), keys));
        try (Repository repository = target.open()) {
            assertThat(Verification.of(repository.blocks(), built.root()).isSound())
                    .isTrue();
        }
    }

    /** Keys of a task that do not fit into one chunk, and chunks that are more than are united at once. */
    @ParameterizedTest
    @EnumSource
    void aTaskUnitesItsChunks_V1_6(KeySets.Kind kind) {
        long seed = Randomness.seed("BuildTest chunks");
        for (int set = 0; set < SETS * 10; set++) {
            Random random = Randomness.random(seed + set);
            Set<String> keys = KeySets.keys(kind, random);
            ShardFormat format = set % 2 == 0 ? ShardFormat.v1() : ShardFormat.v2();
            MemoryBlockStore written = new MemoryBlockStore();
            PartBuilder builder = new PartBuilder(written, format, random.nextInt(20_000));
            keys.forEach(key -> builder.put(key, KeySets.value(key)));
            Cid root = builder.finish().root();
            assertThat(Pail.open(written, root).entries().map(entry -> entry.key()))
                    .as("set " + set + " of seed " + seed)
                    .containsExactlyElementsOf(keys);
            assertThat(root).isEqualTo(KeySets.root(format, keys));
        }
    }
}
