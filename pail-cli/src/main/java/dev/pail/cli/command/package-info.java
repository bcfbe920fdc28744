/** What all commands share: arguments, the store and the version that they name, changes of a branch. */
@NullMarked
package dev.pail.cli.command;

import org.jspecify.annotations.NullMarked;
