/** The actions of {@code pail table}, and what merges and checks do with tables. */
@NullMarked
package dev.pail.cli.table;

import org.jspecify.annotations.NullMarked;
