/**
 * Tables of JSON documents with secondary indexes in a pail. Every version of the pail is a version of its tables.
 *
 * <p>Start at {@link dev.pail.table.Tables}, the tables of one version. What always holds:
 *
 * <ol>
 *   <li>A change of a row and of its index entries is one change of the pail. No version has one without the other.
 *   <li>A stored document loses nothing: {@link dev.pail.table.Document} says which form it has.
 *   <li>A query through an index has the same result as reading every row. For a merged version, this holds if its tables were
 *       {@link dev.pail.table.Tables#repair repaired}.
 *   <li>The same changes of the same tables give the same root everywhere.
 * </ol>
 *
 * <p>The keys have the bytes of Benchtop's. The calls for its functions:
 *
 * <ul>
 *   <li>{@code NewTableKey}: {@link dev.pail.table.TableKey#toBytes}; {@code ParseTableKey}: {@link dev.pail.table.TableKey#fromBytes}
 *   <li>{@code NewPosKey}: {@link dev.pail.table.PositionKey#toBytes}; {@code ParsePosKey}: {@link
 *       dev.pail.table.PositionKey#fromBytes}; {@code NewPosKeyPrefix}: {@link dev.pail.table.PositionKey#prefix}
 *   <li>{@code FieldKey}: {@link dev.pail.table.FieldKey#toBytes}; {@code FieldKeyParse}: {@link dev.pail.table.FieldKey#fromBytes};
 *       {@code FieldLabelKey}: {@link dev.pail.table.FieldKey#prefix}
 *   <li>{@code RFieldKey}: {@link dev.pail.table.ReverseKey#toBytes}
 *   <li>{@code EncodeRowLoc}: {@link dev.pail.RowLoc#toBytes}; {@code DecodeRowLoc}: {@link dev.pail.RowLoc#fromBytes}. {@link
 *       dev.pail.table.Table#locate} gives the location of a row
 * </ul>
 *
 * <p>A position key leads to the CID of a document and not to a location, so that a reader can check the bytes. {@code
 * docs/from-benchtop.md} has the layouts, with examples.
 *
 * <p>Handles and values are immutable, and threads may share them; batches are for one thread. Errors are those that {@link dev.pail}
 * names; after any error, all versions are as they were. The rules are in {@code spec/tables.md}; brackets name them.
 */
@NullMarked
package dev.pail.table;

import org.jspecify.annotations.NullMarked;
