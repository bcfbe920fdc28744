/**
 * The bytes of proofs of all kinds.
 *
 * <p>Not API: this package is not exported, and changes without notice.
 */
@NullMarked
package dev.pail.proof.form;

import org.jspecify.annotations.NullMarked;
