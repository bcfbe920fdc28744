/** How Calcite sees tables. Not for callers: some types are public only because code that Calcite makes uses them. */
@NullMarked
package dev.pail.sql.calcite;

import org.jspecify.annotations.NullMarked;
