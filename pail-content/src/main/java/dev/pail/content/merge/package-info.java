/** Merges inside values that both sides of a merge changed. */
@NullMarked
package dev.pail.content.merge;

import org.jspecify.annotations.NullMarked;
