/**
 * Proofs that an event follows another, for a reader that has the CIDs of both and no block store.
 *
 * <p>Start at {@link dev.pail.clock.proof.FollowsProof#of}, which makes one, and at {@link dev.pail.clock.proof.FollowsProof#read} and
 * {@link dev.pail.clock.proof.FollowsProof#verify}, which check one. The rules are PF12 to PF17 of {@code spec/proofs.md}.
 *
 * <p>What always holds, the more important first:
 *
 * <ol>
 *   <li>If {@code verify} finds nothing wrong, the newer event follows the older, or the writer of an event in the proof has claimed a
 *       tree that is not that of the events before it.
 *   <li>Bytes from outside decide no allocation: work and memory have the bounds of {@link dev.pail.proof.ProofLimits}.
 * </ol>
 */
@NullMarked
package dev.pail.clock.proof;

import org.jspecify.annotations.NullMarked;
