package dev.pail.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ShardFormat;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.Repository;
import dev.pail.table.Column;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Schema;
import dev.pail.table.TableBatch;
import dev.pail.table.Tables;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** SQL over the versions of a repository. */
class PailSqlTest {
    private final Repository repository = Repository.open(new MemoryRefs(), new MemoryBlocks(), ShardFormat.v1());

    @BeforeEach
    void people() {
        create("people");
        put("ann", "{\"name\":\"Ann\",\"age\":30,\"address\":{\"city\":\"Oslo\"},\"tags\":[\"a\"],\"height\":1.5}");
        put("bob", "{\"name\":\"Bob\",\"age\":40,\"address\":{\"city\":\"Rome\"}}");
        put("eve", "{\"name\":\"Eve ö\",\"age\":50,\"address\":null}");
    }

    @AfterEach
    void close() {
        repository.close();
    }

    private void create(String table) {
        repository.update("main", pail -> Tables.of(pail).create(table).pail());
    }

    private void put(String id, String json) {
        repository.update(
                "main",
                pail -> Tables.of(pail)
                        .table("people")
                        .put(id, Document.parse(json))
                        .pail());
    }

    private List<String> rows(String query) throws SQLException {
        try (Connection connection = PailSql.connect(repository, "main")) {
            return rows(connection, query);
        }
    }

    private static List<String> rows(Connection connection, String query) throws SQLException {
        return Answers.rows(connection, query, ResultSet::getString);
    }

    @Test
    void fieldsAreColumnsByTheirPaths() throws SQLException {
        assertThat(rows("SELECT _id, name, age, height, \"address.city\", tags FROM people ORDER BY age"))
                .containsExactly(
                        "ann|Ann|30|1.5|Oslo|[\"a\"]", "bob|Bob|40|null|Rome|null", "eve|Eve ö|50|null|null|null");
        assertThat(rows("SELECT * FROM people WHERE name = 'Eve ö'")).hasSize(1);
    }

    @Test
    void aConditionIsAnsweredByAnIndexAndAnIdByItsKey() throws SQLException {
        repository.update(
                "main",
                pail -> Tables.of(pail)
                        .table("people")
                        .createIndex(FieldPath.parse("age"))
                        .pail());
        assertThat(rows("SELECT name FROM people WHERE age > 35 AND name <> 'Bob'"))
                .containsExactly("Eve ö");
        assertThat(rows("EXPLAIN PLAN FOR SELECT name FROM people WHERE age > 35 AND name <> 'Bob'")
                        .toString())
                .contains("index age: > 35");
        assertThat(rows("SELECT age FROM people WHERE _id = 'bob'")).containsExactly("40");
        assertThat(rows("EXPLAIN PLAN FOR SELECT age FROM people WHERE _id = 'bob'")
                        .toString())
                .contains("by=[id bob]", "columns=[[_id, age]]");
    }

    @Test
    void otherVersionsAreSchemas() throws SQLException {
        assertThat(rows("SELECT COUNT(*) FROM \"main@{1}\".people")).containsExactly("2");
        assertThat(rows("SELECT COUNT(*) FROM people FOR SYSTEM_TIME AS OF 'main@{2}'"))
                .containsExactly("1");
        assertThat(rows("SELECT p.name FROM people p LEFT JOIN \"main@{1}\".people o ON p._id = o._id"
                        + " WHERE o._id IS NULL"))
                .containsExactly("Eve ö");
        assertThat(rows("SELECT name FROM people WHERE NOT EXISTS"
                        + " (SELECT 1 FROM \"main@{2}\".people o WHERE o._id = people._id) ORDER BY name"))
                .containsExactly("Bob", "Eve ö");
        assertThat(
                        rows(
                                "SELECT COUNT(*) FROM people FOR SYSTEM_TIME AS OF TIMESTAMP '2999-01-01 00:00:00' AS p WHERE p.age > 30"))
                .containsExactly("2");
        assertThat(rows("SELECT COUNT(*) FROM \"main@{1}\".people a JOIN \"main@{2}\".people b ON a._id = b._id"))
                .containsExactly("1");
        assertThatThrownBy(() -> rows("SELECT 1 FROM \"nothing\".people"))
                .hasRootCauseMessage("no branch and no event: \"nothing\"");
        assertThatThrownBy(() -> rows("SELECT 1 FROM \"main@{1}\".cats"))
                .hasRootCauseMessage("no table cats in main@{1}");
    }

