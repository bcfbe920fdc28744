package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.jdbc.CommitProxy;
import dev.pail.jdbc.CommitProxy.Fault;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestServer;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefStore;
import dev.pail.testkit.Randomness;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Writers whose processes are killed, whose sessions are ended by the server, and whose commits get no answer. */
class PostgresWritersTest {
    private static final String REPOSITORY = "r";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final TestServer server = TestServer.get();
    private final String database = server.newDatabase();
    private final PGSimpleDataSource source = server.source(database);
    private final PostgresStorage storage = TestServer.storage(source, PATIENCE);
    private final Connection watcher;

    PostgresWritersTest() throws SQLException {
        watcher = source.getConnection();
    }

    @AfterEach
    void close() throws SQLException {
        watcher.close();
    }

    /** Draws the outcome of commits: one in {@code many} fails. */
    private static Supplier<Fault> oneIn(int many, Random random) {
        Fault[] all = Fault.values();
        return () -> {
            synchronized (random) {
                return random.nextInt(many) == 0 ? all[1 + random.nextInt(all.length - 1)] : Fault.NONE;
            }
        };
    }

    private static long bad(CommitProxy proxy) {
        return List.of(Fault.NOT_SENT, Fault.SENT, Fault.ANSWERED, Fault.LATE).stream()
                .mapToLong(proxy::done)
                .sum();
    }

    /** Whether a session waits for a lock of another one. */
    private synchronized boolean isAnyWaiting() {
        try (PreparedStatement query = watcher.prepareStatement(
                "select exists (select from pg_stat_activity where datname = ? and wait_event_type = 'Lock')")) {
            query.setString(1, database);
            try (ResultSet found = query.executeQuery()) {
                return found.next() && found.getBoolean(1);
            }
        } catch (SQLException e) {
            throw new AssertionError("the server cannot be asked", e);
        }
    }

    /** Ends a session of the database. */
    private synchronized int endASession() throws SQLException {
        try (PreparedStatement query =
                watcher.prepareStatement("select pg_terminate_backend(pid) from pg_stat_activity where datname = ?"
                        + " and pid <> pg_backend_pid() order by random() limit 1")) {
            query.setString(1, database);
            try (ResultSet found = query.executeQuery()) {
                return found.next() && found.getBoolean(1) ? 1 : 0;
            }
        }
    }

    private CommitProxy proxy(Supplier<Fault> faults) throws Exception {
        return new CommitProxy(server.socketAddress(), faults, this::isAnyWaiting);
    }

    /** One fault after the other, so that each is met. */
    @Test
    void anUnknownCommitIsLookedUp_PG7() throws Exception {
        storage.init(REPOSITORY, ShardFormat.v1()).close();
        Fault[] next = {Fault.NONE};
        try (CommitProxy proxy = proxy(() -> {
            Fault now = next[0];
            next[0] = Fault.NONE;
            return now;
        })) {
            PostgresStorage through =
                    TestServer.storage(server.through(proxy.port()).source(database), PATIENCE);
            List<String> keys = new ArrayList<>();
            try (Repository repository = through.open(REPOSITORY)) {
                for (int i = 0; i < 3; i++) {
                    for (Fault fault : Fault.values()) {
                        String key = fault + " " + i;
                        long unknowns = through.statistics().unknowns();
                        next[0] = fault;
                        byte[] value = {0};
                        repository.update(Repository.MAIN, key, pail -> {
                            value[0]++;
                            return pail.put(key, Block.of(Cid.RAW, value).cid());
                        });
                        keys.add(key);
                        assertThat(through.statistics().unknowns() - unknowns)
                                .as(key)
                                .isEqualTo(fault == Fault.NONE ? 0 : 1);
                        // What was not done is done again; what was done is not.
                        if (fault != Fault.SENT) {
                            assertThat(value[0]).as(key).isEqualTo((byte) (fault == Fault.NOT_SENT ? 2 : 1));
                        }
                    }
                }
                assertThat(UpdateChecks.linear(repository.refs(), Repository.MAIN))
                        .isEqualTo(keys);
            }
        }
    }

    /** The database ends the session of a writer that says nothing while it has the lock. */
    @Test
    void aSilentWriterDoesNotStopOthers_PG6() throws Exception {
        storage.init(REPOSITORY, ShardFormat.v1()).close();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        anotherGoesOn(TestServer.storage(source, SHORT), inside, over::countDown, (refs, blocks) -> {
            inside.countDown();
            await(over);
        });
    }

