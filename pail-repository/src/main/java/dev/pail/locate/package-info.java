/** What locators of stores that are no folders share. */
@NullMarked
package dev.pail.locate;

import org.jspecify.annotations.NullMarked;
