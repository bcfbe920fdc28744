/**
 * Proofs: what a version has under a key or in a range, for a reader that has its root and no block store.
 *
 * <p>Start at {@link dev.pail.Pail#prove(String)}, which makes a {@link dev.pail.proof.Proof}, and at
 * {@link dev.pail.proof.Proof#read(byte[])} and {@link dev.pail.proof.Proof#verify}, which check one. The rules are PF1 to PF12 of
 * {@code spec/proofs.md}.
 *
 * <p>What always holds, the more important first:
 *
 * <ol>
 *   <li>An answer other than {@link dev.pail.proof.Answer.Invalid} is what the version with that root has.
 *   <li>A query has one proof, byte for byte.
 *   <li>Bytes from outside decide no allocation: work and memory have the bounds of {@link dev.pail.proof.ProofLimits}.
 * </ol>
 */
@NullMarked
package dev.pail.proof;

import org.jspecify.annotations.NullMarked;
