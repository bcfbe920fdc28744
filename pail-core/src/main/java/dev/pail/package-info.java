/**
 * An ordered map from string keys to CIDs whose every version has a content address.
 *
 * <p>Start at {@link dev.pail.Pail}: a handle to one version. Each change returns a handle to the next version. A map consists of
 * shards: dag-cbor blocks in a {@link dev.pail.BlockStore}. The {@link dev.pail.ShardFormat} alone decides the layout of shards.
 * A {@link dev.pail.Namespace} is a view of some of the entries, with its own keys.
 *
 * <p>What always holds, the more important first:
 *
 * <ol>
 *   <li>A change changes only the keys that it names, and a version never changes.
 *   <li>The same operations give the same root CID everywhere.
 *   <li>The library uses bytes from a block store only if they match their CID and keep every rule of their format.
 *   <li>No change deletes a block.
 * </ol>
 *
 * <p>Handles and values are immutable, and threads may share them. All errors are unchecked. Errors of keys, data or stores extend
 * {@link dev.pail.PailException}, and name the key, the CID or the file. Wrong use throws {@link IllegalArgumentException}; use of an
 * ended or closed object throws {@link IllegalStateException}. After any error, all versions are as they were.
 *
 * <p>A call may use another thread for a part of its work, which ends with the call. With the system property {@code dev.pail.threads=1}, each
 * call uses only the caller's.
 *
 * <p>Each method refuses null with a {@link NullPointerException} whose message names the parameter, unless its Javadoc says that it takes
 * null. The same holds for the packages of the other modules.
 */
@NullMarked
package dev.pail;

import org.jspecify.annotations.NullMarked;
