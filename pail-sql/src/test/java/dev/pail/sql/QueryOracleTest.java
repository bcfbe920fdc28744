package dev.pail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.repository.Repository;
import dev.pail.table.Column;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Index;
import dev.pail.table.Row;
import dev.pail.table.Schema;
import dev.pail.table.Table;
import dev.pail.table.TableBatch;
import dev.pail.table.Tables;
import dev.pail.testkit.Randomness;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Random queries at three versions, with indexes and without, have the answers that H2 gives for the same rows. */
class QueryOracleTest {
    private static final int QUERIES = Randomness.times(150, 5_000);
    private static final int A_WORLD = 50;
    private static final int ROWS = 40;
    private static final List<String> COLUMNS = List.of("i", "d", "s", "b");
    private static final List<String> TEXTS = List.of("a", "ab", "b", "", "ä", "a b", "A");

    /** The tables of one version. */
    private static final String VERSION = "v";

    @Test
    void answersAreThoseOfH2() throws SQLException {
        long seed = Randomness.seed("QueryOracleTest");
        int byIndex = 0;
        int rows = 0;
        for (int world = 0; world * A_WORLD < QUERIES; world++) {
            try (World made = new World(new Random(seed + world))) {
                made.checkRows();
                for (int i = 0; i < A_WORLD; i++) {
                    String query = made.query();
                    List<String> expected = answer(made.h2, query.replace("\"@\"", VERSION + made.version));
                    List<String> found = answer(made.pail, query.replace("\"@\"", "\"" + made.revision() + "\""));
                    assertThat(found)
                            .as("-Dpail.seed=%s world %s version %s: %s", seed, world, made.version, query)
                            .isEqualTo(expected);
                    rows += found.size();
                    byIndex += made.isByIndex(query) ? 1 : 0;
                }
            }
        }
        System.out.println("QueryOracleTest: " + QUERIES + " queries, " + rows + " rows, " + byIndex + " by an index");
        assertThat(byIndex).isGreaterThan(QUERIES / 20);
        assertThat(rows).isGreaterThan(QUERIES);
    }

    private static List<String> answer(Connection connection, String query) throws SQLException {
        List<String> rows = Answers.rows(connection, query, (row, column) -> text(row.getObject(column)));
        if (!query.contains(" ORDER BY ")) {
            Collections.sort(rows);
        }
        return rows;
    }

    private static String text(Object value) {
        if (value instanceof Number) {
            BigDecimal number = new BigDecimal(value.toString());
            return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
        }
        return value instanceof String text ? "'" + text + "'" : String.valueOf(value);
    }

    /** A repository with three versions, and the same rows in H2. */
    private static final class World implements AutoCloseable {
        private final Random random;
        private final Repository repository;
        private final Connection h2;
        private final Connection pail;
        private final int generations;
        private int version;

        World(Random random) throws SQLException {
            this.random = random;
            this.repository = Repository.inMemory(random.nextBoolean() ? ShardFormat.v1() : ShardFormat.v0());
            this.h2 = DriverManager.getConnection("jdbc:h2:mem:;MODE=REGULAR");
            List<String> indexes = random.nextBoolean() ? List.of() : List.of("i", "s,i", "d desc");
            repository.update("main", pail -> {
                Tables tables = Tables.of(pail);
                for (String name : List.of("t", "u")) {
                    Table table = tables.create(name)
                            .withSchema(Schema.of(List.of(
                                    Column.parse("i integer null"),
                                    Column.parse("d decimal null"),
                                    Column.parse("s text null"),
                                    Column.parse("b boolean null"))));
                    for (String index : indexes) {
                        table = table.createIndex(Index.parse(index));
                    }
                    tables = Tables.of(table.pail());
                }
                return tables.pail();
            });
            for (int v = 0; v < 3; v++) {
                for (String name : List.of("t", "u")) {
                    change(name);
                }
                copy(v);
            }
            this.generations = 3;
            this.pail = PailSql.connect(repository, "main");
        }

        private void change(String name) {
            repository.update("main", pail -> {
                TableBatch batch = Tables.of(pail).batch();
                for (int i = 0; i < ROWS / 2; i++) {
                    String id = "r" + random.nextInt(ROWS);
                    if (random.nextInt(8) == 0
                            && Tables.of(pail).table(name).get(id).isPresent()) {
                        batch.delete(name, id);
                    } else {
                        batch.put(name, id, document());
                    }
                }
                return batch.commit().pail();
            });
        }

        private Document document() {
            List<String> fields = new ArrayList<>();
            for (String column : COLUMNS) {
                int kind = random.nextInt(6);
                if (kind > 0) {
                    fields.add("\"" + column + "\":"
                            + (kind == 1 ? "null" : literal(column).replace("'", "\"")));
                }
            }
            return Document.parse("{" + String.join(",", fields) + "}");
        }

        private String literal(String column) {
            return switch (column) {
                case "i" -> String.valueOf(random.nextInt(12) - 3);
                case "d" -> BigDecimal.valueOf(random.nextInt(40) - 10, 1).toPlainString();
                case "s" -> "'" + TEXTS.get(random.nextInt(TEXTS.size())) + "'";
                default -> String.valueOf(random.nextBoolean());
            };
        }

