/**
 * Text and CBOR heads as bytes: what both the blocks and the shards are written with. Not exported.
 *
 * <p>Everything here is a pure function of its arguments.
 */
@NullMarked
package dev.pail.bytes;

import org.jspecify.annotations.NullMarked;
