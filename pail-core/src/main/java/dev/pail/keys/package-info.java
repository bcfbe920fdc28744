/**
 * Encodings by which a flat map of texts holds many namespaces, and keys that are no text.
 *
 * <p>Start at {@link dev.pail.keys.KeyCodec}, which makes a key of a pail from the path of a namespace and a key in it, and at
 * {@link dev.pail.keys.KeyText}, which makes text from bytes and keeps their order. Both are pure functions and do not depend on
 * pails; {@link dev.pail.Namespace} is the view of a pail that uses them. The rules are N1 to N17 of {@code
 * spec/namespaces.md}.
 *
 * <p>{@link dev.pail.keys.ByteKeyCodec} has the forms for databases whose keys are bytes, which the document key-namespacing calls
 * length-prefixed keys and 0x00 separated ASCIIHEX. The delimiters of LevelDB are {@link dev.pail.keys.KeyCodec#delimited}. {@code
 * docs/from-namespacing.md} has all names.
 *
 * <p>Values are immutable and may be shared by threads. Errors are those that {@link dev.pail} names.
 */
@NullMarked
package dev.pail.keys;

import org.jspecify.annotations.NullMarked;
