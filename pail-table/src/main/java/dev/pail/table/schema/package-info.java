/** What the declaration of a table has of its schema, and how it merges. */
@NullMarked
package dev.pail.table.schema;

import org.jspecify.annotations.NullMarked;
