package dev.pail.jdbc;

import static org.junit.jupiter.api.Assumptions.abort;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A server for the tests of this process: the one at the address in {@code -Dpail.postgres=HOST:PORT}, whose user {@code pail} needs no
 * password and may make databases; else an embedded one. Where that cannot run, the tests are skipped, which is an error with {@code
 * -Dpail.complete}.
 */
public final class TestServer {
    private static final String USER = "pail";
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final String host;
    private final int port;
    private final String user;

    private TestServer(String host, int port, String user) {
        this.host = host;
        this.port = port;
        this.user = user;
    }

    /** The one server of this process. */
    private static final class Only {
        private static final TestServer SERVER = start();

        private static TestServer start() {
            String given = System.getProperty("pail.postgres", "");
            if (!given.isEmpty()) {
                int colon = given.lastIndexOf(':');
                return new TestServer(given.substring(0, colon), Integer.parseInt(given.substring(colon + 1)), USER);
            }
            try {
                EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "100")
                        .setServerConfig("fsync", "off")
                        .start();
                return new TestServer("localhost", server.getPort(), "postgres");
            } catch (IOException | RuntimeException e) {
                if (Boolean.getBoolean("pail.complete")) {
                    throw new IllegalStateException("no server of PostgreSQL could be started", e);
                }
                return abort("no server of PostgreSQL can be started here: " + e.getMessage());
            }
        }
    }

    public static TestServer get() {
        return Only.SERVER;
    }

    public int port() {
        return port;
    }

    String url(String database) {
        return "postgresql://" + user + "@" + host + ":" + port + "/" + database;
    }

    /** Makes a database, and says its name. */
    public String newDatabase() {
        String name = "t" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
        execute(source("postgres", port), "create database " + name);
        return name;
    }

    /** A source without a pool, perhaps by way of another port. */
    public PGSimpleDataSource source(String database, int through) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {host});
        source.setPortNumbers(new int[] {through});
        source.setDatabaseName(database);
        source.setUser(user);
        // Nothing is said before the first message that a proxy understands.
        source.setSslMode("disable");
        return source;
    }

    public PGSimpleDataSource source(String database) {
        return source(database, port);
    }

    public static void execute(PGSimpleDataSource source, String sql) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** Repositories in a database, over few connections that are kept. */
    public static PostgresStorage storage(PGSimpleDataSource source, Duration patience) {
        return PostgresStorage.keeping(source, "a test", patience);
    }
}
