/** Merges and reverts of histories with the rules of the repository. Not exported. */
@NullMarked
package dev.pail.repository.merge;

import org.jspecify.annotations.NullMarked;
