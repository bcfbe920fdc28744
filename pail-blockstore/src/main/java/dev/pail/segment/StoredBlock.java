package dev.pail.segment;

import dev.pail.ipld.Cid;

/**
 * A block that is in the store, and what its record takes.
 *
 * @param size of the block in bytes
 * @param storedSize of its record in bytes
 * @param chain how many deltas make the block; 0 if its record has the whole block
 */
public record StoredBlock(Cid cid, int size, int storedSize, int chain) {}
