/**
 * An ordered map from string keys to CIDs whose every version has a content address.
 *
 * <p>Start at {@link dev.pail.Pail}: a handle to one version, from which each change makes a handle to the next. The map
 * is kept in shards, dag-cbor blocks that a {@link dev.pail.BlockStore} holds. How shards are laid out and written is
 * the {@link dev.pail.ShardFormat}'s; nothing else knows. A {@link dev.pail.Namespace} is a view of some of the entries, by keys
 * of their own.
 *
 * <p>What always holds, the more important first:
 *
 * <ol>
 *   <li>A change loses nothing but what it was asked to change, and a version is never changed.
 *   <li>The same operations give the same root CID everywhere.
 *   <li>Bytes from a block store are believed when they match their CID and keep every rule of their format.
 *   <li>No change deletes a block.
 * </ol>
 *
 * <p>Handles and values are immutable and may be shared by threads. All errors are unchecked. What goes wrong with keys, data or stores
 * extends {@link dev.pail.PailException}, and names the key, the CID or the file; wrong use is an {@link IllegalArgumentException}, or
 * an {@link IllegalStateException} where it is of something that has ended. After any of them all versions are as they were.
 *
 * <p>Each method refuses null with a {@link NullPointerException} whose message names the parameter, unless its Javadoc says that it takes
 * null. So do the packages of the other modules.
 */
@NullMarked
package dev.pail;

import org.jspecify.annotations.NullMarked;
