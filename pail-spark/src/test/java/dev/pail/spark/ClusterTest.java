package dev.pail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.ipld.Cid;
import dev.pail.jdbc.PostgresLocator;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Need;
import dev.pail.testkit.Randomness;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.Success$;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Builds by two executors, each a process of its own, with Kryo as the serializer of the job. {@code .ci/spark} runs it, on a Java before
 * 24: the Hadoop of Spark 4.1 starts no executor on newer ones.
 */
class ClusterTest {
    private static JavaSparkContext context;

    @TempDir
    static Path folders;

    @BeforeAll
    static void start() throws IOException {
        context = Cluster.start(folders);
    }

    @AfterAll
    static void stop() {
        context.stop();
    }

    private static Path newFolder() {
        Path folder = folders.resolve("r" + System.nanoTime());
        FileRepository.init(folder, ShardFormat.v1(), BlockStorage.SEGMENTS).close();
        return folder;
    }

    @Test
    void executorsShareAFolder_V1_6() {
        Cluster.check(context, PailTarget.at(newFolder().toString()), "ClusterTest folder");
    }

    /** From the rows of a DataFrame to a branch, a difference and a check. */
    @Test
    void executorsShareADatabase_V1_6() throws IOException {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "off")
                .setServerConfig("max_connections", "100")
                .start()) {
            String url = "postgresql://postgres@localhost:" + server.getPort()
                    + "/postgres?repository=built&sslmode=disable";
            new PostgresLocator()
                    .init(url, ShardFormat.v1(), Set.of(Need.EVENTS), Duration.ofSeconds(20))
                    .close();
            PailTarget target = PailTarget.at(url);
            Cluster.check(context, target, "ClusterTest database");

            Set<String> keys = KeySets.keys(KeySets.Kind.HOT_PREFIX, Randomness.random("ClusterTest rows"));
            SparkSession session =
                    SparkSession.builder().sparkContext(context.sc()).getOrCreate();
            List<Row> rows = keys.stream()
                    .map(key -> RowFactory.create(key, KeySets.value(key).toString()))
                    .toList();
            Dataset<Row> entries = session.createDataFrame(
                    rows, new StructType().add("key", DataTypes.StringType).add("cid", DataTypes.StringType));
            Cid before;
            try (Repository repository = target.open()) {
                before = repository.root("main");
            }
            Cid root = PailSpark.build(
                    entries, target, BuildOptions.of(ShardFormat.v1()).withBranch("main", "from rows"));
            try (Repository repository = target.open()) {
                assertThat(repository.root("main")).isEqualTo(root).isEqualTo(KeySets.root(ShardFormat.v1(), keys));
            }
            assertThat(PailSpark.diff(context, target, before, root)
                            .map(ChangedKey::key)
                            .collect())
                    .containsExactlyElementsOf(keys);
            CheckedPail checked = PailSpark.verify(context, target, root);
            assertThat(checked.isSound()).isTrue();
            assertThat(checked.entries()).isEqualTo(keys.size());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HALT", "FAIL"})
    void aLostAttemptLeavesNothingThatIsReferenced_V1_6(InterruptedTarget.End end) {
        Set<String> keys = KeySets.keys(KeySets.Kind.UNIFORM, Randomness.random("ClusterTest lost"));
        PailTarget target = PailTarget.at(newFolder().toString());
        JavaPairRDD<String, Cid> entries = KeySets.entries(context, keys, 4, new Random(1));
        BuildOptions options = BuildOptions.of(ShardFormat.v1()).withPartitions(4);
        AtomicInteger failed = new AtomicInteger();
        context.sc().addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd ended) {
                String reason = ended.reason().toString();
                boolean isMeant = reason.contains("this attempt fails") || reason.contains("ExecutorLostFailure");
                // With a process, files of its shuffle are lost: tasks that need them fail, and run again.
                boolean isFollowing = reason.contains("FetchFailed") || reason.contains("TaskKilled");
                failed.addAndGet(isMeant ? 1 : ended.reason() == Success$.MODULE$ || isFollowing ? 0 : 1000);
            }
        });
        Cid root = PailSpark.build(entries, new InterruptedTarget(target, 1, end), options);
        assertThat(failed.get()).as("attempts that failed").isEqualTo(1);
        assertThat(root).isEqualTo(KeySets.root(ShardFormat.v1(), keys));
        Cluster.checkTarget(target, root, keys);
    }
}
