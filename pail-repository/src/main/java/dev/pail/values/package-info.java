/** Texts from which programs change maps, and the bytes of values. */
@NullMarked
package dev.pail.values;

import org.jspecify.annotations.NullMarked;
