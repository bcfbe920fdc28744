/**
 * Signed heads: which events and which root a branch or a tag has, signed with an Ed25519 key in a form that other programs read.
 *
 * <p>Start at {@link dev.pail.sign.SigningKey#generate}, {@link dev.pail.sign.SignedHead#sign} and
 * {@link dev.pail.sign.SignedHead#open}. The rules are SN1 to SN9 of {@code spec/signed-heads.md}.
 *
 * <p>What always holds, the more important first:
 *
 * <ol>
 *   <li>{@link dev.pail.sign.SignedHead#open} returns only what the owner of the key has signed.
 *   <li>A head has one text, byte for byte.
 *   <li>Bytes from outside decide no allocation: a signed note has at most 262,144 bytes and 100 signatures.
 * </ol>
 */
@NullMarked
package dev.pail.sign;

import org.jspecify.annotations.NullMarked;
