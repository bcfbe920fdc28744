/** Differences between two lists of lines. */
@NullMarked
package dev.pail.content.lines;

import org.jspecify.annotations.NullMarked;
