/** Checks of whole versions and of what is stored. Not exported. */
@NullMarked
package dev.pail.repository.verify;

import org.jspecify.annotations.NullMarked;
