/**
 * Tables of JSON documents with secondary indexes, kept in a pail: so every version of the pail is a version of its tables.
 *
 * <p>Start at {@link dev.pail.table.Tables}, the tables of one version. What always holds:
 *
 * <ol>
 *   <li>A change of a row and of its index entries is one change of the pail. No version has the one without the other.
 *   <li>No document is stored in a form that loses any of it: {@link dev.pail.table.Document} says which form it has.
 *   <li>An answer that comes by way of an index is the answer that a look at every row would give; of a version that was merged, if
 *       its tables were {@link dev.pail.table.Tables#repair repaired}.
 *   <li>The same changes of the same tables give the same root everywhere.
 * </ol>
 *
 * <p>Handles and values are immutable and may be shared by threads, batches may not. Errors are those that {@link dev.pail} names;
 * after any of them all versions are as they were. The rules are in {@code spec/tables.md}, and named in brackets where they apply.
 */
@NullMarked
package dev.pail.table;

import org.jspecify.annotations.NullMarked;