    @Test
    void aConnectionStaysAtItsVersion() throws SQLException {
        try (Connection connection = PailSql.connect(repository, "main")) {
            assertThat(rows(connection, "SELECT COUNT(*) FROM people")).containsExactly("3");
            put("kim", "{\"name\":\"Kim\"}");
            assertThat(rows(connection, "SELECT COUNT(*) FROM people")).containsExactly("3");
        }
        assertThat(rows("SELECT COUNT(*) FROM people")).containsExactly("4");
    }

    @Test
    void sumsAreExact() throws SQLException {
        create("n");
        repository.update(
                "main",
                pail -> Tables.of(pail)
                        .table("n")
                        .put("a", Document.parse("{\"i\":9223372036854775807,\"d\":0.1}"))
                        .put("b", Document.parse("{\"i\":9223372036854775807,\"d\":0.2}"))
                        .put("c", Document.parse("{\"i\":123456789012345678901234567890,\"d\":0.30}"))
                        .pail());
        assertThat(rows("SELECT SUM(i), SUM(d), COUNT(DISTINCT d) FROM n"))
                .containsExactly("123456789030792422974944119504|0.6|3");
    }

    @Test
    void aSchemaTellsTheTypes() throws SQLException {
        create("t");
        repository.update(
                "main",
                pail -> Tables.of(pail)
                        .table("t")
                        .withSchema(Schema.of(List.of(
                                Column.parse("born date"),
                                Column.parse("seen timestamp"),
                                Column.parse("ok boolean"),
                                Column.parse("n integer"))))
                        .put(
                                "a",
                                Document.parse(
                                        "{\"born\":\"2026-01-31\",\"seen\":\"2026-01-31T12:00:00+02:00\",\"ok\":true,\"n\":1}"))
                        .pail());
        assertThat(
                        rows(
                                "SELECT born, seen, ok, n, EXTRACT(MONTH FROM born) FROM t WHERE seen < TIMESTAMP '2026-01-31 10:00:01'"))
                .containsExactly("2026-01-31|2026-01-31 10:00:00.000|true|1|1");
    }

    @Test
    void aValueOfAnotherKindIsNamedAndNotDropped() {
        repository.update("main", pail -> {
            TableBatch batch = Tables.of(pail).batch();
            for (int i = 0; i < 1000; i++) {
                batch.put("people", "p" + (1000 + i), Document.parse("{\"age\":" + i + "}"));
            }
            batch.put("people", "z", Document.parse("{\"age\":\"old\"}"));
            return batch.commit().pail();
        });
        assertThatThrownBy(() -> rows("SELECT SUM(age) FROM people"))
                .hasRootCauseMessage(
                        "the row \"z\" of the table \"people\" has \"old\" in \"age\", which is read as INTEGER");
    }

    @Test
    void historiesBranchesAndKeysAreTables() throws SQLException {
        repository.update("main", pail -> pail.put("a", pail.root()));
        assertThat(rows("SELECT COUNT(*) FROM pail_log")).containsExactly("5");
        assertThat(rows("SELECT event FROM pail_log LIMIT 1"))
                .containsExactly(repository.head("main").events().get(0).toString());
        assertThat(rows("SELECT branch, is_current FROM pail_branches")).containsExactly("main|true");
        assertThat(rows("SELECT \"key\" FROM keys")).containsExactly("a");
        assertThat(rows("SELECT COUNT(*) FROM \"main@{1}\".keys")).containsExactly("0");
        assertThat(rows("SELECT COUNT(*) FROM pail_conflicts")).containsExactly("0");
    }
}
