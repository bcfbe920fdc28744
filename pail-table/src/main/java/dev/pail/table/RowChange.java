package dev.pail.table;

import java.util.Objects;
import java.util.Optional;

/**
 * A row that differs between two versions.
 *
 * <pre>{@code
 * Table people = Tables.of(pail).table("people");
 * Table next = people.put("ann", Document.parse("{\"age\":31}"));
 * for (RowChange change : Tables.of(pail).diff(Tables.of(next.pail())).toList()) {
 *     System.out.println(change.table() + " " + change.id() + " " + change.after()); // people ann Optional[...]
 * }
 * }</pre>
 *
 * @param table the name of the table
 * @param id the id of the row
 * @param before the row in the earlier version, if it is there
 * @param after the row in the later version, if it is there
 */
public record RowChange(String table, String id, Optional<Row> before, Optional<Row> after) {
    public RowChange {
        Objects.requireNonNull(table, "table");
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
    }
}
