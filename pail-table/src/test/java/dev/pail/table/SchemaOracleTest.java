package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.testkit.Randomness;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Random schemas beside STRICT tables of SQLite with the same types, defaults and checks: rows and refusals are the same. */
class SchemaOracleTest {
    private static final int HISTORIES = Randomness.times(200, 10_000);
    private static final int STEPS = 40;
    private static final List<String> COLUMNS = List.of("a", "b", "c");

    /** Each in JSON, which SQL reads as well. */
    private static final List<String> VALUES = List.of("0", "1", "-2", "1.5", "2.0", "\"\"", "\"x\"", "\"1\"");

    private static final Map<Column.Type, String> TYPES = new EnumMap<>(Map.of(
            Column.Type.TEXT, "typeof(%s) = 'text'",
            Column.Type.INTEGER,
                    "(typeof(%1$s) = 'integer' or (typeof(%1$s) = 'real' and %1$s = cast(%1$s as integer)))",
            Column.Type.DECIMAL, "typeof(%s) in ('integer', 'real')",
            Column.Type.JSON, "true"));

    private int refusedRows;
    private int refusedSchemas;
    private int schemas;
    private int defaults;

    @Test
    void rowsAndRefusalsAreThoseOfSqlite_T15_T16_T17() throws SQLException {
        long seed = Randomness.seed("SchemaOracleTest");
        for (int i = 0; i < HISTORIES; i++) {
            try (Connection sqlite = DriverManager.getConnection("jdbc:sqlite::memory:")) {
                history(new Random(seed + i), sqlite);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("history -Dpail.seed=" + (seed + i), e);
            }
        }
        assertThat(List.of(refusedRows, refusedSchemas, schemas, defaults))
                .as("rows refused, schemas refused and taken, defaults written")
                .allMatch(count -> count > HISTORIES / 5);
        System.out.println("SchemaOracleTest: " + HISTORIES + " histories, " + refusedRows + " rows refused, "
                + refusedSchemas + " schemas refused, " + schemas + " taken, " + defaults + " rows with a default");
    }

    private void history(Random random, Connection sqlite) throws SQLException {
        Table table = Tables.of(Pail.create(new MemoryBlockStore())).create("t");
        sql(sqlite, "create table t (id text primary key, a any, b any, c any) strict, without rowid");
        for (int step = 0; step < STEPS; step++) {
            if (step == 0 || random.nextInt(8) == 0) {
                table = changedSchema(table, random, sqlite);
            } else {
                table = put(table, "r" + random.nextInt(8), random, sqlite);
            }
        }
        Map<String, String> rows = new LinkedHashMap<>();
        table.rows().forEach(row -> rows.put(row.id(), text(row.document())));
        assertThat(rows).isEqualTo(rows(sqlite));
    }

    private Table put(Table table, String id, Random random, Connection sqlite) throws SQLException {
        Map<String, String> fields = new LinkedHashMap<>();
        COLUMNS.forEach(name -> {
            if (random.nextInt(4) > 0) {
                fields.put(name, any(random, VALUES));
            }
        });
        Document document = Document.parse(fields.entrySet().stream()
                .map(field -> '"' + field.getKey() + "\":" + field.getValue())
                .collect(Collectors.joining(",", "{", "}")));
        String names = fields.keySet().stream().map(name -> ", " + name).collect(Collectors.joining());
        String values =
                fields.values().stream().map(value -> ", " + sqlValue(value)).collect(Collectors.joining());
        boolean takes = takes(sqlite, "insert or replace into t (id" + names + ") values ('" + id + "'" + values + ")");
        Optional<Table> next;
        try {
            next = Optional.of(table.put(id, document));
        } catch (TableException e) {
            assertThat(e.reason()).isEqualTo(TableException.Reason.MISFIT);
            next = Optional.empty();
        }
        assertThat(next.isPresent()).as("%s, %s", table.schema(), document).isEqualTo(takes);
        refusedRows += takes ? 0 : 1;
        defaults +=
                takes && !next.orElseThrow().get(id).orElseThrow().document().equals(document) ? 1 : 0;
        return next.orElse(table);
    }

    private Table changedSchema(Table table, Random random, Connection sqlite) throws SQLException {
        Schema schema = schema(random);
        List<String> columns = new ArrayList<>(List.of("id text primary key"));
        for (String name : COLUMNS) {
            Column column = schema.columns().stream()
                    .filter(each -> each.path().text().equals(name))
                    .findFirst()
                    .orElse(Column.of(FieldPath.parse(name), Column.Type.JSON));
            columns.add(name + " any" + (column.isRequired() ? " not null" : "")
                    + column.defaultValue()
                            .map(json -> " default " + sqlValue(json))
                            .orElse("") + " check (" + name
                    + " is null or " + String.format(TYPES.get(column.type()), name) + ")");
        }
        schema.checks().forEach(check -> columns.add("check (" + sql(check) + ")"));
        sql(sqlite, "create table n (" + String.join(", ", columns) + ") strict, without rowid");
        boolean takes = takes(sqlite, "insert into n select id, a, b, c from t");
        if (takes) {
            sql(sqlite, "drop table t");
            sql(sqlite, "alter table n rename to t");
        } else {
            sql(sqlite, "drop table n");
        }
        Optional<Table> next;
        try {
            next = Optional.of(table.withSchema(schema));
        } catch (TableException e) {
            assertThat(e.reason()).isEqualTo(TableException.Reason.MISFIT);
            next = Optional.empty();
        }
        assertThat(next.isPresent()).as(schema.toString()).isEqualTo(takes);
        schemas += takes ? 1 : 0;
        refusedSchemas += takes ? 0 : 1;
        return next.orElse(table);
    }

