/** Contract suites, simulated disks and random maps, for tests of stores and of programs that use a pail. */
module dev.pail.testkit {
    requires transitive dev.pail.repository;
    requires transitive org.junit.jupiter.api;
    requires java.net.http;
    requires jdk.httpserver;
    requires org.assertj.core;
    requires static org.jspecify;

    exports dev.pail.testkit;
    exports dev.pail.testkit.disk;
    exports dev.pail.testkit.remote;
    exports dev.pail.testkit.repository;
}
