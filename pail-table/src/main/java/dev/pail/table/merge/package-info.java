/** Three-way merges of versions with tables. */
@NullMarked
package dev.pail.table.merge;

import org.jspecify.annotations.NullMarked;
