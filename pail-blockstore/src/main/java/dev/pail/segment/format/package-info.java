/**
 * What stands in the files of a segment store: records, indexes, the manifest and deltas (SEG2 to SEG16 of {@code spec/segments.md}).
 * Not API: the module does not export this package, and it may change at any time.
 *
 * <p>The classes read and write bytes and know nothing of the store, of its locks and of its threads. Bytes that break a rule of the
 * format are reported as {@link dev.pail.segment.format.DamageException}.
 */
@NullMarked
package dev.pail.segment.format;

import org.jspecify.annotations.NullMarked;
