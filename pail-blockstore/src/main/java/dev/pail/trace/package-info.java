/** What the library tells of its work, to the system logger and to Flight Recorder. */
@NullMarked
package dev.pail.trace;

import org.jspecify.annotations.NullMarked;
