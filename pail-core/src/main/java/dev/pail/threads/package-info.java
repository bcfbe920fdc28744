/** Work by several threads within one call. */
@NullMarked
package dev.pail.threads;

import org.jspecify.annotations.NullMarked;
