/** An HTTP server over a repository. */
@SuppressWarnings("requires-automatic") // Micrometer has no module descriptors.
module dev.pail.server {
    requires transitive dev.pail.repository;
    // Not transitive: who is compiled against this module does not have the annotations.
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires dev.pail.content;
    requires dev.pail.table;
    requires com.fasterxml.jackson.core;
    requires micrometer.core;
    requires micrometer.registry.prometheus;
    requires org.eclipse.jetty.alpn.server;
    requires org.eclipse.jetty.http2.server;
    requires org.eclipse.jetty.server;

    exports dev.pail.server;

    provides dev.pail.repository.RepositoryServer with
            dev.pail.server.HttpRepositoryServer;
}
