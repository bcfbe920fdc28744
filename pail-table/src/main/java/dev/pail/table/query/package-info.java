/** Which ranges of indexes a filter reads, and walks over them. */
@NullMarked
package dev.pail.table.query;

import org.jspecify.annotations.NullMarked;
