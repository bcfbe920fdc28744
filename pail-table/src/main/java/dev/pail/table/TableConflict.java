package dev.pail.table;

import dev.pail.Conflict;
import dev.pail.MergePolicy;
import dev.pail.ipld.Cid;
import dev.pail.table.index.TableText;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A table, a row, or a key outside tables that both sides of a merge changed in different ways; rows of both that have the same values in a
 * unique index; or a row that does not fit the schema of both.
 *
 * <p>In a merge by {@link Tables#mergeRules}, a {@link MergePolicy} receives conflicts of this type:
 *
 * <pre>{@code
 * MergePolicy policy = MergePolicy.resolve(conflict ->
 *         conflict instanceof TableConflict found && found.table().equals(Optional.of("prices"))
 *                 ? conflict.theirs()
 *                 : conflict.ours());
 * }</pre>
 *
 * @param conflict the key and its values; if the sides have different keys for the table or row, one of them
 * @param table the name of the table; empty for a key outside tables
 * @param row the id of the row; empty if the table as a whole is the conflict
 * @param dropped the details, if one side dropped the table and the other wrote to it
 * @param duplicate the details, if rows have the same values in a unique index. The merge keeps these rows under every policy that does not
 *     refuse conflicts, the key is that of an entry of the index, and its values are the documents of two of the rows
 * @param schema in words: what does not fit in the row; or, without a row, the columns that both sides changed in different ways. The merge keeps the
 *     row, and decides the column, under every policy that does not refuse conflicts (spec rules R13 and R14)
 */
public record TableConflict(
        Conflict conflict,
        Optional<String> table,
        Optional<String> row,
        Optional<DroppedTable> dropped,
        Optional<Duplicate> duplicate,
        Optional<String> schema)
        implements Conflict {
    /** A conflict of a table, a row or another key. */
    public TableConflict(
            Conflict conflict, Optional<String> table, Optional<String> row, Optional<DroppedTable> dropped) {
        this(conflict, table, row, dropped, Optional.empty(), Optional.empty());
    }

    /**
     * Rows of both sides of a merge with the same values in a unique index.
     *
     * @param values the values, in JSON
     * @param rows the ids of the rows
     */
    public record Duplicate(Index index, String values, List<String> rows) {
        public Duplicate {
            Objects.requireNonNull(index, "index");
            Objects.requireNonNull(values, "values");
            rows = List.copyOf(Objects.requireNonNull(rows, "rows"));
        }
    }

    public TableConflict {
        Objects.requireNonNull(conflict, "conflict");
        Objects.requireNonNull(table, "table");
        Objects.requireNonNull(row, "row");
        Objects.requireNonNull(dropped, "dropped");
        Objects.requireNonNull(duplicate, "duplicate");
        Objects.requireNonNull(schema, "schema");
    }

    /**
     * A table that one side of a merge dropped, and the other wrote to.
     *
     * @param byOurs whether our side dropped it
     * @param madeAgain whether that side also created a new table of the same name
     * @param rows the number of rows that the other side wrote
     * @param first the ids of the first of these rows
     * @param indexes the indexes that the other side declared
     */
    public record DroppedTable(boolean byOurs, boolean madeAgain, long rows, List<String> first, List<Index> indexes) {
        public DroppedTable {
            first = List.copyOf(Objects.requireNonNull(first, "first"));
            indexes = List.copyOf(Objects.requireNonNull(indexes, "indexes"));
        }

        /** Describes what the dropping side did. */
        public String drop() {
            return madeAgain ? "dropped and made again" : "dropped";
        }

        /** Describes what the other side wrote. */
        public String written() {
            StringBuilder text = new StringBuilder();
            if (rows > 0) {
                text.append(TableText.rows(rows)).append(' ');
                text.append(first.stream().map(TableText::quoted).collect(Collectors.joining(", ")));
                text.append(rows > first.size() ? " and more" : "");
            }
            if (!indexes.isEmpty()) {
                text.append(rows > 0 ? ", " : "")
                        .append(TableText.indexesOn(
                                indexes.stream().map(Index::toString).toList()));
            }
            return text.toString();
        }
    }

    @Override
    public String key() {
        return conflict.key();
    }

    @Override
    public Optional<Cid> base() {
        return conflict.base();
    }

    @Override
    public Optional<Cid> ours() {
        return conflict.ours();
    }

    @Override
    public Optional<Cid> theirs() {
        return conflict.theirs();
    }

    /** The row, the table or the key, in words. */
    @Override
    public String subject() {
        if (table.isEmpty()) {
            return TableText.quoted(conflict.key());
        }
        String name = "the table " + TableText.quoted(table.get());
        String why = schema.map(text -> " (" + text + ")").orElse("");
        if (row.isPresent()) {
            return "the row " + TableText.quoted(row.get()) + " of " + name + why;
        }
        if (schema.isPresent()) {
            return "the schema of " + name + why;
        }
        if (duplicate.isPresent()) {
            Duplicate found = duplicate.get();
            String rows = found.rows.stream().map(TableText::quoted).collect(Collectors.joining(" and "));
            return "the rows " + rows + " of " + name + " (" + found.values + " in " + TableText.indexOn(found.index)
                    + ", which is unique)";
        }
        return dropped.map(drop -> name + " (" + (drop.byOurs() ? "ours" : "theirs") + " " + drop.drop() + ", "
                        + (drop.byOurs() ? "theirs" : "ours") + " wrote " + drop.written() + ")")
                .orElse(name + " (made on both sides with different numbers)");
    }
}
