/** Forms of text that the command reads: lines, JSON, CSV, CIDs and keys as people write them. */
@NullMarked
package dev.pail.cli.text;

import org.jspecify.annotations.NullMarked;
