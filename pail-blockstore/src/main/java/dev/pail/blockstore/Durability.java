package dev.pail.blockstore;

/**
 * The puts that a loss of power may lose. If a process ends or is killed, no put is lost in any case.
 *
 * <pre>{@code
 * try (BlockStore store = SegmentBlockStore.open(folder, Durability.BATCH)) {
 *     store.put(Block.of(Cid.RAW, new byte[] {1})); // the last puts may be lost with the power
 * } // closing makes all durable
 * }</pre>
 */
public enum Durability {
    /** Nothing: when a put returns, its blocks are durable. */
    SYNC,

    /** The last puts, up to about 1 MiB of what they wrote: the store is as it was after some earlier put. */
    BATCH,

    /** What the operating system has not written yet: the store is as it was after some earlier put. Closing makes all durable. */
    NONE
}
