package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.testkit.Randomness;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random changes and queries of a table with indexes of all kinds, made in SQLite as well: rows, order and refusals are equal, and entries are
 * those of a rebuild.
 */
class IndexOracleTest {
    private static final int HISTORIES = Randomness.times(200, 20_000);
    private static final int STEPS = 40;
    private static final String ITEMS = "e[]";
    private static final List<String> FIELDS = List.of("a", "b", "c");
    private static final List<FieldPath> PATHS = List.of(FieldPath.parse("a"), FieldPath.parse("d"));

    /** Values in JSON; SQLite has the same literals, but for quotes. */
    private static final List<String> VALUES = List.of(
            "0", "1", "2", "-1", "1.5", "-10", "1e3", "\"\"", "\"a\"", "\"ab\"", "\"a b\"", "\"a \"", "\"b\"", "\"é\"",
            "\"😀\"", "\"A\"", "\"aB\"", "\"É\"");

    /** What indexes and conditions are on, and the columns of SQLite with the same values. Those of items are in a table of their own. */
    private static final Map<String, String> TERMS =
            Map.of("a", "a", "b", "b", "c", "c", "lower(a)", "la", "lower(b)", "lb", ITEMS, "v");

    @Test
    void rowsOrderAndRefusalsAreThoseOfSqlite_B8_T11_T12_T19_T20_Q4_Q6() throws SQLException {
        long seed = Randomness.seed("IndexOracleTest");
        Counts counts = new Counts();
        for (int i = 0; i < HISTORIES; i++) {
            try {
                new History(seed + i, counts).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("history -Dpail.seed=" + (seed + i), e);
            }
        }
        assertThat(List.of(
                        counts.refusedRows,
                        counts.refusedIndexes,
                        counts.indexed,
                        counts.severalFields,
                        counts.ordered,
                        counts.reversed,
                        counts.covered,
                        counts.lower,
                        counts.items))
                .as(
                        "rows and indexes refused, queries by an index, by several fields, ordered by an index, in reverse, covered, by lower case, by items")
                .allMatch(count -> count > HISTORIES / 20);
        System.out.println("IndexOracleTest: " + HISTORIES + " histories, " + counts);
    }

    private static final class Counts {
        int refusedRows;
        int refusedIndexes;
        int indexed;
        int severalFields;
        int ordered;
        int reversed;
        int covered;
        int lower;
        int items;

        @Override
        public String toString() {
            return refusedRows + " rows and " + refusedIndexes + " indexes refused, " + indexed
                    + " queries by an index, " + severalFields + " by several fields, " + ordered
                    + " ordered by an index, " + reversed + " in reverse, " + covered + " covered, " + lower
                    + " by lower case, " + items + " by items";
        }
    }

    private static final class History {
        private final Random random;
        private final Counts counts;
        private final Connection sqlite;
        private final Map<String, Index> indexes = new TreeMap<>();
        private final ShardFormat format;
        private Table table;

        History(long seed, Counts counts) throws SQLException {
            this.random = Randomness.random(seed);
            this.counts = counts;
            this.sqlite = DriverManager.getConnection("jdbc:sqlite::memory:");
            this.format = random.nextInt(4) == 0 ? ShardFormat.v0() : ShardFormat.v1();
            this.table = empty();
        }

        private Table empty() {
            return Tables.of(Pail.create(new MemoryBlockStore(), format)).create("t");
        }

        void run() throws SQLException {
            try (Connection connection = sqlite) {
                sql("create table t (id text primary key, a, b, c, la, lb) without rowid");
                // A row for each item; one with a null if there are none.
                sql("create table x (id text, a, b, c, la, lb, v, has)");
                for (int i = 0; i < STEPS; i++) {
                    switch (random.nextInt(8)) {
                        case 0 -> index();
                        case 1 -> delete();
                        case 2 -> batch();
                        default -> put(Tables.of(table.pail()).batch(), true);
                    }
                    query();
                }
                assertThat(rows(table.rows())).isEqualTo(ids("select id from t order by id"));
                assertThat(table.pail().entries().toList())
                        .isEqualTo(afresh().pail().entries().toList());
                TableCheck check = Tables.of(table.pail()).check();
                assertThat(check.wrongEntries()).as(check.toString()).isEmpty();
                assertThat(connection.isClosed()).isFalse();
            }
        }

