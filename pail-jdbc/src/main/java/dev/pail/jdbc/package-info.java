/** Repositories in a database of PostgreSQL, which many machines may share. */
@NullMarked
package dev.pail.jdbc;

import org.jspecify.annotations.NullMarked;
