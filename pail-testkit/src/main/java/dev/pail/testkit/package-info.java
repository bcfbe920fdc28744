/** Tests for block stores of any kind, random maps, and stores that misbehave. For use with JUnit 5. */
@NullMarked
package dev.pail.testkit;

import org.jspecify.annotations.NullMarked;
