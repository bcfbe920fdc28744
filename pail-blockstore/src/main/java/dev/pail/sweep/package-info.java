/** Block stores as a garbage collector needs them: with the time of each block, and a trash. */
@NullMarked
package dev.pail.sweep;

import org.jspecify.annotations.NullMarked;
