/** What blocks link to, sets of their names that take little memory, and which blocks no store takes. Not exported. */
@NullMarked
package dev.pail.dag;

import org.jspecify.annotations.NullMarked;
