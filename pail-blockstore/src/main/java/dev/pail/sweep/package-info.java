/** What a garbage collector, and whoever moves blocks elsewhere, needs of a block store to take blocks away. Not exported. */
@NullMarked
package dev.pail.sweep;

import org.jspecify.annotations.NullMarked;
