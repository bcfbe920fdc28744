package dev.pail.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Spark in this process, with two threads. */
final class Local {
    private Local() {}

    static SparkConf conf(String name) {
        return new SparkConf()
                .setMaster("local[2]")
                .setAppName(name)
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.ui.enabled", "false");
    }

    static JavaSparkContext context(String name) {
        return new JavaSparkContext(conf(name));
    }
}
