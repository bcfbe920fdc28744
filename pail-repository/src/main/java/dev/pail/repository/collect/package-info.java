/** What roots reach, for the collector and for erasures. Not exported. */
@NullMarked
package dev.pail.repository.collect;

import org.jspecify.annotations.NullMarked;
