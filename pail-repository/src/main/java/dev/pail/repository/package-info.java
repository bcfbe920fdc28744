/**
 * Pails with their history: blocks, branches, and logs of ref updates. {@link dev.pail.repository.Repository} is where programs begin,
 * {@link dev.pail.repository.model} has the values that it takes and returns, and {@link dev.pail.repository.spi} is for authors of stores.
 *
 * <p>What always holds:
 *
 * <ul>
 *   <li>A branch has either the old head or the new one, never anything between. All blocks below the new head, and its log entry,
 *       are durable before the branch gets the head.
 *   <li>A ref update is a compare-and-set. No concurrent change is lost.
 *   <li>An acknowledged change is durable. An error says whether anything has changed; if that is unknown, it is a
 *       {@link dev.pail.repository.model.HeadUpdateUncertainException}.
 *   <li>After a failed write, the next writer examines the files as if the repository had just been opened. When the cause is
 *       gone, it writes again.
 * </ul>
 *
 * <p>One writer at a time holds the lock of a repository, and only while it writes blocks, log and head; readers need no lock. Errors
 * are those that {@link dev.pail} names. Only the {@link dev.pail.repository.GarbageCollection} removes blocks.
 */
@NullMarked
package dev.pail.repository;

import org.jspecify.annotations.NullMarked;
