package dev.pail.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Recovered;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Rows of refs that are taken away, swapped and renumbered, up to two at a time. The result is right data or a sentence. */
class LostRowsTest {
    private final PGSimpleDataSource source =
            TestServer.get().source(TestServer.get().newDatabase());

    private final PostgresStorage storage = TestServer.storage(source, Duration.ofSeconds(20));

    private void execute(String sql) {
        TestServer.execute(source, sql);
    }

    private List<String> queried(String sql) {
        return TestServer.queried(source, sql);
    }

    /** Makes a small repository, and a copy of its rows. */
    private void make() {
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            for (String key : List.of("a", "b", "c")) {
                Block value = Block.of(Cid.RAW, key.getBytes(StandardCharsets.US_ASCII));
                repository.update("main", pail -> {
                    pail.blocks().put(value);
                    return pail.put(key, value.cid());
                });
            }
            repository.tags().create("t", repository.head("main"));
            repository.branches().create("other", repository.head("main"));
            repository.update("other", pail -> pail.delete("a"));
        }
        execute("create table kept_record as select * from pail_record;"
                + "create table kept_block as select * from pail_block;"
                + "create table kept_repository as select * from pail_repository");
    }

    private void restore() {
        execute("delete from pail_record; insert into pail_record select * from kept_record;"
                + "delete from pail_block; insert into pail_block select * from kept_block;"
                + "update pail_repository set records = k.records, format = k.format from kept_repository k;"
                + "update pail_block set put_at = put_at - interval '100 days'");
    }

    private String read() {
        StringBuilder seen = new StringBuilder();
        try (Repository repository = storage.open("r")) {
            for (String branch : repository.branches().names()) {
                seen.append(branch).append(':').append(repository.head(branch)).append(' ');
                repository
                        .pail(branch)
                        .entries()
                        .forEach(each -> seen.append(each.key())
                                .append('=')
                                .append(repository.blocks().get(each.value()).isPresent()));
                seen.append(" log ")
                        .append(repository.history().log(branch).count())
                        .append('\n');
            }
            repository
                    .tags()
                    .names()
                    .forEach(tag -> seen.append(tag).append(repository.refs().tag(tag)));
            return seen.toString();
        } catch (PailException e) {
            assertThat(e.code()).isNotEmpty();
            return "refused: " + e.getMessage();
        }
    }

    private boolean isSound() {
        try (Repository repository = storage.open("r")) {
            return repository.verify(VerifyOptions.DEFAULT.withAllVersions()).isSound();
        } catch (PailException e) {
            return false;
        }
    }

    private void collect() {
        try (Repository repository = storage.open("r")) {
            for (int i = 0; i < 2; i++) {
                repository
                        .maintenance()
                        .garbageCollection()
                        .withRetention(Duration.ZERO)
                        .run();
                execute("update pail_block set condemned_at = condemned_at - interval '100 days'");
            }
        } catch (PailException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }

    private List<String> damages() {
        List<String> rows =
                queried("select ctid from pail_record order by name, number").isEmpty()
                        ? List.of()
                        : queried(
                                "select format('name = %L and number = %s', name, number) from pail_record order by name, number");
        List<String> all = new ArrayList<>();
        for (String row : rows) {
            all.add("delete from pail_record where " + row);
            all.add("update pail_record set number = number + 1 where " + row);
            all.add("update pail_record set number = number - 1 where " + row);
            for (String other : rows) {
                if (!row.equals(other)) {
                    all.add("update pail_record set content = (select content from kept_record where " + other
                            + ") where " + row);
                }
            }
        }
        all.add("delete from pail_record");
        all.add("delete from pail_record where name like 'branch/%'");
        return all;
    }

    private void damage(String sql) {
        try {
            execute(sql);
        } catch (AssertionError | RuntimeException e) {
            // Two rows cannot have one number.
            assertThat(e).isNotNull();
        }
    }

    @Test
    void whatIsLostIsNoticed_PG11_REF7_G20() {
        make();
        String right = read();
        assertThat(right).contains("main:", "other:").doesNotContain("refused");
        assertThat(isSound()).isTrue();
        List<String> all = damages();
        List<List<String>> chosen = new ArrayList<>();
        all.forEach(each -> chosen.add(List.of(each)));
        List<List<String>> pairs = new ArrayList<>();
        all.forEach(first -> all.forEach(second -> pairs.add(List.of(first, second))));
        Random random = Randomness.random(Randomness.seed("LostRowsTest"));
        Collections.shuffle(pairs, random);
        chosen.addAll(pairs.subList(0, Math.min(pairs.size(), Randomness.times(30, pairs.size()))));
        for (List<String> each : chosen) {
            restore();
            each.forEach(this::damage);
            String seen = read();
            if (!seen.startsWith("refused")) {
                assertThat(seen).as(each.toString()).isEqualTo(right);
            }
            if (isSound()) {
                assertThat(seen).as("sound, %s", each).isEqualTo(right);
            }
            if (seen.startsWith("refused")) {
                long blocks = queried("select 1 from pail_block").size();
                collect();
                assertThat(queried("select 1 from pail_block"))
                        .as("collected, %s", each)
                        .hasSize((int) blocks);
            }
        }
        System.out.println("LostRowsTest: " + chosen.size() + " of " + (all.size() + pairs.size()));
    }

    /** Tables of version 0.2.0. */
    private void makeOlder() {
        execute("alter table pail_repository drop column uuid, drop column records; delete from pail_schema;"
                + " insert into pail_schema values (1)");
    }

    @Test
    void tablesOfVersionOneAreUpgradedByTheirOwnersNextUpdate_PG14() {
        storage.init("a", ShardFormat.v1()).close();
        makeOlder();
        Cid value = Block.of(Cid.RAW, new byte[] {1}).cid();
        try (Repository repository = storage.open("a")) {
            assertThat(repository.pail().get("one")).isEmpty();
            assertThat(repository.refs().repositoryId()).isEmpty();
            assertThat(queried("select max(version) from pail_schema")).containsExactly("1");
            repository.update("main", pail -> pail.put("one", value));
            repository.update("main", pail -> pail.put("two", value));
            assertThat(queried("select max(version) from pail_schema")).containsExactly("2");
            assertThat(queried("select records from pail_repository")).containsExactly("2");
            assertThat(repository.refs().repositoryId()).isPresent();
        }
        makeOlder();
        execute("delete from pail_record");
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> storage.open("a"))
                .withMessageContaining("there are blocks, and no record");
    }

    @Test
    void aRoleThatIsNotTheOwnerWritesToOlderTables_PG14() {
        storage.init("a", ShardFormat.v1()).close();
        makeOlder();
        String role = source.getDatabaseName() + "_writer";
        execute("create role " + role
                + " login password 'p'; grant select, insert, update on all tables in schema public to " + role);
        PGSimpleDataSource writing = TestServer.get().source(source.getDatabaseName());
        writing.setUser(role);
        writing.setPassword("p");
        try (Repository repository =
                TestServer.storage(writing, Duration.ofSeconds(20)).open("a")) {
            repository.update(
                    "main",
                    pail -> pail.put("one", Block.of(Cid.RAW, new byte[] {1}).cid()));
            assertThat(repository.pail().get("one")).isPresent();
        }
        assertThat(queried("select max(version) from pail_schema")).containsExactly("1");
    }

    /** A reader and a writer stop when rows go back beneath them. */
    @Test
    void aProcessNoticesThatRowsWentBack_REF7() {
        make();
        try (Repository open = storage.open("r")) {
            assertThat(open.head("main").isEmpty()).isFalse();
            execute("delete from pail_record where name = 'branch/main' and number = 3");
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> open.head("main"))
                    .withMessageContaining("went back");
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> open.update("main", pail -> pail.delete("b")))
                    .withMessageContaining("went back");
        }
    }

    @Test
    void aRepositoryOutOfSightIsNotNone_PG12() {
        execute("create schema app");
        PGSimpleDataSource app = TestServer.get().source(source.getDatabaseName());
        app.setOptions("-c search_path=app");
        TestServer.storage(app, Duration.ofSeconds(20))
                .init("r", ShardFormat.v1())
                .close();
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> storage.open("r"))
                .withMessageContaining("schema \"app\"");
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> storage.init("r", ShardFormat.v1()))
                .withMessageContaining("schema \"app\"");
        storage.init("s", ShardFormat.v1()).close();
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> storage.open("r"))
                .withMessageContaining("schema \"app\"");
    }

    /** After a recovery, each event that was stored is in a branch, and the repository works. */
    @Test
    void aRecoveryFindsAllEvents_PG15_REF8() {
        make();
        assertThat(storage.recover("r")).isEmpty();
        for (String condition :
                List.of("true", "name = 'branch/main'", "number > 1", "name = 'branch/other'", "number = 1")) {
            restore();
            execute("delete from pail_record where " + condition);
            Recovered found = storage.recover("r").orElseThrow();
            assertThat(found.events()).as(condition).isEqualTo(4);
            try (Repository repository = storage.open("r")) {
                List<Long> sizes = new ArrayList<>();
                for (String branch : repository.branches().names()) {
                    sizes.add(repository.pail(branch).entries().count());
                    assertThat(repository.history().log(branch).count()).isLessThanOrEqualTo(1);
                }
                assertThat(sizes).as(condition).contains(2L);
                repository.update("main", pail -> pail.delete("b"));
                repository.maintenance().garbageCollection().run();
                assertThat(repository
                                .verify(VerifyOptions.DEFAULT.withAllVersions())
                                .isSound())
                        .isTrue();
            }
            assertThat(storage.recover("r")).isEmpty();
        }
    }
}