    private static Schema schema(Random random) {
        List<Column> columns = new ArrayList<>();
        for (String name : COLUMNS) {
            Column.Type type = any(random, new ArrayList<>(TYPES.keySet()));
            Column column = Column.of(FieldPath.parse(name), type);
            column = random.nextInt(4) == 0 ? column.required() : column;
            try {
                column = random.nextInt(2) == 0 ? column.withDefault(any(random, VALUES)) : column;
            } catch (TableException e) {
                // The default is of another type.
            }
            columns.add(column);
        }
        columns.removeIf(column -> random.nextInt(4) == 0);
        Schema schema = Schema.of(columns).check(Filter.parse("not exists id"));
        for (int i = random.nextInt(2); i > 0; i--) {
            schema = schema.check(filter(random, 2));
        }
        return schema;
    }

    private static Filter filter(Random random, int depth) {
        FieldPath path = FieldPath.parse(any(random, COLUMNS));
        return switch (random.nextInt(depth == 0 ? 3 : 6)) {
            case 0 -> new Filter.Exists(path);
            case 1 -> new Filter.Not(new Filter.Exists(path));
            case 2 ->
                new Filter.Compare(
                        path, any(random, List.of(Filter.Comparison.values())), Scalar.parse(any(random, VALUES)));
            case 3 -> new Filter.Not(filter(random, depth - 1));
            case 4 -> new Filter.And(List.of(filter(random, depth - 1), filter(random, depth - 1)));
            default -> new Filter.Or(List.of(filter(random, depth - 1), filter(random, depth - 1)));
        };
    }

    /** A filter in SQL: a comparison is false, not unknown, if there is no value of its kind. */
    private static String sql(Filter filter) {
        if (filter instanceof Filter.Exists exists) {
            return exists.field().text().equals("id") ? "false" : exists.field() + " is not null";
        }
        if (filter instanceof Filter.Compare compare) {
            String field = compare.field().text();
            boolean isText = compare.value().json().startsWith("\"");
            String kind = "typeof(" + field + ") " + (isText ? "= 'text'" : "in ('integer', 'real')");
            String value = sqlValue(compare.value().json());
            return compare.comparison() == Filter.Comparison.NOT_EQUAL
                    ? "not (" + kind + " and " + field + " = " + value + ")"
                    : "(" + kind + " and " + field + " " + compare.comparison().sign + " " + value + ")";
        }
        if (filter instanceof Filter.Not not) {
            return "not (" + sql(not.filter()) + ")";
        }
        List<Filter> parts = filter instanceof Filter.And and ? and.filters() : ((Filter.Or) filter).filters();
        return parts.stream()
                .map(each -> "(" + sql(each) + ")")
                .collect(Collectors.joining(filter instanceof Filter.And ? " and " : " or "));
    }

    private static String sqlValue(String json) {
        return json.startsWith("\"") ? "'" + json.substring(1, json.length() - 1) + "'" : json;
    }

    private static <T> T any(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static boolean takes(Connection sqlite, String statement) throws SQLException {
        try {
            sql(sqlite, statement);
            return true;
        } catch (SQLException e) {
            assertThat(e.getMessage()).contains("SQLITE_CONSTRAINT");
            return false;
        }
    }

    private static void sql(Connection sqlite, String statement) throws SQLException {
        try (Statement run = sqlite.createStatement()) {
            run.execute(statement);
        }
    }

    private static String text(Document document) {
        return COLUMNS.stream()
                .map(name ->
                        document.get(FieldPath.parse(name)).map(Scalar::json).orElse("-"))
                .collect(Collectors.joining(" "));
    }

    private static Map<String, String> rows(Connection sqlite) throws SQLException {
        Map<String, String> rows = new LinkedHashMap<>();
        try (PreparedStatement query = sqlite.prepareStatement("select id, a, b, c from t order by id");
                ResultSet found = query.executeQuery()) {
            while (found.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 2; i <= 4; i++) {
                    Object value = found.getObject(i);
                    Scalar scalar = value instanceof String text
                            ? Scalar.of(text)
                            : Scalar.of(value instanceof Number number ? number.doubleValue() : 0);
                    values.add(value == null ? "-" : scalar.json());
                }
                rows.put(found.getString(1), String.join(" ", values));
            }
        }
        return rows;
    }
}
