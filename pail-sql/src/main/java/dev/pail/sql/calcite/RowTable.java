package dev.pail.sql.calcite;

import dev.pail.Escapes;
import dev.pail.sql.QueryException;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Row;
import dev.pail.table.Scalar;
import dev.pail.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

/**
 * A table of one version as Calcite reads it. The first column is the id of the row. The others are the columns of its schema, or the fields of its
 * first rows.
 */
public final class RowTable extends AbstractTable implements Source {
    /** The name of the column with the id of a row. */
    static final String ID = "_id";

    /** The rows whose fields are the columns of a table without a schema. */
    private static final int SAMPLE = 1000;

    /** The most characters of a value that a message has. */
    private static final int SHOWN = 100;

    private final Table table;

    /** Not known before a query names the table: without a schema, they come from rows. */
    private @Nullable List<SqlColumn> columns;

    /** A plan asks for it again and again. */
    private @Nullable Statistic statistic;

    RowTable(Table table) {
        this.table = table;
    }

    private synchronized List<SqlColumn> columns() {
        if (columns == null) {
            columns = columns(table);
        }
        return columns;
    }

    private static List<SqlColumn> columns(Table table) {
        List<SqlColumn> columns = new ArrayList<>();
        columns.add(new SqlColumn(ID, FieldPath.parse(ID), ColumnType.TEXT, true));
        table.schema()
                .map(schema -> schema.columns().stream()
                        .map(column ->
                                new SqlColumn(column.path().text(), column.path(), ColumnType.of(column.type()), false))
                        .toList())
                .orElseGet(() -> sampled(table))
                .forEach(columns::add);
        return List.copyOf(columns);
    }

    /** The fields of the first rows: one that has values of several kinds, lists or objects is JSON. */
    private static List<SqlColumn> sampled(Table table) {
        Map<String, Optional<ColumnType>> types = new LinkedHashMap<>();
        try (Stream<Row> rows = table.rows()) {
            rows.limit(SAMPLE).forEachOrdered(row -> {
                Document document = row.document();
                for (String name : document.flat().keySet()) {
                    Optional<ColumnType> known = types.computeIfAbsent(name, any -> Optional.empty());
                    Optional<Scalar> value = document.get(FieldPath.parse(name));
                    if (value.isEmpty()) {
                        types.put(name, Optional.of(ColumnType.JSON));
                    } else if (!value.get().isNull()) {
                        types.put(name, Optional.of(ColumnType.widened(known.orElse(null), value.get())));
                    }
                }
            });
        }
        return types.entrySet().stream()
                .map(each -> new SqlColumn(
                        each.getKey(),
                        FieldPath.parse(each.getKey()),
                        each.getValue().orElse(ColumnType.JSON),
                        false))
                .toList();
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory factory) {
        RelDataTypeFactory.Builder type = factory.builder();
        for (SqlColumn column : columns()) {
            RelDataType of = column.type().in(factory);
            type.add(column.name(), column.isId() ? factory.createTypeWithNullability(of, false) : of);
        }
        return type.build();
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable of) {
        return Scan.of(context.getCluster(), of, this);
    }

    @Override
    public synchronized Statistic getStatistic() {
        if (statistic == null) {
            statistic = Statistics.of((double) table.count(Filter.all()), List.of());
        }
        return statistic;
    }

    private List<SqlColumn> columnsAt(List<Integer> places) {
        return places.stream().map(columns()::get).toList();
    }

    @Override
    public Wanted pushed(Wanted wanted, List<RexNode> conditions, RexBuilder builder) {
        PushedFilter pushed = new PushedFilter(columnsAt(wanted.places()), builder);
        return new Wanted(wanted.places(), pushed.of(conditions), pushed.id(conditions));
    }

    @Override
    public boolean isDirect(Wanted wanted) {
        return wanted.id() != null || !table.explain(wanted.filter()).isFullScan();
    }

    @Override
    public String title() {
        return table.name() + " of " + table.pail().root();
    }

    @Override
    public String access(Wanted wanted) {
        if (wanted.id() != null) {
            return "id " + wanted.id();
        }
        return wanted.isAll() ? "all rows" : table.explain(wanted.filter()).toString();
    }

    @Override
    public Enumerable<@Nullable Object> read(DataContext context, Wanted wanted, boolean isScalar) {
        List<SqlColumn> asked = columnsAt(wanted.places());
        List<FieldPath> fields = asked.stream()
                .filter(column -> !column.isId())
                .map(SqlColumn::path)
                .toList();
        AtomicBoolean cancel = DataContext.Variable.CANCEL_FLAG.get(context);
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<@Nullable Object> enumerator() {
                Stream<Row> found = wanted.id() == null ? table.rows(wanted.filter()) : table.get(wanted.id()).stream();
                return new StreamRows<>(
                        found.map(row -> {
                            @Nullable Object[] values = values(row, asked, fields);
                            return isScalar ? values[0] : values;
                        }),
                        cancel);
            }
        };
    }

    private @Nullable Object[] values(Row row, List<SqlColumn> wanted, List<FieldPath> fields) {
        Document document = fields.isEmpty() ? null : row.document(fields);
        @Nullable Object[] values = new @Nullable Object[wanted.size()];
        for (int i = 0; i < values.length; i++) {
            SqlColumn column = wanted.get(i);
            values[i] = column.isId() || document == null ? row.id() : value(row, document, column);
        }
        return values;
    }

    private @Nullable Object value(Row row, Document document, SqlColumn column) {
        Optional<Scalar> scalar = document.get(column.path());
        if (scalar.isEmpty()) {
            Optional<String> json = document.json(column.path());
            if (json.isPresent() && column.type() != ColumnType.JSON) {
                throw misfit(row, column, json.get());
            }
            return json.orElse(null);
        }
        if (scalar.get().isNull()) {
            return null;
        }
        Object value = column.type().of(scalar.get());
        if (value == null) {
            throw misfit(row, column, scalar.get().json());
        }
        return value;
    }

    private QueryException misfit(Row row, SqlColumn column, String json) {
        String shown = json.length() > SHOWN ? json.substring(0, SHOWN) + "…" : json;
        return new QueryException("the row " + Escapes.brief(row.id()) + " of the table " + Escapes.brief(table.name())
                + " has " + Escapes.escape(shown) + " in " + Escapes.brief(column.name()) + ", which is read as "
                + column.type());
    }
}
