/**
 * The part of a file system that stores need, and the only one that they use. Tests replace it with a disk that fails at any call, or
 * loses power.
 */
@NullMarked
package dev.pail.disk;

import org.jspecify.annotations.NullMarked;
