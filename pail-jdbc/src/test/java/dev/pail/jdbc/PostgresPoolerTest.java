package dev.pail.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.VerifyOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresPoolerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int CLIENTS = 3;

    /** More than the driver runs before it names a statement. */
    private static final int CHANGES = 12;

    private final TestServer server = TestServer.get();
    private final String database = server.newDatabase();

    @TempDir
    private Path folder;

    @Test
    void clientsThatShareSessionsWorkOnOneRepository_PG13() throws Exception {
        try (InstalledPooler pooler = new InstalledPooler(folder, server, CLIENTS - 1)) {
            String url = server.through(pooler.port()).url(database) + "?repository=shared";
            Repository.open(new PostgresLocator().init(url, ShardFormat.v1(), Set.of(Need.EVENTS), PATIENCE))
                    .close();
            ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
            try {
                List<Future<?>> clients = new ArrayList<>();
                for (int client = 0; client < CLIENTS; client++) {
                    String name = "client" + client;
                    clients.add(threads.submit(() -> work(url, name)));
                }
                for (Future<?> each : clients) {
                    each.get();
                }
            } finally {
                threads.shutdownNow();
            }
            try (Repository repository = Repository.open(new PostgresLocator().open(url, PATIENCE))) {
                assertThat(repository.pail().entries()).hasSize(CLIENTS * CHANGES);
                assertThat(repository.verify(VerifyOptions.DEFAULT).isSound()).isTrue();
            }
        }
    }

    /** All that a repository does with its database: puts, reads, branches, collections. */
    private static void work(String url, String name) {
        for (int i = 0; i < CHANGES; i++) {
            String key = name + "/" + i;
            byte[] value = key.getBytes(StandardCharsets.UTF_8);
            // Each with connections of its own.
            try (Repository repository = Repository.open(new PostgresLocator().open(url, PATIENCE))) {
                repository.update("main", pail -> pail.putBytes(key, value));
                assertThat(repository.pail().getBytes(key)).contains(value);
                Object made = repository.branches().create(key, repository.head("main"));
                assertThat(made).isNotNull();
                repository.branches().remove(key);
                if (i % 4 == 0) {
                    Object collected =
                            repository.maintenance().garbageCollection().run();
                    assertThat(collected).isNotNull();
                }
            }
        }
    }

    @Test
    void theDriverNamesNoStatementsThroughAPooler_PG13() throws Exception {
        try (InstalledPooler pooler = new InstalledPooler(folder, server, 1)) {
            assertThat(threshold(server.through(pooler.port()).source(database), 5))
                    .isZero();
        }
    }

    @Test
    void theDriverNamesStatementsInASessionOfItsOwn_PG13() throws Exception {
        assertThat(threshold(server.source(database), 5)).isEqualTo(5);
    }

    @Test
    void aSourceThatNamesNoStatementsStaysSo_PG13() throws Exception {
        assertThat(threshold(server.source(database), 0)).isZero();
    }

    /** How often the driver runs a statement before it names it. */
    private static int threshold(PGSimpleDataSource source, int given) throws Exception {
        BehindPooler adapting = new BehindPooler();
        adapting.initializeFrom(source);
        adapting.setPrepareThreshold(given);
        try (Connections connections = new Connections(adapting, Connections.Mode.KEPT, PATIENCE)) {
            Connection taken = connections.take();
            int threshold = taken.unwrap(PGConnection.class).getPrepareThreshold();
            connections.giveBack(taken);
            return threshold;
        }
    }
}
