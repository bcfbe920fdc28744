/**
 * One shard, and the shards of a version: how they are written, read, held and searched.
 *
 * <p>Not API: this package is not exported, and changes without notice.
 */
@NullMarked
package dev.pail.shard;

import org.jspecify.annotations.NullMarked;
