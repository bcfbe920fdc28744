/** Repositories: branches, tags, histories, merges and collection over any block store; folders on disk, and remotes. */
// The other modules are not built yet when this one is.
@SuppressWarnings("module")
module dev.pail.repository {
    requires transitive dev.pail.blockstore;
    // Not transitive: who is compiled against this module does not have the annotations.
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    // The super class of the events of the trace.
    requires static jdk.jfr;
    requires com.fasterxml.jackson.core;

    exports dev.pail.folder;
    exports dev.pail.locate to
            dev.pail.jdbc,
            dev.pail.s3;
    exports dev.pail.remote;
    exports dev.pail.remote.wire to
            dev.pail.server;
    exports dev.pail.repository;
    exports dev.pail.repository.files;
    exports dev.pail.repository.model;
    exports dev.pail.repository.spi;
    exports dev.pail.through;
    exports dev.pail.values to
            dev.pail.cli,
            dev.pail.content,
            dev.pail.server;

    uses dev.pail.repository.spi.RepositoryLocator;

    provides dev.pail.repository.spi.RepositoryLocator with
            dev.pail.repository.files.FileLocator,
            dev.pail.through.ServedLocator;
}
