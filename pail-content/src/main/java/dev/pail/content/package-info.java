/** What the bytes of values are, and how two of them differ. */
@NullMarked
package dev.pail.content;

import org.jspecify.annotations.NullMarked;
