/**
 * The command {@code pail}: reads arguments, calls the library, prints. Data goes to standard output, everything else to
 * standard error; the exit status says what became of it ({@link dev.pail.cli.terminal.Exit}).
 */
@NullMarked
package dev.pail.cli;

import org.jspecify.annotations.NullMarked;
