/** What a garbage collector needs of a block store: when each block was stored, and how to take blocks away. */
@NullMarked
package dev.pail.sweep;

import org.jspecify.annotations.NullMarked;