        /** The same table, with the indexes first and the rows in another order. */
        private Table afresh() {
            Table next = empty();
            List<Index> some = new ArrayList<>(indexes.values());
            Collections.shuffle(some, random);
            for (Index index : some) {
                next = next.createIndex(index);
            }
            List<Row> rows = new ArrayList<>(table.rows().toList());
            Collections.shuffle(rows, random);
            for (Row row : rows) {
                next = next.put(row.id(), row.document());
            }
            return next;
        }

        private void sql(String statement) throws SQLException {
            try (Statement each = sqlite.createStatement()) {
                each.execute(statement);
            }
        }

        private List<String> ids(String query) throws SQLException {
            List<String> ids = new ArrayList<>();
            try (Statement each = sqlite.createStatement();
                    ResultSet found = each.executeQuery(query)) {
                while (found.next()) {
                    ids.add(found.getString(1));
                }
            }
            return ids;
        }

        private static List<String> rows(Stream<Row> rows) {
            return rows.map(Row::id).toList();
        }

        private String id() {
            return List.of("", "x", "é", "r").get(random.nextInt(4)) + random.nextInt(6);
        }

        private String value() {
            return VALUES.get(random.nextInt(VALUES.size()));
        }

        private static String literal(String json) {
            return json.startsWith("\"") ? "'" + json.substring(1, json.length() - 1) + "'" : json;
        }

        /** The columns of a row. */
        private static String columns(SortedMap<String, String> fields) {
            List<String> columns = new ArrayList<>();
            FIELDS.forEach(field -> columns.add(fields.containsKey(field) ? literal(fields.get(field)) : "null"));
            for (String field : List.of("a", "b")) {
                String json = fields.getOrDefault(field, "null");
                columns.add(literal(json.startsWith("\"") ? lower(json) : json));
            }
            return String.join(",", columns);
        }

        private static String lower(String text) {
            StringBuilder lower = new StringBuilder();
            text.codePoints().forEach(c -> lower.appendCodePoint(Character.toLowerCase(c)));
            return lower.toString();
        }

        /** Items of a list: values, and what is none for an index. */
        private List<String> items() {
            return Stream.generate(() -> random.nextInt(6) > 0
                            ? value()
                            : List.of("null", "[1]", "{}").get(random.nextInt(3)))
                    .limit(random.nextInt(4))
                    .toList();
        }

        /** Puts or inserts a row; returns whether both took it. */
        private boolean put(TableBatch batch, boolean commits) throws SQLException {
            String id = id();
            SortedMap<String, String> fields = new TreeMap<>();
            FIELDS.forEach(field -> {
                if (random.nextInt(4) > 0) {
                    fields.put(field, value());
                }
            });
            if (random.nextInt(3) == 0) {
                // SQLite does not have this field.
                fields.put(
                        "d",
                        List.of("{\"x\":[1.0,null]}", "2.0", "null", "1e400").get(random.nextInt(4)));
            }
            List<String> items = random.nextInt(3) > 0 ? items() : List.of();
            if (!items.isEmpty()) {
                fields.put("e", "[" + String.join(",", items) + "]");
            } else if (random.nextInt(4) == 0) {
                // No list has no items.
                fields.put("e", random.nextBoolean() ? "\"a\"" : "[]");
            }
            Document document = Document.parse(fields.entrySet().stream()
                    .map(field -> "\"" + field.getKey() + "\":" + field.getValue())
                    .collect(Collectors.joining(",", "{", "}")));
            String values = columns(fields);
            boolean replaces = random.nextInt(3) > 0;
            String refused = null;
            try {
                if (replaces) {
                    batch.put("t", id, document);
                } else {
                    batch.insert("t", id, document);
                }
                table = commits ? batch.commit().table("t") : table;
            } catch (TableException e) {
                refused = e.getMessage();
                assertThat(e.reason()).isIn(TableException.Reason.ROW_EXISTS, TableException.Reason.NOT_UNIQUE);
                counts.refusedRows += e.reason() == TableException.Reason.NOT_UNIQUE ? 1 : 0;
            }
            List<String> statements = new ArrayList<>(List.of(
                    "insert into t values ('" + id + "'," + values + ")"
                            + (replaces
                                    ? " on conflict (id) do update set a=excluded.a, b=excluded.b, c=excluded.c, la=excluded.la, lb=excluded.lb"
                                    : ""),
                    "delete from x where id = '" + id + "'"));
            for (String item : items) {
                if (!item.equals("[1]") && !item.equals("{}")) {
                    statements.add("insert into x select '" + id + "'," + values + "," + literal(item)
                            + ", 1 where not exists (select 1 from x where id = '" + id + "' and v is " + literal(item)
                            + ")");
                }
            }
            statements.add("insert into x select '" + id + "'," + values
                    + ", null, 0 where not exists (select 1 from x where id = '" + id + "')");
            assertThat(areRefused(statements)).as("%s: %s", statements, refused).isEqualTo(refused != null);
            return refused == null;
        }

