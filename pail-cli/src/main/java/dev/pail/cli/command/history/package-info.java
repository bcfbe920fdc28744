/** Commands on events, branches and tags. */
@NullMarked
package dev.pail.cli.command.history;

import org.jspecify.annotations.NullMarked;
