package dev.pail.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HeadUpdate;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.Registration;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Updated;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresStorageTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final PGSimpleDataSource source =
            TestServer.get().source(TestServer.get().newDatabase());

    private final PostgresStorage storage = TestServer.storage(source, Duration.ofSeconds(20));

    @Test
    void repositoriesAreMadeAndOpened_PG1() {
        assertThat(storage.repositories()).isEmpty();
        assertThat(storage.has("a")).isFalse();
        for (ShardFormat format : List.of(ShardFormat.v0(400, 8), ShardFormat.v1(), ShardFormat.v2(100))) {
            String name = "made/" + format.name();
            storage.init(name, format).close();
            try (Repository opened = storage.open(name)) {
                assertThat(opened.format()).isEqualTo(format);
                assertThat(opened.branches().names()).containsExactly("main");
                assertThat(opened.pail().get("one")).isEmpty();
            }
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> storage.init(name, format))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.EXISTS));
        }
        assertThat(storage.repositories()).containsExactly("made/v0", "made/v1", "made/v2");
        assertThat(storage.has("made/v0")).isTrue();
        for (String none : List.of("none", "", "../x", "a\u0000b")) {
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> storage.open(none))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NO_REPOSITORY));
        }
        assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> storage.init("-x", ShardFormat.v1()));
    }

    @Test
    void tablesOfANewerVersionAreRefused_PG1() {
        storage.init("a", ShardFormat.v1()).close();
        TestServer.execute(source, "insert into pail_schema values (3)");
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> storage.open("a"))
                .withMessageContaining("version 3");
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> storage.init("b", ShardFormat.v1()))
                .withMessageContaining("version 3");
    }

    /** The third attempt is made within a transaction. */
    @Test
    void aCheckedExceptionOfAFunctionEndsTheTransaction_PG6() throws SQLException {
        storage.init("a", ShardFormat.v1()).close();
        try (Repository one = storage.open("a");
                Repository other = storage.open("a")) {
            AtomicInteger calls = new AtomicInteger();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> one.update("main", pail -> {
                        if (calls.incrementAndGet() == 3) {
                            throw new IOException("not now");
                        }
                        Updated unused = other.update("main", before -> before.put("other" + calls, VALUE));
                        return pail.put("one", VALUE);
                    }));
            try (Connection connection = source.getConnection();
                    Statement query = connection.createStatement();
                    ResultSet open = query.executeQuery("select count(*) from pg_stat_activity"
                            + " where datname = current_database() and state like 'idle in transaction%'")) {
                assertThat(open.next()).isTrue();
                assertThat(open.getInt(1)).isZero();
            }
        }
    }

    private static String id(Repository repository) {
        return repository.refs().repositoryId().orElseThrow();
    }

    @Test
    void eachRepositoryHasARandomId_PG14() {
        try (Repository one = storage.init("a", ShardFormat.v1());
                Repository other = storage.init("b", ShardFormat.v1());
                Repository again = storage.open("a")) {
            assertThat(UUID.fromString(id(one))).hasToString(id(again));
            assertThat(id(other)).isNotEqualTo(id(one));
        }
    }

    private Set<Need> needs(String name) {
        try (Repository repository = storage.open(name)) {
            return repository.refs().needs();
        }
    }

    @Test
    void aPlainRepositoryStaysPlainUntilItsOwnerDescribesEvents_PG17_DE11() {
        storage.init("new", ShardFormat.v1()).close();
        assertThat(needs("new")).containsExactly(Need.EVENTS);
        try (Repository plain = storage.init("a", ShardFormat.v1(), Set.of())) {
            assertThat(needs("a")).isEmpty();
            plain.refs().describeEvents();
            plain.refs().describeEvents();
            assertThat(plain.refs().needs()).containsExactly(Need.EVENTS);
        }
        assertThat(needs("a")).containsExactly(Need.EVENTS);
        TestServer.execute(source, "update pail_repository set format = 'v1 maxKeySize=4096 needs=trees'");
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> storage.open("a"))
                .withMessageContaining("needs \"trees\", which this version does not know");
    }

    @Test
    void aFormatThatIsNotKnownIsRefused_PG1() {
        storage.init("a", ShardFormat.v1()).close();
        for (String format : List.of("v9", "v1", "v1 maxKeySize", "v1 maxKeySize=x", "")) {
            TestServer.execute(source, "update pail_repository set format = '" + format + "'");
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> storage.open("a"))
                    .withMessageContaining("not a format");
        }
    }

    @Test
    void manyMakeTheTablesAtOnce_PG1() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Callable<String>> makers = IntStream.range(0, 6)
                    .mapToObj(i -> (Callable<String>) () -> {
                        storage.init("r" + i, ShardFormat.v1()).close();
                        return "r" + i;
                    })
                    .toList();
            for (Future<String> each : threads.invokeAll(makers)) {
                assertThat(storage.has(each.get())).isTrue();
            }
        } finally {
            threads.shutdown();
        }
    }

    /** A change that fails after it has put its blocks leaves neither blocks nor records. */
    @Test
    void aChangeIsOneTransaction_PG6() {
        try (Repository repository = storage.init("a", ShardFormat.v1())) {
            List<HeadUpdate> told = new ArrayList<>();
            Registration unused = repository.listen(told::add);
            repository.update("main", pail -> pail.put("one", VALUE));
            assertThat(told).hasSize(1);
            TestServer.execute(
                    source,
                    "create function refuse() returns trigger language plpgsql as $$ begin"
                            + " raise exception 'no more records'; end $$;"
                            + " create trigger refuse before insert on pail_record execute function refuse()");
            long blocks = count("pail_block");
            assertThatExceptionOfType(PailException.class)
                    .isThrownBy(() -> repository.update("main", pail -> pail.put("two", VALUE)))
                    .withMessageContaining("no more records");
            assertThat(count("pail_block")).isEqualTo(blocks);
            assertThat(told).hasSize(1);
            TestServer.execute(source, "drop trigger refuse on pail_record");
            repository.update("main", pail -> pail.put("three", VALUE));
            assertThat(repository.pail().get("two")).isEmpty();
            assertThat(repository.history().log("main").map(LogEntry::generation))
                    .containsExactly(2L, 1L);
            assertThat(told).hasSize(2);
        }
    }

    @Test
    void recordsStayAsTheyAre_PG2() {
        try (Repository repository = storage.init("a", ShardFormat.v1())) {
            repository.update("main", pail -> pail.put("one", VALUE));
            Snapshot unused = repository.branches().create("b", repository.head("main"));
            List<String> before = records();
            assertThat(before).hasSize(2);
            repository.branches().remove("b");
            repository.tags().create("t", repository.head("main"));
            repository.move(repository.snapshot("main"), Head.empty(), "undo");
            repository.tags().remove("t");
            assertThat(records()).hasSize(6).containsAll(before);
        }
    }

    private List<String> records() {
        return TestServer.queried(source, "select r::text from pail_record r");
    }

    @Test
    void nullIsRefused() {
        List<ThrowableAssert.ThrowingCallable> calls = List.of(
                () -> PostgresStorage.of(null),
                () -> storage.withPatience(null),
                () -> storage.init(null, ShardFormat.v1()),
                () -> storage.init("a", null),
                () -> storage.open(null),
                () -> storage.has(null));
        assertThat(calls).allSatisfy(call -> assertThatNullPointerException().isThrownBy(call));
        assertThat(storage.repositories()).isEmpty();
    }

    private long count(String table) {
        return Long.parseLong(
                TestServer.queried(source, "select count(*) from " + table).get(0));
    }

    /** A writer that is silent in an update, such as a stopped process, loses the update. The next writer gets the lock. */
    @Test
    void aSilentWriterIsEnded_PG6() throws Exception {
        storage.init("a", ShardFormat.v1()).close();
        PostgresStorage brief = storage.withPatience(Duration.ofMillis(400));
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Repository silent = brief.open("a");
                Repository other = storage.open("a")) {
            assertThatExceptionOfType(RefChangedException.class)
                    .isThrownBy(() -> silent.refs().update(update -> {
                        Future<Cid> next = thread.submit(() -> other.update("main", pail -> pail.put("one", VALUE))
                                .root());
                        try {
                            next.get();
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                        return update;
                    }));
        } finally {
            thread.shutdown();
        }
        try (Repository left = storage.open("a")) {
            assertThat(left.pail().get("one")).contains(VALUE);
        }
    }

    @Test
    void whoWaitsForTooLongIsTold_PG6() throws SQLException {
        storage.init("a", ShardFormat.v1()).close();
        try (Connection holder = source.getConnection();
                Statement statement = holder.createStatement();
                Repository waiting = storage.withPatience(Duration.ofMillis(50)).open("a")) {
            holder.setAutoCommit(false);
            statement.execute("select id from pail_repository for no key update");
            assertThatExceptionOfType(StoreLockedException.class)
                    .isThrownBy(() -> waiting.update("main", pail -> pail.put("one", VALUE)));
            holder.rollback();
            waiting.update("main", pail -> pail.put("one", VALUE));
            assertThat(waiting.pail().get("one")).contains(VALUE);
        }
    }

    /** A backend that ends between two changes is noticed by neither. */
    @Test
    void aConnectionThatEndedIsReplaced() {
        try (Repository repository = storage.init("a", ShardFormat.v1())) {
            for (int i = 0; i < 20; i++) {
                String key = "key" + i;
                TestServer.execute(
                        source,
                        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
                                + " and pid <> pg_backend_pid()");
                repository.update("main", pail -> pail.put(key, VALUE));
            }
            assertThat(repository
                            .history()
                            .log("main")
                            .map(LogEntry::generation)
                            .findFirst())
                    .contains(20L);
            assertThat(storage.statistics().retries()).isPositive();
        }
    }

    @Test
    void timesAreThoseOfTheDatabase_PG8() {
        try (Repository repository = storage.init("a", ShardFormat.v1())) {
            Instant before = Instant.now();
            repository.update("main", pail -> pail.put("one", VALUE));
            LogEntry entry = repository.history().log("main").findFirst().orElseThrow();
            assertThat(entry.time())
                    .isBetween(before.minusSeconds(60), Instant.now().plusSeconds(60));
        }
        PGSimpleDataSource ahead = TestServer.get().source(source.getDatabaseName());
        TestServer.execute(
                source,
                "create schema hand; create function hand.clock_timestamp() returns timestamptz language sql"
                        + " as 'select pg_catalog.clock_timestamp() + interval ''1 day'''");
        ahead.setOptions("-c search_path=hand,pg_catalog,public");
        try (Repository repository =
                TestServer.storage(ahead, Duration.ofSeconds(20)).open("a")) {
            repository.update("main", pail -> pail.put("two", VALUE));
            assertThat(repository
                            .history()
                            .log("main")
                            .findFirst()
                            .orElseThrow()
                            .time())
                    .isAfter(Instant.now().plusSeconds(3600));
        }
    }

    /** An error names the table, the reason and its code, and nothing of what the rows hold. */
    @Test
    void whatIsNotPermittedIsNamed() {
        Block condemned = Block.of(Cid.RAW, new byte[] {7});
        try (Repository repository = storage.init("a", ShardFormat.v1())) {
            repository.blocks().put(condemned);
        }
        TestServer.execute(source, "update pail_block set condemned_at = clock_timestamp()");
        String role = source.getDatabaseName() + "_reader";
        TestServer.execute(
                source,
                "create role " + role + " login password 'hidden'; grant select on all tables in schema public to "
                        + role);
        PGSimpleDataSource reading = TestServer.get().source(source.getDatabaseName());
        reading.setUser(role);
        reading.setPassword("hidden");
        try (Repository repository =
                TestServer.storage(reading, Duration.ofSeconds(20)).open("a")) {
            assertThat(repository.pail().get("one")).isEmpty();
            // A condemned block is read and stays condemned.
            assertThat(repository.blocks().get(condemned.cid())).contains(condemned);
            assertThat(repository.blocks().has(condemned.cid())).isTrue();
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> repository.update("main", pail -> pail.put("one", VALUE)))
                    .withMessageContaining("permission denied for table pail_repository (42501)")
                    .satisfies(e -> assertThat(e.toString()).doesNotContain("hidden"));
        }
    }

    @Test
    void settingsHaveBounds() {
        assertThatIllegalArgumentException().isThrownBy(() -> storage.withPatience(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> storage.withPatience(Duration.ofDays(2)));
        assertThatIllegalArgumentException().isThrownBy(() -> storage.withCache(-1));
        assertThat(PostgresStorage.of(source).withCache(0).statistics().statements())
                .isZero();
    }
}
