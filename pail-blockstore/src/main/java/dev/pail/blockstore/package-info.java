/**
 * Block stores: in memory, in a folder with a file for each block, in segments with deltas, and as a cache before another store.
 *
 * <p>All stores keep the contract of {@link dev.pail.BlockStore}. They check bytes against their CID on each write and on each
 * read.
 */
@NullMarked
package dev.pail.blockstore;

import org.jspecify.annotations.NullMarked;
