/**
 * Changes of a version: where an entry goes, and the shards that a change makes.
 *
 * <p>Not API: this package is not exported, and changes without notice.
 */
@NullMarked
package dev.pail.edit;

import org.jspecify.annotations.NullMarked;
