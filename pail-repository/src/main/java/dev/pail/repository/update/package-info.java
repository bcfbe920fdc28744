/**
 * How branches, tags and tracking refs move: blocks are staged, checked and put before a ref update refers to them. Not exported.
 * {@link dev.pail.repository.update.RepositoryCore} is what the rooms above work with.
 */
@NullMarked
package dev.pail.repository.update;

import org.jspecify.annotations.NullMarked;
