/** The keys of tables, their declarations, and the entries of indexes, for all kinds of indexes. Knows the room of documents. */
@NullMarked
package dev.pail.table.index;

import org.jspecify.annotations.NullMarked;
