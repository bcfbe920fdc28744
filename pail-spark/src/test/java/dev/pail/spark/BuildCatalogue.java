package dev.pail.spark;

import dev.pail.ShardFormat;
import dev.pail.ipld.Cid;
import java.io.IOException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * An example of a job: builds a pail of the columns {@code key} and {@code cid} of a Parquet file, updates the branch main, and checks
 * the new version. Arguments: the file, and the target.
 */
final class BuildCatalogue {
    private BuildCatalogue() {}

    public static void main(String[] arguments) throws IOException {
        try (SparkSession session =
                SparkSession.builder().appName("build a catalogue").getOrCreate()) {
            Dataset<Row> entries = session.read().parquet(arguments[0]).select("key", "cid");
            PailTarget target = PailTarget.at(arguments[1]);
            BuildOptions options = BuildOptions.of(ShardFormat.v1()).withBranch("main", "build a catalogue");
            Cid root = PailSpark.build(entries, target, options);
            JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
            CheckedPail checked = PailSpark.verify(context, target, root);
            checked.problems().forEach(System.err::println);
            System.out.println(root + " has " + checked.entries() + " entries");
        }
    }
}