        /** All of them, or none. */
        private boolean areRefused(List<String> statements) throws SQLException {
            sql("begin");
            for (String statement : statements) {
                if (isRefused(statement)) {
                    sql("rollback");
                    return true;
                }
            }
            sql("commit");
            return false;
        }

        private boolean isRefused(String statement) {
            try {
                sql(statement);
                return false;
            } catch (SQLException e) {
                assertThat(e.getMessage()).contains("UNIQUE");
                return true;
            }
        }

        private void delete() throws SQLException {
            String id = id();
            table = table.delete(id);
            sqlDelete(id);
        }

        private void sqlDelete(String id) throws SQLException {
            sql("delete from t where id = '" + id + "'");
            sql("delete from x where id = '" + id + "'");
        }

        /** Some changes in one batch: a refused one leaves the batch as it was. */
        private void batch() throws SQLException {
            TableBatch batch = Tables.of(table.pail()).batch();
            for (int i = random.nextInt(6); i >= 0; i--) {
                if (random.nextInt(4) == 0) {
                    String id = id();
                    batch.delete("t", id);
                    sqlDelete(id);
                } else {
                    put(batch, false);
                }
            }
            table = batch.commit().table("t");
        }

        private void index() throws SQLException {
            List<String> terms = new ArrayList<>(TERMS.keySet());
            Collections.sort(terms);
            Collections.shuffle(terms, random);
            // An index has each field once, in one form.
            for (String field : List.of("a", "b")) {
                terms.remove(random.nextBoolean() ? field : "lower(" + field + ")");
            }
            List<String> some = terms.subList(0, 1 + random.nextInt(3)).stream()
                    .map(term -> term + (random.nextInt(3) == 0 ? " desc" : ""))
                    .toList();
            Index index = Index.parse(String.join(",", some));
            index = random.nextInt(4) == 0 ? index.unique() : index;
            // A covering index of SQLite has the same rows as another.
            index = random.nextInt(3) == 0
                    ? index.include(List.of(FieldPath.parse(FIELDS.get(random.nextInt(3))), FieldPath.parse("d")))
                    : index;
            String name = '"' + index.name() + '"';
            if (indexes.remove(name) != null) {
                table = table.dropIndex(index);
                sql("drop index " + name);
                return;
            }
            String columns = index.fields().stream()
                    .map(field ->
                            TERMS.get(field.form().of(field.path().text())) + (field.isDescending() ? " desc" : ""))
                    .collect(Collectors.joining(","));
            String statement = "create " + (index.isUnique() ? "unique " : "") + "index " + name + " on "
                    + (index.name().contains(ITEMS) ? "x" : "t") + " (" + columns + ")";
            boolean isRefused = isRefused(statement);
            try {
                table = table.createIndex(index);
                indexes.put(name, index);
                assertThat(isRefused).as(statement).isFalse();
            } catch (TableException e) {
                assertThat(e.reason()).isEqualTo(TableException.Reason.NOT_UNIQUE);
                assertThat(isRefused).as("%s: %s", statement, e.getMessage()).isTrue();
                counts.refusedIndexes++;
            }
        }

        /** A condition in our words, and in those of SQL. */
        private record Condition(String ours, String sql) {}

        private Condition condition(int depth) {
            List<String> terms = new ArrayList<>(TERMS.keySet());
            Collections.sort(terms);
            String term = terms.get(random.nextInt(terms.size()));
            Condition condition = condition(depth, term, TERMS.get(term));
            return condition.ours.contains(ITEMS) && !condition.sql.contains("from x")
                    ? new Condition(
                            condition.ours,
                            "exists (select 1 from x where x.id = t.id and has = 1 and " + condition.sql + ")")
                    : condition;
        }

