package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.jdbc.CommitProxy;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestServer;
import dev.pail.testkit.repository.LinearizabilityContract;
import dev.pail.testkit.repository.MapClient;
import dev.pail.testkit.repository.ProcessFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Processes that share a database. Connections end before, during and behind a commit, no new one can be made for a while, and a killed
 * process says nothing more.
 */
class LinearizablePostgresTest extends LinearizabilityContract {
    private static final String REPOSITORY = "r";

    /** A process that cannot reach the server soon gives up, so that the outcome of a commit may stay unknown. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    @Override
    protected SharedStore newStore(Random random) throws SQLException {
        return new Database(random);
    }

    private static final class Database implements SharedStore {
        private final TestServer server = TestServer.get();
        private final String name = server.newDatabase();
        private final Random random;
        private final Connection watcher = server.source(name).getConnection();

        Database(Random random) throws SQLException {
            this.random = random;
            TestServer.storage(server.source(name), PATIENCE)
                    .init(REPOSITORY, ShardFormat.v1())
                    .close();
        }

        @Override
        public MapClient open(ProcessFaults faults) {
            try {
                CommitProxy proxy = new CommitProxy(server.socketAddress(), () -> commit(faults), this::isAnyWaiting);
                try {
                    PGSimpleDataSource source = server.through(proxy.port()).source(name);
                    PostgresStorage storage = TestServer.storage(connecting(source, faults), PATIENCE);
                    return closing(proxy, MapClient.of(storage.open(REPOSITORY)));
                } catch (RuntimeException | Error e) {
                    proxy.close();
                    throw e;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The proxy ends the connection; the attempt to make another one then finds that the process was killed. */
        private CommitProxy.Fault commit(ProcessFaults faults) {
            ProcessFaults.Fault fault;
            try {
                fault = faults.next();
            } catch (ProcessFaults.Killed e) {
                return CommitProxy.Fault.NOT_SENT;
            }
            return switch (fault) {
                case NONE -> CommitProxy.Fault.NONE;
                case LOST_CALL -> CommitProxy.Fault.NOT_SENT;
                case LOST_ANSWER -> answer();
            };
        }

        private synchronized CommitProxy.Fault answer() {
            return switch (random.nextInt(3)) {
                case 0 -> CommitProxy.Fault.SENT;
                case 1 -> CommitProxy.Fault.LATE;
                default -> CommitProxy.Fault.ANSWERED;
            };
        }

        private static DataSource connecting(PGSimpleDataSource source, ProcessFaults faults) {
            return (DataSource) Proxy.newProxyInstance(
                    DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                        if (method.getName().equals("getConnection") && faults.next() != ProcessFaults.Fault.NONE) {
                            throw new SQLTransientConnectionException("injected: cannot connect", "08001");
                        }
                        try {
                            return method.invoke(source, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        private static MapClient closing(CommitProxy proxy, MapClient client) {
            return new MapClient() {
                @Override
                public Map<String, Optional<String>> run(Set<String> reads, Map<String, Optional<String>> writes) {
                    return client.run(reads, writes);
                }

                @Override
                public void close() {
                    try (proxy) {
                        client.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            };
        }

        /** Whether a session waits for a lock of another one. */
        private synchronized boolean isAnyWaiting() {
            try (PreparedStatement query = watcher.prepareStatement(
                    "select exists (select from pg_stat_activity where datname = ? and wait_event_type = 'Lock')")) {
                query.setString(1, name);
                try (ResultSet found = query.executeQuery()) {
                    return found.next() && found.getBoolean(1);
                }
            } catch (SQLException e) {
                throw new AssertionError("the server cannot be asked", e);
            }
        }

        @Override
        public void close() {
            try {
                watcher.close();
            } catch (SQLException e) {
                throw new AssertionError("the connection cannot be closed", e);
            }
        }
    }
}
