/**
 * Where blocks are kept: in memory, in a folder of files, in a few files with what differs, and in memory before
 * another store.
 *
 * <p>All stores keep the contract of {@link dev.pail.BlockStore}. Bytes are compared with their CID when they come in and
 * when they go out.
 */
@NullMarked
package dev.pail.blockstore;

import org.jspecify.annotations.NullMarked;
