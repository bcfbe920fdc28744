/**
 * The little of a file system that stores need, so that tests can stand in for it: with a disk that fails at any call, or
 * loses power. Stores use nothing else. Not exported.
 */
@NullMarked
package dev.pail.disk;

import org.jspecify.annotations.NullMarked;
