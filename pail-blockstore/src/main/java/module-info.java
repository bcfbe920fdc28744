/** Block stores: folders, segments, CAR files; files and folders of UnixFS over any of them. */
// The other modules are not built yet when this one is.
@SuppressWarnings("module")
module dev.pail.blockstore {
    requires transitive dev.pail.core;
    // Not transitive: who is compiled against this module does not have the annotations.
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    // A runtime without Flight Recorder will do.
    requires static jdk.jfr;
    requires com.github.benmanes.caffeine;

    exports dev.pail.blockstore;
    exports dev.pail.car;
    exports dev.pail.dag to
            dev.pail.cli,
            dev.pail.jdbc,
            dev.pail.repository,
            dev.pail.s3,
            dev.pail.server;
    exports dev.pail.disk;
    exports dev.pail.lock to
            dev.pail.repository;
    exports dev.pail.sweep;
    exports dev.pail.trace to
            dev.pail.jdbc,
            dev.pail.repository,
            dev.pail.s3;
    exports dev.pail.unixfs;
}
