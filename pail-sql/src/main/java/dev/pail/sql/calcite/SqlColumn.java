package dev.pail.sql.calcite;

import dev.pail.table.FieldPath;

/**
 * A column of a table in SQL: a field of its documents, or the id of the row.
 *
 * @param name as SQL has it
 * @param isId whether it is the id, and not a field
 */
record SqlColumn(String name, FieldPath path, ColumnType type, boolean isId) {}
