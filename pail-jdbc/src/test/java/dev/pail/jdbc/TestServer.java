package dev.pail.jdbc;

import static org.junit.jupiter.api.Assumptions.abort;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A server for the tests of this process: the one at the address in {@code -Dpail.postgres=HOST:PORT}, whose user {@code pail} needs no
 * password and may make databases; else an embedded one. Where that cannot run, the tests are skipped, which is an error with {@code
 * -Dpail.complete}.
 */
public final class TestServer {
    private static final String USER = "pail";
    private static final String SUPERUSER = "postgres";
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
                return at(USER + "@" + given);
            }
            EmbeddedPostgres server = started(EmbeddedPostgres.builder()
                    .setServerConfig("max_connections", "100")
                    .setServerConfig("fsync", "off"));
            return new TestServer("localhost", server.getPort(), SUPERUSER);
        }
    }

    /** Starts an embedded server. Where none can run, the test is skipped. */
    static EmbeddedPostgres started(EmbeddedPostgres.Builder builder) {
        try {
            return builder.start();
        } catch (IOException | RuntimeException e) {
            if (Boolean.getBoolean("pail.complete")) {
                throw new IllegalStateException("no server of PostgreSQL could be started", e);
            }
            return abort("no server of PostgreSQL can be started here: " + e.getMessage());
        }
    }

    public static TestServer get() {
        return Only.SERVER;
    }

    /** The server at USER@HOST:PORT. */
    public static TestServer at(String address) {
        int name = address.indexOf('@');
        int colon = address.lastIndexOf(':');
        return new TestServer(
                address.substring(name + 1, colon),
                Integer.parseInt(address.substring(colon + 1)),
                address.substring(0, name));
    }

    String user() {
        return user;
    }

    /** As {@link #at} takes it. */
    public String address() {
        return user + "@" + host + ":" + port;
    }

    /** The same server by way of a port of this machine. */
    public TestServer through(int other) {
        return new TestServer("localhost", other, user);
    }

    public InetSocketAddress socketAddress() {
        return new InetSocketAddress(host, port);
    }

    String url(String database) {
        return "postgresql://" + user + "@" + host + ":" + port + "/" + database;
    }

    /** Makes a database, and says its name. */
    public String newDatabase() {
        String name = "t" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
        execute(source("postgres"), "create database " + name);
        return name;
    }

    /** A source without a pool. */
    public PGSimpleDataSource source(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {host});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(database);
        source.setUser(user);
        // Nothing is said before the first message that a proxy understands.
        source.setSslMode("disable");
        return source;
    }

    public static void execute(PGSimpleDataSource source, String sql) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** The texts in the first column of a result. */
    public static List<String> queried(PGSimpleDataSource source, String sql) {
        List<String> texts = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                texts.add(found.getString(1));
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
        return texts;
    }

    /** Repositories in a database, over few connections that are kept. */
    public static PostgresStorage storage(DataSource source, Duration patience) {
        return PostgresStorage.keeping(source, "a test", patience);
    }
}
