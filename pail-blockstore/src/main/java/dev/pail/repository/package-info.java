/**
 * Pails on disk, with their history: blocks, branches, and logs that say what moved a branch.
 *
 * <p>What always holds:
 *
 * <ul>
 *   <li>A head is either the old one or the new one, never anything between. All blocks below it, and the line of the log that
 *       says so, are durable before the branch gets the head.
 *   <li>A ref update is a compare-and-set. Of concurrent changes none is lost.
 *   <li>What was acknowledged outlasts a loss of power. An error says whether anything has changed; where that cannot be known, it
 *       is a {@link dev.pail.repository.HeadUpdateUncertainException}.
 *   <li>After a write has failed, nothing more is written until the repository is opened again.
 * </ul>
 *
 * <p>One writer at a time holds the lock of a repository, only while blocks, log and head are written; readers need none. Errors
 * are those that {@link dev.pail} names. Only the {@link dev.pail.repository.GarbageCollection} takes blocks away.
 */
@NullMarked
package dev.pail.repository;

import org.jspecify.annotations.NullMarked;
