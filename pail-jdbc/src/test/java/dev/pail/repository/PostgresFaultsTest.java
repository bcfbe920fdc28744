package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.jdbc.OwnServer;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestServer;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** A server that goes away, refuses to write, or has no space: callers get true results, and the store works afterwards. */
class PostgresFaultsTest {
    private static final String REPOSITORY = "r";
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    @TempDir
    Path temporary;

    private OwnServer own;
    private PGSimpleDataSource source;

    @BeforeEach
    void start() throws IOException {
        own = new OwnServer(Files.createDirectory(temporary.resolve("data")));
        TestServer.execute(own.server().source("postgres"), "create database d");
        source = own.server().source("d");
        storage(SHORT).init(REPOSITORY, ShardFormat.v1()).close();
    }

    @AfterEach
    void stop() throws IOException {
        own.close();
    }

    private PostgresStorage storage(Duration patience) {
        return TestServer.storage(source, patience);
    }

    private static void put(Repository repository, String key) {
        repository.update(Repository.MAIN, key, pail -> pail.put(key, VALUE));
    }

    /** Checks that a change is refused for a reason of the database, and that nothing is changed. */
    private static void refused(Repository repository, String key, String state) {
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> put(repository, key))
                .withMessageContaining("(" + state);
    }

    @Test
    void whatIsAcknowledgedSurvivesRestartsAndCrashes() throws Exception {
        Set<String> told = new TreeSet<>();
        BlockingQueue<String> done = new LinkedBlockingQueue<>();
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService writer = Executors.newSingleThreadExecutor();
        PostgresStorage patient = storage(Duration.ofMinutes(2));
        try (Repository repository = patient.open(REPOSITORY)) {
            Future<?> writing = writer.submit(() -> {
                for (int i = 0; !over.get(); i++) {
                    put(repository, "k" + i);
                    done.add("k" + i);
                }
            });
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < 20 && !writing.isDone(); i++) {
                    told.add(done.take());
                }
                if (round % 2 == 0) {
                    own.stop();
                } else {
                    own.crash();
                }
                own.start();
            }
            for (int i = 0; i < 20 && !writing.isDone(); i++) {
                told.add(done.take());
            }
            over.set(true);
            writing.get();
            done.drainTo(told);
            assertThat(UpdateChecks.once(repository, Repository.MAIN)).isEqualTo(told);
            assertThat(patient.statistics().retries()).isPositive();
        } finally {
            writer.shutdownNow();
        }
    }

    @Test
    void aServerThatIsGoneIsSaidToBeGone() throws Exception {
        try (Repository repository = storage(SHORT).open(REPOSITORY)) {
            put(repository, "before");
            own.stop();
            refused(repository, "meanwhile", "08");
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> repository.head(Repository.MAIN))
                    .withMessageContaining("(08001)");
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> storage(SHORT).open(REPOSITORY))
                    .withMessageContaining("(08001)");
            own.start();
            put(repository, "after");
            assertThat(UpdateChecks.once(repository, Repository.MAIN)).containsExactlyInAnyOrder("before", "after");
        }
    }

    @Test
    void aReadOnlyServerIsReadAndRefusesChanges() {
        try (Repository repository = storage(SHORT).open(REPOSITORY)) {
            put(repository, "before");
            own.set("default_transaction_read_only", "on");
            refused(repository, "meanwhile", "25006");
            try (Repository another = storage(SHORT).open(REPOSITORY)) {
                refused(another, "meanwhile", "25006");
                assertThat(another.pail().get("before")).contains(VALUE);
            }
            own.set("default_transaction_read_only", "off");
            put(repository, "after");
            assertThat(UpdateChecks.once(repository, Repository.MAIN)).containsExactlyInAnyOrder("before", "after");
        }
    }

    @Test
    void aServerWithoutAFreeConnectionIsAskedAgainAndThenNamed() throws SQLException {
        TestServer.execute(
                source,
                "create role limited login connection limit 2;"
                        + " grant select, insert, update, delete on all tables in schema public to limited");
        PGSimpleDataSource limited = own.server().source("d");
        limited.setUser("limited");
        PostgresStorage storage = TestServer.storage(limited, SHORT);
        List<Connection> taken = new ArrayList<>();
        try {
            taken.add(limited.getConnection());
            taken.add(limited.getConnection());
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> storage.open(REPOSITORY))
                    .withMessageContaining("(53300)");
            taken.remove(0).close();
            try (Repository repository = storage.open(REPOSITORY)) {
                // One connection does for one thread.
                put(repository, "one");
                assertThat(storage.statistics().retries()).isPositive();
                assertThat(UpdateChecks.once(repository, Repository.MAIN)).containsExactly("one");
            }
        } finally {
            for (Connection each : taken) {
                each.close();
            }
        }
    }

    @Test
    void anotherWriterIsSaidToHoldTheLock_PG6() throws SQLException {
        try (Repository repository = storage(SHORT).open(REPOSITORY);
                Connection holder = source.getConnection();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("select from pail_repository for no key update");
            assertThatExceptionOfType(StoreLockedException.class).isThrownBy(() -> put(repository, "meanwhile"));
            // Readers never wait.
            assertThat(repository.pail().get("meanwhile")).isEmpty();
            try (Repository another = storage(SHORT).open(REPOSITORY)) {
                assertThat(another.pail().get("meanwhile")).isEmpty();
            }
            holder.rollback();
            put(repository, "after");
            assertThat(UpdateChecks.once(repository, Repository.MAIN)).containsExactly("after");
        }
    }

    /** A file system of its own is needed, which only root can mount. */
    @Test
    void aFullDiskLosesNothing() throws Exception {
        Path small = Files.createDirectory(temporary.resolve("small"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", small.toString()) == 0,
                "no file system can be mounted here, so no disk is full");
        try {
            Path space = Files.createDirectory(small.resolve("space"));
            PGSimpleDataSource admin = own.server().source("postgres");
            TestServer.execute(admin, "create tablespace small location '" + space + "'");
            TestServer.execute(admin, "create database full_one tablespace small");
            PostgresStorage storage = TestServer.storage(own.server().source("full_one"), SHORT);
            Random random = Randomness.random(Randomness.seed("PostgresFaultsTest"));
            Set<String> told = new TreeSet<>();
            try (Repository repository = storage.init(REPOSITORY, ShardFormat.v1())) {
                assertThatExceptionOfType(StoreIOException.class)
                        .isThrownBy(() -> {
                            while (told.size() < 100) {
                                large(repository, "k" + told.size(), random);
                                told.add("k" + told.size());
                            }
                        })
                        .withMessageContaining("(53100)");
                assertThat(told).isNotEmpty();
                assertThat(UpdateChecks.once(repository, Repository.MAIN)).isEqualTo(told);

                assertThat(run("mount", "-o", "remount,size=64m", small.toString()))
                        .isZero();
                large(repository, "after", random);
                told.add("after");
                assertThat(UpdateChecks.once(repository, Repository.MAIN)).isEqualTo(told);
                UpdateChecks.whole(repository);
            }
        } finally {
            own.stop();
            assertThat(run("umount", small.toString())).isZero();
        }
    }

    private static void large(Repository repository, String key, Random random) {
        byte[] value = new byte[1 << 20];
        random.nextBytes(value);
        Block block = Block.of(Cid.RAW, value);
        repository.update(Repository.MAIN, key, pail -> {
            pail.blocks().put(block);
            return pail.put(key, block.cid());
        });
    }

    private static int run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        }
    }
}
