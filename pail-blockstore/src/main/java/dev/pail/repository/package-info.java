/**
 * A pail on disk: blocks, and heads that name the version that counts.
 *
 * <p>What always holds: a head is either the old version or the new one, never anything between; all blocks below it are
 * safe before it moves. One writer at a time holds the lock of a repository; readers need none.
 */
@NullMarked
package dev.pail.repository;

import org.jspecify.annotations.NullMarked;
