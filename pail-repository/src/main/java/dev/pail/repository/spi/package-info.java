/**
 * For authors of stores: what a repository needs of a store of refs and of a block store. {@link dev.pail.repository.spi.RecordRefs} makes
 * a ref store of a map of records, such as a table of a database. Programs that only use repositories need none of this.
 */
@NullMarked
package dev.pail.repository.spi;

import org.jspecify.annotations.NullMarked;
