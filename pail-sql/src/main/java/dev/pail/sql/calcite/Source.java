package dev.pail.sql.calcite;

import dev.pail.table.Filter;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.TranslatableTable;
import org.jspecify.annotations.Nullable;

/** A table that {@link Scan} reads. Public, as code that Calcite makes calls it. */
public interface Source extends TranslatableTable {
    /**
     * What a scan reads.
     *
     * @param places of the columns that it gives
     * @param filter accepts at least the rows that are asked for
     * @param id of the only row that is asked for, or null
     */
    record Wanted(
            List<Integer> places, Filter filter, @Nullable String id) {
        boolean isAll() {
            return id == null && filter.equals(Filter.all());
        }
    }

    /** The same with the conditions that the table checks itself; they are checked again outside. */
    Wanted pushed(Wanted wanted, List<RexNode> conditions, RexBuilder builder);

    /** Whether rows are found without reading all. */
    boolean isDirect(Wanted wanted);

    /** The table and its version: plans take scans with equal texts for the same. */
    String title();

    /** How the rows are found, in words. */
    String access(Wanted wanted);

    /**
     * Reads rows, each as an array of its columns.
     *
     * @param isScalar whether a row is its only column alone
     */
    Enumerable<@Nullable Object> read(DataContext context, Wanted wanted, boolean isScalar);
}
