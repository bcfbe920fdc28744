/**
 * How a flat map holds many namespaces, and bytes that are no text. Pure functions of their arguments: nothing here
 * knows of pails.
 *
 * <p>Values are immutable and may be shared by threads. All errors are unchecked and extend
 * {@link dev.pail.PailException}.
 */
@NullMarked
package dev.pail.keys;

import org.jspecify.annotations.NullMarked;
