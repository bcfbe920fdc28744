/** What the command talks to: standard streams, files that are named, progress, failures and exit statuses. */
@NullMarked
package dev.pail.cli.terminal;

import org.jspecify.annotations.NullMarked;