    /** The same of one that does not take the answer that the server sends. */
    @Test
    void aDeafWriterDoesNotStopOthers_PG6() throws Exception {
        Random random = Randomness.random(Randomness.seed("PostgresWritersTest"));
        byte[] bytes = new byte[Block.MAX_SIZE];
        random.nextBytes(bytes);
        Block large = Block.of(Cid.RAW, bytes);
        try (Repository repository = storage.init(REPOSITORY, ShardFormat.v1())) {
            repository.blocks().put(large);
        }
        CountDownLatch inside = new CountDownLatch(1);
        try (CommitProxy proxy = proxy(() -> Fault.NONE)) {
            PostgresStorage deaf =
                    TestServer.storage(server.through(proxy.port()).source(database), SHORT);
            anotherGoesOn(deaf, inside, proxy::goOn, (refs, blocks) -> {
                proxy.stall();
                inside.countDown();
                Optional<Block> unused = blocks.get(large.cid());
            });
        }
    }

    /** What a writer does in an update before it moves the branch. */
    private interface Within {
        void update(RefStore refs, BlockStore blocks);
    }

    /**
     * Checks that a second writer can change a branch while the first is inside its update, and that the first then changes nothing.
     *
     * @param inside opens when the first writer is inside its update
     * @param release lets the first writer continue
     */
    private void anotherGoesOn(PostgresStorage hanging, CountDownLatch inside, Runnable release, Within within)
            throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Repository first = hanging.open(REPOSITORY);
                Repository second =
                        TestServer.storage(source, Duration.ofSeconds(20)).open(REPOSITORY)) {
            BranchState seen = first.refs().branch(Repository.MAIN);
            Future<LogEntry> hung = executor.submit(() -> first.refs().update(update -> {
                within.update(first.refs(), first.blocks());
                Cid event = Block.of(Cid.DAG_CBOR, new byte[] {1}).cid();
                return update.move(seen, Head.of(event), "first", first.refs().epoch());
            }));
            inside.await();
            second.update(
                    Repository.MAIN,
                    "second",
                    pail -> pail.put("second", Block.of(Cid.RAW, new byte[1]).cid()));
            release.run();
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(hung::get)
                    .withCauseInstanceOf(RefChangedException.class);
            assertThat(UpdateChecks.once(second, Repository.MAIN)).containsExactly("second");
        } finally {
            executor.shutdownNow();
        }
    }

    /** The time of an update is after the wait for the lock, so a log has its times in order. */
    @Test
    void theTimeOfAnUpdateIsTakenUnderTheLock_PG8() throws Exception {
        storage.init(REPOSITORY, ShardFormat.v1()).close();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Repository repository = storage.open(REPOSITORY);
                Connection holder = source.getConnection()) {
            holder.setAutoCommit(false);
            holder.createStatement().execute("select from pail_repository for no key update");
            Future<Instant> time = executor.submit(
                    () -> repository.refs().update(update -> repository.refs().now()));
            while (!isAnyWaiting()) {
                Thread.onSpinWait();
            }
            Instant before = OffsetDateTime.parse(TestServer.queried(
                                    source,
                                    "select to_char(clock_timestamp() at time zone 'UTC',"
                                            + " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
                            .get(0))
                    .toInstant();
            holder.rollback();
            assertThat(time.get()).isAfterOrEqualTo(before);
        } finally {
            executor.shutdownNow();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void noCompareAndSetIsLost_PG7() throws Exception {
        noCompareAndSetIsLost(4, 250);
    }

    @Test
    @Tag("stress")
    void noneOfManyCompareAndSetsIsLost_PG7() throws Exception {
        noCompareAndSetIsLost(4, Randomness.times(2_500, 25_000));
    }

    private void noCompareAndSetIsLost(int threads, int each) throws Exception {
        Random random = new Random(Randomness.seed("PostgresWritersTest"));
        storage.init(REPOSITORY, ShardFormat.v1()).close();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        long unknowns = 0;
        try (CommitProxy proxy = proxy(oneIn(20, random))) {
            PGSimpleDataSource through = server.through(proxy.port()).source(database);
            List<Future<PostgresStorage>> writers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                String name = "writer " + i;
                writers.add(executor.submit(() -> {
                    PostgresStorage own = TestServer.storage(through, PATIENCE);
                    try (Repository repository = own.open(REPOSITORY)) {
                        for (int change = 0; change < each; change++) {
                            move(repository.refs(), name + "/" + change);
                        }
                    }
                    return own;
                }));
            }
            for (Future<PostgresStorage> writer : writers) {
                unknowns += writer.get().statistics().unknowns();
            }
            System.out.println("PostgresWritersTest: " + bad(proxy) + " commits of "
                    + (bad(proxy) + proxy.done(Fault.NONE)) + " without an answer, unknown " + unknowns);
            assertThat(bad(proxy)).isPositive();
            assertThat(unknowns).isEqualTo(bad(proxy));
        } finally {
            executor.shutdownNow();
        }
        try (Repository repository = storage.open(REPOSITORY)) {
            assertThat(repository.refs().branch(Repository.MAIN).generation()).isEqualTo((long) threads * each);
            List<String> reasons = UpdateChecks.linear(repository.refs(), Repository.MAIN);
            assertThat(new TreeSet<>(reasons)).hasSize(threads * each);
        }
    }

    /** Moves a branch from where it is to where it was before. */
    private static void move(RefStore refs, String reason) {
        Cid one = Block.of(Cid.DAG_CBOR, new byte[] {1}).cid();
        Cid other = Block.of(Cid.DAG_CBOR, new byte[] {2}).cid();
        while (true) {
            BranchState state = refs.branch(Repository.MAIN);
            Head next = Head.of(state.head().equals(Head.of(one)) ? other : one);
            try {
                LogEntry made = refs.update(update -> update.move(state, next, reason, refs.epoch()));
                assertThat(made.generation()).isEqualTo(state.generation() + 1);
                return;
            } catch (RefChangedException e) {
                // Another writer was faster, or the change was undone: nothing has happened.
                assertThat(e.ref()).isNotEmpty();
            }
        }
    }

    @Test
    void whatKilledWritersWereToldIsThere_PG7() throws Exception {
        killedWriters(3, 60);
    }

    @Test
    @Tag("stress")
    void whatManyKilledWritersWereToldIsThere_PG7() throws Exception {
        killedWriters(8, Randomness.times(150, 500));
    }

    /** A writer that is under way. */
    private record Writer(String name, int from) {}

    private void killedWriters(int count, int each) throws Exception {
        Random random = new Random(Randomness.seed("PostgresWritersTest"));
        storage.init(REPOSITORY, ShardFormat.v1()).close();
        Map<Process, Writer> running = new HashMap<>();
        Map<String, Set<String>> told = new HashMap<>();
        long kills = 0;
        long ended = 0;
        Map<Process, Long> unknowns = new HashMap<>();
        try (CommitProxy proxy = proxy(oneIn(20, random));
                Programs programs = new Programs()) {
            String address = server.through(proxy.port()).address();
            try (Repository repository = storage.open(REPOSITORY)) {
                for (int i = 0; i < count; i++) {
                    String name = "w" + i;
                    repository.branches().create(name, Head.empty());
                    told.put(name, new TreeSet<>());
                    running.put(start(programs, address, name, 0, each), new Writer(name, 0));
                }
            }
            while (!running.isEmpty()) {
                Programs.Said said = programs.next();
                Writer writer = running.get(said.by());
                if (said.isEnd()) {
                    running.remove(said.by());
                    int code = said.by().waitFor();
                    int done = told.get(writer.name).size();
                    if (done < each) {
                        assertThat(code).as("%s was killed", writer).isNotZero();
                        running.put(start(programs, address, writer.name, done, each), new Writer(writer.name, done));
                    }
                } else if (said.text().startsWith("ACK ")) {
                    assertThat(told.get(writer.name).add(said.text().substring(4)))
                            .isTrue();
                    if (random.nextInt(40) == 0) {
                        Programs.signal(said.by(), "KILL");
                        kills++;
                    } else if (random.nextInt(15) == 0) {
                        ended += endASession();
                    }
                } else if (said.text().startsWith("UNKNOWN ")) {
                    unknowns.put(said.by(), Long.parseLong(said.text().substring("UNKNOWN ".length())));
                } else {
                    // With a minute of patience, all is settled within the call.
                    throw new AssertionError(writer + ": " + said.text());
                }
            }
            long unknown = unknowns.values().stream().mapToLong(Long::longValue).sum();
            System.out.println("PostgresWritersTest: " + kills + " writers killed, " + ended + " sessions ended, "
                    + bad(proxy) + " commits without an answer, unknown " + unknown);
            assertThat(bad(proxy)).isPositive();
            assertThat(unknown).isPositive();
        }
        try (Repository repository = storage.open(REPOSITORY)) {
            Set<String> expected = new TreeSet<>();
            for (int i = 0; i < count; i++) {
                String name = "w" + i;
                Set<String> own = new TreeSet<>();
                for (int change = 0; change < each; change++) {
                    (ResumedWriter.branch(name, change).equals(name) ? own : expected)
                            .add(ResumedWriter.key(name, change));
                }
                assertThat(UpdateChecks.once(repository, name)).isEqualTo(own);
            }
            assertThat(UpdateChecks.once(repository, Repository.MAIN)).isEqualTo(expected);
            UpdateChecks.whole(repository);
        }
    }

    private Process start(Programs programs, String address, String name, int from, int to) throws Exception {
        return programs.start(WriterProgram.class, address, database, REPOSITORY, name, from, to, PATIENCE.toMillis());
    }
}
