/** The events of versions, over any block store: which there are, and what they changed. Not exported. */
@NullMarked
package dev.pail.repository.history;

import org.jspecify.annotations.NullMarked;