        private void copy(int v) throws SQLException {
            try (Statement statement = h2.createStatement()) {
                statement.execute("CREATE SCHEMA " + VERSION + v);
                for (String name : List.of("t", "u")) {
                    String table = VERSION + v + "." + name;
                    statement.execute("CREATE TABLE " + table
                            + "(_id VARCHAR, i DECIMAL(40,0), d DECIMAL(40,10), s VARCHAR, b BOOLEAN)");
                    try (Stream<Row> rows =
                            Tables.of(repository.pail()).table(name).rows()) {
                        List<String> values = rows.map(row -> "('" + row.id() + "', "
                                        + COLUMNS.stream()
                                                .map(column -> row.document()
                                                        .json(FieldPath.parse(column))
                                                        .orElse("null")
                                                        .replace("\"", "'"))
                                                .collect(Collectors.joining(", "))
                                        + ")")
                                .toList();
                        if (!values.isEmpty()) {
                            statement.execute("INSERT INTO " + table + " VALUES " + String.join(", ", values));
                        }
                    }
                }
            }
        }

        void checkRows() throws SQLException {
            for (version = 0; version < generations; version++) {
                for (String name : List.of("t", "u")) {
                    String query = "SELECT _id, i, d, s, b FROM ";
                    assertThat(answer(pail, query + "\"" + revision() + "\"." + name))
                            .as("version %s", version)
                            .isEqualTo(answer(h2, query + VERSION + version + "." + name));
                }
            }
        }

        /** The revision of the version that the last query is for: each has two changes behind it. */
        String revision() {
            return "main@{" + 2 * (2 - version) + "}";
        }

        boolean isByIndex(String query) throws SQLException {
            String plan = answer(pail, "EXPLAIN PLAN FOR " + query.replace("\"@\"", "\"" + revision() + "\""))
                    .toString();
            return plan.contains("by=[index");
        }

        String query() {
            version = random.nextInt(generations);
            boolean isJoin = random.nextInt(3) == 0;
            String from = "\"@\".t t" + (isJoin ? join() : "");
            List<String> tables = isJoin ? List.of("t", "u") : List.of("t");
            String where = random.nextInt(6) == 0 ? "" : " WHERE " + condition(tables, 2);
            return switch (random.nextInt(4)) {
                case 0 -> {
                    String column = column(tables);
                    yield "SELECT " + column
                            + ", COUNT(*), SUM(t.i), MIN(t.d), MAX(t.s), COUNT(DISTINCT t.d), SUM(t.d) FROM " + from
                            + where + " GROUP BY " + column + (random.nextBoolean() ? " HAVING COUNT(*) > 1" : "");
                }
                case 1 -> "SELECT COUNT(*), COUNT(t.i), SUM(t.d) FROM " + from + where;
                case 2 ->
                    "SELECT t._id, t.i, t.s FROM " + from + where + " ORDER BY t.i NULLS FIRST, t._id"
                            + (isJoin ? ", u._id" : "") + " LIMIT " + (1 + random.nextInt(10));
                default ->
                    "SELECT "
                            + IntStream.range(0, 1 + random.nextInt(3))
                                    .mapToObj(any -> column(tables))
                                    .distinct()
                                    .collect(Collectors.joining(", "))
                            + " FROM " + from + where;
            };
        }

        private String join() {
            String kind = random.nextBoolean() ? " JOIN " : " LEFT JOIN ";
            String on = List.of("t._id = u._id", "t.i = u.i", "t.s = u.s AND t.b = u.b")
                    .get(random.nextInt(3));
            return kind + "\"@\".u u ON " + on;
        }

        private String column(List<String> tables) {
            return tables.get(random.nextInt(tables.size())) + "." + COLUMNS.get(random.nextInt(COLUMNS.size()));
        }

        private String condition(List<String> tables, int depth) {
            if (depth > 0 && random.nextBoolean()) {
                String left = condition(tables, depth - 1);
                return switch (random.nextInt(3)) {
                    case 0 -> "(" + left + " AND " + condition(tables, depth - 1) + ")";
                    case 1 -> "(" + left + " OR " + condition(tables, depth - 1) + ")";
                    default -> "NOT (" + left + ")";
                };
            }
            String table = tables.get(random.nextInt(tables.size()));
            String name = COLUMNS.get(random.nextInt(COLUMNS.size()));
            String column = table + "." + name;
            return switch (random.nextInt(7)) {
                case 0 -> column + " IS NULL";
                case 1 -> column + " IS NOT NULL";
                case 2 -> column + " IN (" + literal(name) + ", " + literal(name) + ", " + literal(name) + ")";
                case 3 -> column + " BETWEEN " + literal(name) + " AND " + literal(name);
                case 4 -> table + ".s LIKE '" + List.of("a%", "%b", "_", "%").get(random.nextInt(4)) + "'";
                default ->
                    column + " " + List.of("=", "<>", "<", "<=", ">", ">=").get(random.nextInt(6)) + " "
                            + literal(name);
            };
        }

        @Override
        public void close() throws SQLException {
            pail.close();
            h2.close();
            repository.close();
        }
    }
}
