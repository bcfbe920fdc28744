/** The lock of writers, and the refusal of writes after a failure. Not exported. */
@NullMarked
package dev.pail.lock;

import org.jspecify.annotations.NullMarked;
