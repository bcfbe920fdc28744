package dev.pail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** Two executors, each a process of its own, with Kryo as the serializer of the job. */
final class Cluster {
    private static final int SETS = Randomness.times(3, 30 * 6);

    private Cluster() {}

    static JavaSparkContext start(Path folders) throws IOException {
        // An installation, as the workers of Spark look for one: its class path is that of this process.
        Path home = Path.of(System.getenv("SPARK_HOME"));
        Files.createDirectories(home.resolve("jars"));
        Files.writeString(home.resolve("RELEASE"), "");
        return new JavaSparkContext(Local.conf("Cluster")
                .setMaster("local-cluster[2,1,1024]")
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .set("spark.executorEnv.JAVA_HOME", System.getProperty("java.home"))
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.executor.memory", "512m")
                .set("spark.local.dir", folders.resolve("local").toString()));
    }

    static void checkTarget(PailTarget target, Cid root, Set<String> keys) {
        try (Repository repository = target.open()) {
            assertThat(Verification.of(repository.blocks(), root).isSound()).isTrue();
            assertThat(Pail.open(repository.blocks(), root).entries().map(Entry::key))
                    .containsExactlyElementsOf(keys);
        }
    }

    /** Checks the roots of builds of random keys. */
    static void check(JavaSparkContext context, PailTarget target, String test) {
        long seed = Randomness.seed(test);
        for (int set = 0; set < SETS; set++) {
            Random random = Randomness.random(seed + set);
            Set<String> keys = KeySets.keys(random);
            ShardFormat format = set % 2 == 0 ? ShardFormat.v1() : ShardFormat.v2();
            JavaPairRDD<String, Cid> entries = KeySets.entries(context, keys, 4, random);
            BuildOptions options = BuildOptions.of(format).withPartitions(1 + random.nextInt(64));
            Cid root = PailSpark.build(entries, target, options);
            assertThat(root).as("set " + set + " of seed " + seed).isEqualTo(KeySets.root(format, keys));
            checkTarget(target, root, keys);
        }
    }
}
