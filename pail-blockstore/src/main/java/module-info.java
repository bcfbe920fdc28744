/** Block stores and the repository on disk. */
// The other modules are not built yet when this one is.
@SuppressWarnings("module")
module dev.pail.blockstore {
    requires transitive dev.pail.core;
    // Not transitive: who is compiled against this module does not have the annotations.
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    // A runtime without Flight Recorder will do.
    requires static jdk.jfr;
    requires com.fasterxml.jackson.core;
    requires com.github.benmanes.caffeine;

    exports dev.pail.blockstore;
    exports dev.pail.car;
    exports dev.pail.dag to
            dev.pail.cli,
            dev.pail.jdbc,
            dev.pail.s3,
            dev.pail.server;
    exports dev.pail.disk;
    exports dev.pail.locate to
            dev.pail.jdbc,
            dev.pail.s3;
    exports dev.pail.remote;
    exports dev.pail.remote.wire to
            dev.pail.server;
    exports dev.pail.repository;
    exports dev.pail.repository.files;
    exports dev.pail.sweep;
    exports dev.pail.trace to
            dev.pail.jdbc,
            dev.pail.s3;
    exports dev.pail.unixfs;
    exports dev.pail.values to
            dev.pail.cli,
            dev.pail.server;

    uses dev.pail.repository.RepositoryLocator;

    provides dev.pail.repository.RepositoryLocator with
            dev.pail.repository.files.FileLocator;
}
