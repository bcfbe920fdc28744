/** Repositories in a database of PostgreSQL. */
@SuppressWarnings("requires-automatic") // The driver has no module descriptor.
module dev.pail.jdbc {
    requires transitive dev.pail.repository;
    requires transitive java.sql;
    // Not transitive: who is compiled against this module does not have the annotations.
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires com.github.benmanes.caffeine;
    // The driver, and what its data source refers to: only the command line needs them.
    requires static java.naming;
    requires static org.postgresql.jdbc;
    requires static org.checkerframework.checker.qual;

    exports dev.pail.jdbc;

    provides dev.pail.repository.spi.RepositoryLocator with
            dev.pail.jdbc.PostgresLocator;
}
