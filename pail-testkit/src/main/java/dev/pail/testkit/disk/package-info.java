/** Disks in memory that lose power, and disks that fail at any call. */
@NullMarked
package dev.pail.testkit.disk;

import org.jspecify.annotations.NullMarked;
