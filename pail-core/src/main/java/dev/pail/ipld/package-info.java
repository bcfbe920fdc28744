/**
 * The parts of IPLD that a pail is made of: content identifiers, blocks, and strict dag-cbor.
 *
 * <p>All values are immutable and equal by content. A {@link dev.pail.ipld.Block} always matches its
 * {@link dev.pail.ipld.Cid}: one factory computes the identifier, the other checks it, and there is no third. The
 * {@link dev.pail.ipld.DagCborReader} accepts exactly one encoding of each value, trusts no declared length and does
 * not recurse. It refuses malformed bytes with a {@link dev.pail.ipld.MalformedDataException} that names the offset and
 * the rule.
 */
@NullMarked
package dev.pail.ipld;

import org.jspecify.annotations.NullMarked;
