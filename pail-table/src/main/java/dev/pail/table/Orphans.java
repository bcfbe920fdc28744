package dev.pail.table;

import dev.pail.table.index.TableText;
import java.util.Objects;
import java.util.Optional;

/**
 * Rows under a number that no table has (spec rule R4), left or kept by a merge.
 *
 * <pre>{@code
 * for (Orphans orphans : Tables.of(pail).orphans()) {
 *     System.out.println(orphans.rows() + " rows of " + orphans.table().orElse("an unknown table"));
 *     Tables adopted = Tables.of(pail).adopt(orphans.number(), "people"); // or deleteOrphans
 * }
 * }</pre>
 *
 * @param number the number, from 0 to 65,535
 * @param table the name of the table that they were written to, if the merge that kept them noted it
 * @param rows the number of rows
 */
public record Orphans(int number, Optional<String> table, long rows) {
    public Orphans {
        Objects.requireNonNull(table, "table");
    }

    /** Number, rows and table, in words. */
    @Override
    public String toString() {
        return TableText.rows(rows) + " under the number " + number
                + table.map(name -> ", written to a former table " + TableText.quoted(name))
                        .orElse("");
    }
}
