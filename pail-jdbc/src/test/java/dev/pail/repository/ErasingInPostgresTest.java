package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ErasedBlockException;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestRepository;
import dev.pail.jdbc.TestServer;
import dev.pail.repository.model.ErasurePlan;
import dev.pail.repository.model.VerifyOptions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Erasing values of a repository in PostgreSQL. */
class ErasingInPostgresTest extends ErasingContract {
    private final PGSimpleDataSource source =
            TestServer.get().source(TestServer.get().newDatabase());
    private final TestRepository place = TestRepository.in(source, PostgresStorage.PATIENCE);

    @Override
    Repository init() {
        return place.init(ShardFormat.v1());
    }

    @Override
    Repository open() {
        return place.open();
    }

    @Override
    List<byte[]> stored() {
        List<byte[]> all = new ArrayList<>();
        for (String query : List.of(
                "select encode(bytes, 'hex') from pail_block", "select encode(content, 'hex') from pail_record")) {
            TestServer.queried(source, query)
                    .forEach(each -> all.add(HexFormat.of().parseHex(each)));
        }
        return all;
    }

    private void execute(String sql) {
        TestServer.execute(source, sql);
    }

    @Test
    void marksAndBytesGoTogetherOrStay_PG16() {
        try (Repository repository = init()) {
            Block block = random(300);
            repository.blocks().put(block);
            execute("create function refuse() returns trigger language plpgsql as"
                    + " $$ begin raise exception 'not now'; end $$");
            for (String event : List.of("delete on pail_block", "insert on pail_record")) {
                execute("create trigger refuse before " + event + " for each row execute function refuse()");
                assertThatThrownBy(() -> repository.maintenance().erasing().erase(List.of(block.cid())))
                        .hasMessageContaining("not now");
                execute("drop trigger refuse on " + event.substring(event.indexOf("pail")));
                assertThat(repository.maintenance().erasing().records()).isEmpty();
                assertThat(repository.blocks().get(block.cid())).contains(block);
            }
            repository.maintenance().erasing().erase(List.of(block.cid()));
            assertThat(isStored(block)).isFalse();
        }
    }

    @Test
    void tablesOfVersion1HaveMarksToo_PG16() {
        init().close();
        execute("alter table pail_repository drop column uuid, drop column records");
        execute("delete from pail_schema where version = 2");
        execute("insert into pail_schema values (1) on conflict do nothing");
        try (Repository repository = open()) {
            Block block = random(300);
            repository.blocks().put(block);
            repository.maintenance().erasing().erase(List.of(block.cid()));
            assertThat(isStored(block)).isFalse();
            assertThat(repository.blocks().isErased(block.cid())).isTrue();
        }
    }

    @Test
    void aReadThatFindsNoRowSeesTheMark_ER12() {
        try (Repository repository = init();
                Repository reader = open()) {
            Block block = random(300);
            repository.blocks().put(block);
            assertThat(reader.blocks().has(random(300).cid())).isFalse();
            repository.maintenance().erasing().erase(List.of(block.cid()));
            assertThatThrownBy(() -> reader.blocks().require(block.cid())).isInstanceOf(ErasedBlockException.class);
        }
    }

    @Test
    void aRowThatAnOlderProgramPutsIsNotReadAndGoes_PG16() {
        try (Repository repository = init()) {
            Block block = random(300);
            repository.blocks().put(block);
            execute("create table kept as select * from pail_block");
            repository.maintenance().erasing().erase(List.of(block.cid()));
            execute("insert into pail_block select * from kept on conflict do nothing");
            assertThat(repository.blocks().get(block.cid())).isEmpty();
            assertThat(repository.blocks().has(block.cid())).isFalse();
            assertThat(repository.verify(VerifyOptions.DEFAULT).unremoved()).isEqualTo(1);
            repository.maintenance().garbageCollection().run();
            execute("drop table kept");
            assertThat(isStored(block)).isFalse();
            assertThat(repository.verify(VerifyOptions.DEFAULT).unremoved()).isZero();
        }
    }

    @Test
    void anErasureWaitsForThePutsThatAreUnderWay_PG16() throws InterruptedException {
        try (Repository repository = init();
                Repository writer = open()) {
            Block block = random(300);
            repository.blocks().put(block);
            // Each put of this block is held up by a lock, within its statement.
            execute("create table gate (at integer)");
            execute("create function wait() returns trigger language plpgsql as"
                    + " $$ begin perform 1 from gate; return new; end $$");
            execute("create trigger wait before insert on pail_block for each row execute function wait()");
            AtomicReference<Throwable> outcome = new AtomicReference<>();
            Thread putting = new Thread(() -> {
                try {
                    writer.blocks().put(block);
                } catch (RuntimeException e) {
                    outcome.set(e);
                }
            });
            try (var held = source.getConnection()) {
                held.setAutoCommit(false);
                held.createStatement().execute("lock table gate in access exclusive mode");
                putting.start();
                while (TestServer.queried(
                                source,
                                "select 'waits' from pg_locks where relation = 'gate'::regclass and not granted")
                        .isEmpty()) {
                    Thread.onSpinWait();
                }
                Thread erasing = new Thread(() -> {
                    ErasurePlan unused = repository.maintenance().erasing().erase(List.of(block.cid()));
                });
                erasing.start();
                while (TestServer.queried(
                                source,
                                "select 'waits' from pg_locks where relation = 'pail_block'::regclass and not granted")
                        .isEmpty()) {
                    Thread.onSpinWait();
                }
                held.rollback();
                erasing.join();
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
            putting.join();
            assertThat(outcome.get())
                    .satisfiesAnyOf(
                            nothing -> assertThat(nothing).isNull(),
                            refused -> assertThat(refused).isInstanceOf(ErasedBlockException.class));
            assertThat(isStored(block)).isFalse();
            assertThat(writer.blocks().has(block.cid())).isFalse();
        }
    }

    @Test
    void aRecoveryKeepsTheMarks_PG15() {
        Block block = random(300);
        try (Repository repository = init()) {
            repository.blocks().put(block);
            repository.maintenance().erasing().erase(List.of(block.cid()));
            repository.update("main", pail -> pail.putBytes("a", new byte[] {1}));
        }
        execute("delete from pail_record where name = 'branch/main'");
        assertThat(place.storage().recover(place.name())).isPresent();
        try (Repository repository = open()) {
            assertThat(repository.blocks().isErased(block.cid())).isTrue();
            assertThatThrownBy(() -> repository.blocks().put(block)).isInstanceOf(ErasedBlockException.class);
            assertThat(repository.maintenance().erasing().records()).hasSize(1);
        }
    }
}
