/** Commands on the repository itself: made, configured, verified, collected, copied. */
@NullMarked
package dev.pail.cli.command.store;

import org.jspecify.annotations.NullMarked;
