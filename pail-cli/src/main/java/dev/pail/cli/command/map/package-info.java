/** Commands that read and change keys and values. */
@NullMarked
package dev.pail.cli.command.map;

import org.jspecify.annotations.NullMarked;