        private Condition condition(int depth, String term, String field) {
            String value = value();
            String isKind = "typeof(" + field + ") " + (value.startsWith("\"") ? "=" : "<>") + " 'text' and ";
            switch (random.nextInt(depth > 0 ? 9 : 5)) {
                case 0, 1 -> {
                    return new Condition(term + " == " + value, "(" + field + " = " + literal(value) + ")");
                }
                case 2, 3 -> {
                    String sign = List.of("<", "<=", ">", ">=").get(random.nextInt(4));
                    return new Condition(
                            term + " " + sign + " " + value,
                            "(" + isKind + field + " " + sign + " " + literal(value) + ")");
                }
                case 4 -> {
                    String other = value();
                    return random.nextBoolean()
                            ? new Condition(
                                    "exists " + term, term.equals(ITEMS) ? "true" : "(" + field + " is not null)")
                            : new Condition(
                                    term + " in [" + value + "," + other + "]",
                                    "(" + field + " in (" + literal(value) + "," + literal(other) + "))");
                }
                default -> {
                    Condition one = condition(depth - 1);
                    Condition other = condition(depth - 1);
                    String word = random.nextInt(4) > 0 ? " and " : " or ";
                    return new Condition(
                            "(" + one.ours + word + other.ours + ")", "(" + one.sql + word + other.sql + ")");
                }
            }
        }

        private void query() throws SQLException {
            Condition condition = random.nextInt(8) == 0 ? null : condition(2);
            Filter filter = condition == null ? Filter.all() : Filter.parse(condition.ours);
            String where = condition == null ? "" : " where coalesce(" + condition.sql + ", 0)";
            Plan plan = table.explain(filter);
            counts.indexed += plan.isFullScan() ? 0 : 1;
            counts.severalFields +=
                    plan.accesses().stream().anyMatch(access -> access.ranges().size() > 1) ? 1 : 0;
            counts.lower += reads(plan, FieldForm.LOWER);
            counts.items += reads(plan, FieldForm.ITEMS);
            List<String> found = new ArrayList<>(rows(table.rows(filter)));
            found.sort(Comparator.comparing(id -> Bytes.of(id)));
            String as = condition + " by " + plan + " of " + table.declaredIndexes();
            assertThat(found).as(as).isEqualTo(ids("select id from t" + where + " order by id"));
            assertThat(pages(filter)).as(as).containsExactlyInAnyOrderElementsOf(found);
            counts.covered += plan.covers(PATHS) ? 1 : 0;
            table.rows(filter).forEach(row -> {
                Document known = row.document(PATHS);
                PATHS.forEach(path ->
                        assertThat(known.json(path)).isEqualTo(row.document().json(path)));
            });
            order(filter, where);
        }

        /** 1, if a plan has a range of a field in a form. */
        private static int reads(Plan plan, FieldForm form) {
            return plan.accesses().stream()
                            .anyMatch(access -> access
                                    .index()
                                    .fields()
                                    .subList(0, access.ranges().size())
                                    .stream()
                                    .anyMatch(field -> field.form() == form))
                    ? 1
                    : 0;
        }

        private List<String> pages(Filter filter) {
            List<String> ids = new ArrayList<>();
            RowPage page = table.page(filter, Optional.empty(), 3);
            page.rows().forEach(row -> ids.add(row.id()));
            while (page.next().isPresent()) {
                page = table.page(filter, page.next(), 3);
                page.rows().forEach(row -> ids.add(row.id()));
            }
            return ids;
        }

        private void order(Filter filter, String where) throws SQLException {
            List<String> paths = new ArrayList<>(FIELDS);
            Collections.shuffle(paths, random);
            List<Table.Order> orders = new ArrayList<>();
            List<String> terms = new ArrayList<>();
            for (String path : paths.subList(0, 1 + random.nextInt(2))) {
                boolean isDescending = random.nextBoolean();
                orders.add(new Table.Order(FieldPath.parse(path), isDescending));
                terms.add(path + " is null, " + path + (isDescending ? " desc" : ""));
            }
            Table.Order last = orders.get(orders.size() - 1);
            terms.add("id" + (last.isDescending() ? " desc" : ""));
            Plan plan = table.explain(filter, orders);
            boolean isIndex = plan.sort() == Plan.Sort.INDEX;
            counts.ordered += isIndex ? 1 : 0;
            List<Index.Field> fields = isIndex ? plan.accesses().get(0).index().fields() : List.of();
            counts.reversed +=
                    isIndex && fields.get(fields.size() - 1).isDescending() != last.isDescending() && fields.size() > 1
                            ? 1
                            : 0;
            long most = random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(5);
            assertThat(rows(table.rows(filter, orders, most)))
                    .as("%s by %s of %s", orders, plan, table.declaredIndexes())
                    .isEqualTo(ids("select id from t" + where + " order by " + String.join(", ", terms)
                            + (most == Long.MAX_VALUE ? "" : " limit " + most)));
        }
    }
}
