package dev.pail.sql.calcite;

import dev.pail.table.Filter;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows that a filter accepts, and of these some columns. No scan of a table in terms of Calcite: what that knows of a table, such as keys, it
 * takes for true of the scan, whose columns are others.
 */
final class Scan extends AbstractRelNode implements EnumerableRel {
    /** The part of the rows that a condition is taken to let through, if an index answers it, and else. */
    private static final double BY_INDEX = 0.01;

    private static final double BY_FILTER = 0.25;

    private final RelOptTable table;
    private final Source rows;
    private final Source.Wanted wanted;

    Scan(RelOptCluster cluster, RelOptTable table, Source rows, Source.Wanted wanted) {
        super(cluster, cluster.traitSetOf(EnumerableConvention.INSTANCE));
        this.table = table;
        this.rows = rows;
        this.wanted = wanted;
    }

    Source rows() {
        return rows;
    }

    Source.Wanted wanted() {
        return wanted;
    }

    /** Reads all columns of all rows. */
    static Scan of(RelOptCluster cluster, RelOptTable table, Source rows) {
        List<Integer> places =
                IntStream.range(0, table.getRowType().getFieldCount()).boxed().toList();
        return new Scan(cluster, table, rows, new Source.Wanted(places, Filter.all(), null));
    }

    Scan with(Source.Wanted other) {
        return new Scan(getCluster(), table, rows, other);
    }

    @Override
    public RelDataType deriveRowType() {
        RelDataType all = table.getRowType();
        RelDataTypeFactory.Builder type = getCluster().getTypeFactory().builder();
        wanted.places().forEach(place -> type.add(all.getFieldList().get(place)));
        return type.build();
    }

    @Override
    public void register(RelOptPlanner planner) {
        ScanRules.ALL.forEach(planner::addRule);
    }

    @Override
    public double estimateRowCount(RelMetadataQuery metadata) {
        double all = table.getRowCount();
        if (wanted.id() != null) {
            return 1;
        }
        return wanted.isAll() ? all : Math.max(1, all * (rows.isDirect(wanted) ? BY_INDEX : BY_FILTER));
    }

    @Override
    public @Nullable RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery metadata) {
        double read = rows.isDirect(wanted) ? estimateRowCount(metadata) : table.getRowCount();
        double columns = (wanted.places().size() + 2.0) / (table.getRowType().getFieldCount() + 2.0);
        // Costs are compared by their rows alone.
        return planner.getCostFactory().makeCost(read * (1 + columns) / 2, read, 0);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("rows", rows.title())
                .item("columns", getRowType().getFieldNames())
                .item("by", rows.access(wanted));
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        PhysType type = PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), prefer.preferArray());
        return implementor.result(
                type,
                Blocks.toBlock(Expressions.call(
                        implementor.stash(rows, Source.class),
                        "read",
                        DataContext.ROOT,
                        implementor.stash(wanted, Source.Wanted.class),
                        Expressions.constant(type.getFormat() == JavaRowFormat.SCALAR))));
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return this;
    }
}
