package dev.pail.spark;

import dev.pail.ShardFormat;
import dev.pail.repository.model.Need;
import dev.pail.s3.S3Locator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds by two executors into a bucket of the server whose address is in {@code PAIL_TEST_S3}, with keys in the environment variables of AWS.
 * {@code .ci/s3} runs it, on a Java before 24.
 */
@EnabledIfEnvironmentVariable(named = "PAIL_TEST_S3", matches = ".+")
class BucketClusterTest {
    @Test
    void executorsShareABucket_V1_6(@TempDir Path folders) throws IOException {
        String url = "s3://pail-test/spark" + System.nanoTime() + "?endpoint=" + System.getenv("PAIL_TEST_S3");
        new S3Locator()
                .init(url, ShardFormat.v1(), Set.of(Need.EVENTS), Duration.ofSeconds(20))
                .close();
        try (JavaSparkContext context = Cluster.start(folders)) {
            Cluster.check(context, PailTarget.at(url), "BucketClusterTest");
        }
    }
}
