/** The lock of whoever writes. Not exported. */
@NullMarked
package dev.pail.lock;

import org.jspecify.annotations.NullMarked;
