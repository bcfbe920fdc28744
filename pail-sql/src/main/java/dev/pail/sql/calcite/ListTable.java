package dev.pail.sql.calcite;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
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
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** A table whose rows are read one after the other: keys, versions, branches. */
public final class ListTable extends AbstractTable implements Source {
    record Field(String name, SqlTypeName type) {}

    private final String title;
    private final List<Field> fields;
    private final Supplier<Stream<@Nullable Object[]>> rows;

    /**
     * @param title the table and its version
     * @param rows what each row has in its fields, as Calcite computes with it
     */
    ListTable(String title, List<Field> fields, Supplier<Stream<@Nullable Object[]>> rows) {
        this.title = title;
        this.fields = fields;
        this.rows = rows;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory factory) {
        RelDataTypeFactory.Builder type = factory.builder();
        for (Field field : fields) {
            RelDataType of = field.type() == SqlTypeName.TIMESTAMP
                    ? factory.createSqlType(field.type(), 3)
                    : factory.createSqlType(field.type());
            type.add(field.name(), factory.createTypeWithNullability(of, true));
        }
        return type.build();
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable of) {
        return Scan.of(context.getCluster(), of, this);
    }

    @Override
    public Wanted pushed(Wanted wanted, List<RexNode> conditions, RexBuilder builder) {
        return wanted;
    }

    @Override
    public boolean isDirect(Wanted wanted) {
        return false;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String access(Wanted wanted) {
        return "all rows";
    }

    @Override
    public Enumerable<@Nullable Object> read(DataContext context, Wanted wanted, boolean isScalar) {
        int[] places = wanted.places().stream().mapToInt(Integer::intValue).toArray();
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<@Nullable Object> enumerator() {
                return new StreamRows<>(
                        rows.get()
                                .map(row -> isScalar
                                        ? row[places[0]]
                                        : Arrays.stream(places)
                                                .mapToObj(place -> row[place])
                                                .toArray()),
                        DataContext.Variable.CANCEL_FLAG.get(context));
            }
        };
    }
}
