package dev.pail.jdbc;

import dev.pail.repository.model.RepositoryException;
import dev.pail.trace.Trace;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tables, and the version of them. Rule PG1. */
final class Schema {
    private static final int VERSION = 2;

    /** The first version, without the columns of {@link #COLUMNS}. */
    private static final int FIRST = 1;

    private static final String UNDEFINED_TABLE = "42P01";

    /** Why tables are not upgraded: the role may not, the database is read-only, or a lock was not to be had. */
    private static final Set<String> LEFT_ALONE = Set.of("42501", "25006", "55P03");

    /** What version 2 adds. Rule PG14. */
    private static final String COLUMNS = "alter table pail_repository add column if not exists uuid uuid,"
            + " add column if not exists records bigint";

    /** What becomes of a statement that makes a table while another process makes the same. */
    private static final Set<String> MADE_MEANWHILE = Set.of("23505", "42P07", "42710");

    private static final int MOST_ATTEMPTS = 10;

    /** Blocks are hashes and compressed data, so that the database need not try to compress them. */
    private static final List<String> STATEMENTS = List.of(
            "create table if not exists pail_schema (version integer primary key)",
            "create table if not exists pail_repository (id integer generated always as identity primary key,"
                    + " name text collate \"C\" not null, format text not null,"
                    + " made_at timestamptz not null default clock_timestamp(),"
                    + " constraint pail_repository_name unique (name))",
            COLUMNS,
            "create table if not exists pail_block (repository integer not null, multihash bytea not null,"
                    + " bytes bytea not null, put_at timestamptz not null, condemned_at timestamptz,"
                    + " primary key (repository, multihash))",
            "alter table pail_block alter column bytes set storage external",
            "create table if not exists pail_record (repository integer not null, name text collate \"C\" not null,"
                    + " number bigint not null, content bytea not null, primary key (repository, name, number))",
            "insert into pail_schema values (" + VERSION + ") on conflict do nothing");

    /** One message, so one transaction. */
    private static final String UPGRADE = "set local lock_timeout = 2000; " + COLUMNS
            + "; update pail_repository set uuid = gen_random_uuid() where uuid is null"
            + "; insert into pail_schema values (" + VERSION + ") on conflict do nothing";

    private Schema() {}

    /** Makes the tables, unless they are there. Needs the permission to create tables only if they are not. */
    static void make(Connection connection) throws SQLException {
        for (int attempt = 1; version(connection) == 0; attempt++) {
            try (Statement statement = connection.createStatement()) {
                for (String each : STATEMENTS) {
                    statement.execute(each);
                }
            } catch (SQLException e) {
                if (attempt == MOST_ATTEMPTS || !MADE_MEANWHILE.contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
            }
        }
        upgrade(connection);
    }

    /**
     * Makes tables of version 1 those of this version, unless the role is not their owner or others use them for too long: then they stay as
     * they are (PG14).
     *
     * @return the version of the tables
     */
    static int upgrade(Connection connection) throws SQLException {
        int version = version(connection);
        if (version != FIRST) {
            return version;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(UPGRADE);
            return VERSION;
        } catch (SQLException e) {
            if (!LEFT_ALONE.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
            Trace.swallowed("the tables stay as they are", e);
            return version(connection);
        }
    }

    /** A schema with the tables that is not in the search path, or that this role may not use. */
    static Optional<String> outOfSight(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                        "select nspname from pg_class c"
                                + " join pg_namespace n on n.oid = relnamespace where relname = 'pail_repository'"
                                + " and relkind in ('r', 'p', 'v') and not pg_table_is_visible(c.oid) order by nspname limit 1");
                ResultSet found = query.executeQuery()) {
            return found.next() ? Optional.of(found.getString(1)) : Optional.empty();
        }
    }

    /** Another schema that this role may read, in which there is a repository of a name. */
    static Optional<String> elsewhere(Connection connection, String name) throws SQLException {
        List<String> schemas = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("select nspname from pg_class c"
                        + " join pg_namespace n on n.oid = relnamespace where relname = 'pail_repository'"
                        + " and relkind in ('r', 'p', 'v') and not pg_table_is_visible(c.oid)"
                        + " and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')");
                ResultSet found = query.executeQuery()) {
            while (found.next()) {
                schemas.add(found.getString(1));
            }
        }
        for (String schema : schemas) {
            String quoted = "\"" + schema.replace("\"", "\"\"") + "\"";
            try (PreparedStatement query =
                    connection.prepareStatement("select from " + quoted + ".pail_repository where name = ?")) {
                query.setString(1, name);
                try (ResultSet found = query.executeQuery()) {
                    if (found.next()) {
                        return Optional.of(schema);
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Whether the tables are there. */
    static boolean isThere(Connection connection) throws SQLException {
        return version(connection) > 0;
    }

    /**
     * The version of the tables; 0, if there are none.
     *
     * @throws RepositoryException if it is newer than those that are known here
     */
    static int version(Connection connection) throws SQLException {
        try (PreparedStatement versions = connection.prepareStatement("select max(version) from pail_schema");
                ResultSet found = versions.executeQuery()) {
            found.next();
            int version = found.getInt(1);
            if (version > VERSION) {
                throw new RepositoryException(
                        RepositoryException.Reason.DAMAGED,
                        "the tables have version " + version + ", which is newer than " + VERSION
                                + ", the newest that is known here",
                        "use a newer version of this program",
                        null);
            }
            return version;
        } catch (SQLException e) {
            if (UNDEFINED_TABLE.equals(e.getSQLState())) {
                return 0;
            }
            throw e;
        }
    }
}
