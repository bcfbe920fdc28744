/**
 * An HTTP server over a repository. It is a trustless gateway of IPFS: it gives blocks and CARs by their CID, so that a client can check
 * every byte and trusts nothing else. The rules are in {@code spec/gateway.md}, and named in brackets where they apply.
 *
 * <p>{@link dev.pail.server.PailServer#over} is where to start. What always holds:
 *
 * <ol>
 *   <li>No bytes leave the server as a block unless they match its CID.
 *   <li>A response that fails after it has begun ends with the connection, never as if it were whole.
 *   <li>A request changes nothing in the repository unless its sender may change that branch.
 *   <li>No client holds a connection or a thread longer than {@link dev.pail.server.ServerLimits} allows.
 * </ol>
 *
 * <p>Servers may be used by several threads; options and limits are immutable.
 */
@NullMarked
package dev.pail.server;

import org.jspecify.annotations.NullMarked;
