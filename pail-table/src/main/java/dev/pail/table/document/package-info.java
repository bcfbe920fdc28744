/** JSON documents: their values, and their two forms in blocks. Knows nothing of tables. */
@NullMarked
package dev.pail.table.document;

import org.jspecify.annotations.NullMarked;
