package dev.pail.table;

/**
 * What a merge does with a row of a table that both sides changed (spec rules R6 and R11).
 *
 * <pre>{@code
 * Table people = Tables.of(pail).create("people", RowMerge.FIELDS);
 * }</pre>
 */
public enum RowMerge {
    /** The row as a whole is a conflict. */
    WHOLE,

    /** The row has the changed fields of both sides. It is a conflict only if both changed one field in different ways. */
    FIELDS
}
