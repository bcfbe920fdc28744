/** What blocks link to, and sets of their names that take little memory. Not exported. */
@NullMarked
package dev.pail.dag;

import org.jspecify.annotations.NullMarked;
