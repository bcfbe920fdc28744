/** Programs to begin with, each in one file. */
@NullMarked
package dev.pail.examples;

import org.jspecify.annotations.NullMarked;
