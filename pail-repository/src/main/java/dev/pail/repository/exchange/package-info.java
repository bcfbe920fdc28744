/** Imports of what CAR files have. Not exported. */
@NullMarked
package dev.pail.repository.exchange;

import org.jspecify.annotations.NullMarked;
