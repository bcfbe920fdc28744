/**
 * The exchange of versions between repositories: fetch, pull and push. The rules are in {@code spec/sync.md}; brackets name them.
 *
 * <p>Start at {@link dev.pail.remote.Exchange}. A {@link dev.pail.remote.Remote} is the other repository: one of this machine,
 * or one behind an HTTP server. What always holds:
 *
 * <ol>
 *   <li>A branch or a remote-tracking ref is updated only when all events and shards below it are here, and each block matches its CID.
 *   <li>A push never drops an event of the branch, unless the caller forces it.
 *   <li>An exchange that fails or is cut off leaves all refs as they were. The next exchange uses the blocks that arrived.
 *   <li>A request that is sent twice has the effect of one.
 * </ol>
 */
@NullMarked
package dev.pail.remote;

import org.jspecify.annotations.NullMarked;
