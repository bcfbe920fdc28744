/** Tests for stores in which a repository is kept. */
@NullMarked
package dev.pail.testkit.repository;

import org.jspecify.annotations.NullMarked;
