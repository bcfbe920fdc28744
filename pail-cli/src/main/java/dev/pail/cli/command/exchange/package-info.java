/** Commands that exchange versions and proofs: CAR files, remotes, signatures, the server. */
@NullMarked
package dev.pail.cli.command.exchange;

import org.jspecify.annotations.NullMarked;
